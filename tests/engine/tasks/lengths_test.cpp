// Segment lengths: those trained on, those held out, and that neither strays into the other.
#include <set>

#include "catch.h"
#include "headlight/tasks/batch.h"
#include "headlight/tasks/task.h"

using namespace headlight;
using namespace headlight::tasks;

namespace {

using LengthSet = std::set<std::size_t>;

// "segment of 12 tokens"
std::size_t segment_of(const Sequence& s) {
  const std::string before = "segment of ", after = " tokens";
  REQUIRE(s.note.starts_with(before));
  REQUIRE(s.note.ends_with(after));
  return std::stoul(s.note.substr(before.size()));
}

LengthSet lengths_of(const Generator& generator) {
  LengthSet lengths;
  for (std::uint64_t i = 0; i < 400; ++i) {
    Rng rng = Rng(1).stream("lengths", i);
    lengths.insert(segment_of(generator(rng)));
  }
  return lengths;
}

LengthSet from_to(std::size_t first, std::size_t last) {
  LengthSet lengths;
  for (std::size_t i = first; i <= last; ++i) lengths.insert(i);
  return lengths;
}

LengthSet both(LengthSet a, const LengthSet& b) {
  a.insert(b.begin(), b.end());
  return a;
}

void require_lengths(const TaskConfig& config, const LengthSet& trained, const LengthSet& held_out) {
  INFO(config.name << ", segments of " << config.min_segment << " … " << config.max_segment);
  const Task task = make_task(config);
  CHECK(lengths_of(task.training) == trained);
  CHECK(lengths_of(task.held_out) == held_out);
}

}  // namespace

TEST_CASE("every length of the ranges is drawn and no other", "[tasks]") {
  require_lengths({}, from_to(16, 32), both(from_to(8, 15), from_to(33, 40)));
  require_lengths({.min_segment = 10, .max_segment = 12}, from_to(10, 12),
                  both(from_to(5, 9), from_to(13, 15)));
  require_lengths({.min_segment = 4, .max_segment = 6}, from_to(4, 6), from_to(7, 7));
  require_lengths({.d_vocab = 33, .min_segment = 20, .max_segment = 32}, from_to(20, 32),
                  both(from_to(10, 19), from_to(33, 33)));
  require_lengths({.name = "copy"}, from_to(16, 32), from_to(8, 15));
  require_lengths({.name = "copy", .min_segment = 8, .max_segment = 20}, from_to(8, 20),
                  both(from_to(4, 7), from_to(21, 25)));
  require_lengths({.name = "copy", .d_vocab = 24, .min_segment = 8, .max_segment = 20}, from_to(8, 20),
                  both(from_to(4, 7), from_to(21, 23)));
}

TEST_CASE("one segment bound alone fills in the other", "[tasks]") {
  CHECK(make_task({.min_segment = 20}).config.max_segment == 32);
  CHECK(make_task({.min_segment = 20}).config.min_segment == 20);
  CHECK(make_task({.max_segment = 10}).config.min_segment == 10);
  CHECK(make_task({.max_segment = 30}).config.min_segment == 16);
  const Task fixed = make_task({.name = "copy", .min_segment = 5, .max_segment = 12, .fixed_offset = true});
  CHECK(fixed.config.min_segment == 12);
}

TEST_CASE("a batch of held-out sequences has held-out lengths only", "[tasks]") {
  const Task task = make_task({});
  const Batch batch = draw_batch(task, task.held_out, 50, Rng(4));
  for (std::size_t b = 0; b < 50; ++b) {
    std::size_t period = 1;
    while (batch.tokens(b, period) != batch.tokens(b, 0)) ++period;
    CHECK((period < 16 || period > 32));
    for (std::size_t t = 0; t < 64; ++t) CHECK(batch.predictable(b, t) == (t >= period));
  }
}

TEST_CASE("segments may repeat a token only when they need not be distinct", "[tasks]") {
  const Task free_task = make_task({.d_vocab = 8, .n_ctx = 32, .distinct = false});
  std::size_t with_repeats = 0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    Rng rng = Rng(2).stream("sequence", i);
    const Sequence s = free_task.training(rng);
    const std::size_t segment = segment_of(s);
    const std::set<std::int32_t> different(s.tokens.begin(),
                                           s.tokens.begin() + static_cast<std::ptrdiff_t>(segment));
    with_repeats += different.size() < segment ? 1 : 0;
    for (std::size_t t = segment; t < s.tokens.size(); ++t) CHECK(s.tokens[t] == s.tokens[t - segment]);
    CHECK(s.targets.back() == s.tokens[s.tokens.size() - segment]);
  }
  CHECK(with_repeats > 15);
}

TEST_CASE("a task without a length to hold out is refused", "[tasks]") {
  const std::string message =
      error_of([] { make_task({.d_vocab = 32, .min_segment = 4, .max_segment = 32}); });
  CHECK(contains(message, "leave no other length to test on"));
}

TEST_CASE("a copy task needs a token for the separator", "[tasks]") {
  CHECK(contains(error_of([] { make_task({.name = "copy", .d_vocab = 32}); }),
                 "a prefix of 32 different tokens and a separator need a vocabulary of at least 33"));
  CHECK(make_task({.name = "copy", .d_vocab = 33}).config.d_vocab == 33);
}
