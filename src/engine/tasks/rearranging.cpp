#include "rearranging.h"

#include "headlight/core/setting_text.h"
#include "losses.h"
#include "segments.h"

namespace headlight::tasks {
namespace {

constexpr std::int32_t kFill = 1;  // after the separator
constexpr std::size_t kSigns = 2;

std::size_t letters_of(const TaskConfig& c) { return c.d_vocab > kSigns ? c.d_vocab - kSigns : 0; }

// Segment, separator and answer fit a context that is twice as long as the segment, because the last token of
// the answer is predicted, but not read.
std::vector<Range> held_out_segments(const TaskConfig& c) {
  return held_out_around(c, c.distinct ? std::min(letters_of(c), c.n_ctx / 2) : c.n_ctx / 2);
}

bool enough_letters(const TaskConfig& c) {
  return c.distinct ? c.max_segment <= letters_of(c) : letters_of(c) >= 2;
}
bool can_be_rearranged(const TaskConfig& c) { return enough_letters(c) && any_left(held_out_segments(c)); }

// The tokens of the answer are read and predicted from position `first` on, where the separator stands.
void ask(const std::vector<std::int32_t>& segment, const std::vector<std::size_t>& order, std::size_t first,
         Sequence& s) {
  for (std::size_t j = 0; j < order.size(); ++j) {
    s.tokens[first + j] = j == 0 ? kSeparator : segment[order[j - 1]];
    s.targets[first + j] = segment[order[j]];
    s.answers[first + j] = static_cast<std::int32_t>(order[j]);
  }
}

Sequence rearranged(const TaskConfig& c, const Order& order, std::size_t length, Rng& rng) {
  std::vector<std::int32_t> segment = random_tokens(length, letters_of(c), c.distinct, rng);
  for (std::int32_t& token : segment) token += kSigns;
  const std::size_t n = c.with_source ? c.n_ctx / 2 : c.n_ctx;
  Sequence s{std::vector<std::int32_t>(n, kFill), std::vector<std::int32_t>(n, kNoTarget)};
  s.answers.assign(n, -1);
  if (c.with_source) s.source.assign(n, kFill);
  std::copy(segment.begin(), segment.end(), c.with_source ? s.source.begin() : s.tokens.begin());
  ask(segment, order(segment), c.with_source ? 0 : length, s);
  s.note = fmt::format("segment of {} tokens", length);
  return s;
}

TaskWords words_of(const TaskConfig& c, TaskWords words) {
  const char* read =
      c.with_source ? "The encoder reads a random *segment* of *tokens*, the source. The decoder begins "
                      "with the separator \"|\"; it must then "
                    : "The model reads a random *segment* of *tokens* and the separator \"|\"; it must then ";
  words.what = read + words.what;
  return words;
}

}  // namespace

Task rearranging_task(const TaskConfig& config, const Order& order, const TaskWords& words) {
  const TaskConfig c = with_segments(config);
  check_setting(
      enough_letters(c),
      "a segment of {} tokens, a separator and a filling need a vocabulary of at least {}; it has {}.{}",
      c.max_segment, (c.distinct ? c.max_segment : 2) + kSigns, c.d_vocab,
      what_works(config, can_be_rearranged));
  check_held_out(c, held_out_segments(c), what_works(config, can_be_rearranged));
  const MakeSequence make = [c, order](std::size_t length, Rng& rng) {
    return rearranged(c, order, length, rng);
  };
  const std::size_t longest = c.distinct ? std::min(c.n_ctx / 2, letters_of(c)) : c.n_ctx / 2;
  return {.config = c,
          .vocabulary = Vocabulary::of_size(c.d_vocab, {"|", kFilling}),
          .training = drawn_from({{c.min_segment, c.max_segment}}, make),
          .held_out = drawn_from(held_out_segments(c), make),
          .trained_on = lengths_of(c),
          .n_source = c.with_source ? c.n_ctx / 2 : 0,
          .words = words_of(c, words),
          .best_loss = no_losses,
          .with_segment = up_to(longest, make),
          .longest_segment = longest,
          .special = {0, 1}};
}

}  // namespace headlight::tasks
