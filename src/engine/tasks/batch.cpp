#include "headlight/tasks/batch.h"

#include <algorithm>
#include <functional>

#include "headlight/core/check.h"

namespace headlight::tasks {
namespace {

IntArray int_array(std::size_t rows, std::size_t columns) { return empty_int_array({rows, columns}); }

// (0) for a part that the sequences lack.
IntArray optional_array(std::size_t rows, std::size_t columns) {
  return columns == 0 ? IntArray::from_shape({0}) : int_array(rows, columns);
}

void check_tokens(const Task& task, const std::vector<std::int32_t>& tokens, const char* what,
                  std::int32_t least) {
  for (const std::int32_t token : tokens)
    check(token >= least && token < static_cast<std::int32_t>(task.config.d_vocab),
          "the task '{}' drew the {} {}, which is outside the vocabulary 0 … {}.", task.config.name, what,
          token, task.config.d_vocab - 1);
}

void check_sequence(const Task& task, const Sequence& s) {
  const std::size_t n = s.tokens.size();
  check(n >= 1 && n <= task.config.n_ctx, "the task '{}' drew {} tokens; its context holds 1 … {}.",
        task.config.name, n, task.config.n_ctx);
  check(s.targets.size() == n && (s.predictable.empty() || s.predictable.size() == n),
        "the task '{}' drew {} tokens with {} targets and {} marks of what is predictable; "
        "expected {} of each. Hint: next_token_sequence() makes them of n + 1 tokens.",
        task.config.name, n, s.targets.size(), s.predictable.size(), n);
  check(s.source.size() <= task.n_source, "the task '{}' drew a source of {} tokens; expected at most {}.",
        task.config.name, s.source.size(), task.n_source);
  check(s.answers.empty() || s.answers.size() == n,
        "the task '{}' drew {} tokens with {} answers; expected {} or none.", task.config.name, n,
        s.answers.size(), n);
  for (const std::int32_t at : s.answers)
    check(at < static_cast<std::int32_t>(s.source.empty() ? n : s.source.size()),
          "the task '{}' drew an answer at position {}, which does not exist.", task.config.name, at);
  check_tokens(task, s.tokens, "token", 0);
  check_tokens(task, s.targets, "target", kNoTarget);
  check_tokens(task, s.source, "source token", 0);
}

void put(const Sequence& s, std::size_t row, Batch& batch) {
  const std::size_t n = s.tokens.size();
  std::copy(s.tokens.begin(), s.tokens.end(), batch.tokens.data() + row * n);
  std::copy(s.targets.begin(), s.targets.end(), batch.targets.data() + row * n);
  std::copy(s.source.begin(), s.source.end(), batch.source.data() + row * s.source.size());
  std::copy(s.answers.begin(), s.answers.end(), batch.answers.data() + row * s.answers.size());
  for (std::size_t t = 0; t < n; ++t)
    batch.predictable(row, t) = s.targets[t] != kNoTarget && (s.predictable.empty() || s.predictable[t]);
}

Shape shape_of(const IntArray& part) { return {part.shape().begin(), part.shape().end()}; }

void check_shapes(const Batch& batch) {
  const Shape shape = shape_of(batch.tokens);
  check(shape.size() == 2 && shape_of(batch.targets) == shape && batch.predictable.shape() == shape,
        "[batch] expected tokens, targets and marks of what is predictable of one shape (B,n), got {}, {} "
        "and {}.",
        shape, shape_of(batch.targets), batch.predictable.shape());
  const Shape source = shape_of(batch.source), answers = shape_of(batch.answers);
  check(batch.source.size() == 0 || (source.size() == 2 && source[0] == shape[0]),
        "[batch] expected a source ({},m) or (0), got {}.", shape[0], source);
  check(batch.answers.size() == 0 || answers == shape, "[batch] expected answers {} or (0), got {}.", shape,
        answers);
}

// Each is `least` or more, and below `end`.
void check_range(const char* what, const IntArray& numbers, std::int32_t least, std::size_t end) {
  for (const std::int32_t number : numbers)
    check(number >= least && (number < 0 || static_cast<std::size_t>(number) < end),
          "[batch] expected each {} in {} … {}, got {}.", what, least, static_cast<std::int64_t>(end) - 1,
          number);
}

template <class A>
void copy_rows(const A& from, std::size_t first, std::size_t count, A& to) {
  const std::size_t width = from.size() / std::max<std::size_t>(1, from.shape()[0]);
  std::copy_n(from.data() + first * width, count * width, to.data());
}

// Sequences first … first+count-1, each checked.
Batch stacked(const Task& task, std::size_t count, std::uint64_t first,
              const std::function<Sequence(std::uint64_t)>& sequence) {
  check(count >= 1, "[draw_batch] a batch needs at least 1 sequence.");
  Batch batch{{}, {}, BoolArray(Shape{0}, false), {}, {}};
  for (std::size_t b = 0; b < count; ++b) {
    const Sequence s = sequence(first + b);
    const std::size_t n = s.tokens.size(), m = s.source.size();
    if (b == 0)
      batch = {int_array(count, n), int_array(count, n), BoolArray({count, n}, false),
               optional_array(count, m), optional_array(count, s.answers.size())};
    check(batch.tokens.size() == count * n && batch.source.size() == count * m &&
              batch.answers.size() == count * s.answers.size(),
          "the task '{}' drew sequences of different lengths for one batch. Hint: fill them up, with targets "
          "of kNoTarget.",
          task.config.name);
    put(s, b, batch);
  }
  return batch;
}

}  // namespace

Sequence draw_sequence(const Task& task, const Generator& generator, const Rng& rng, std::uint64_t number) {
  check(static_cast<bool>(generator),
        "[draw_sequence] the generator is empty. Hint: the task '{}' may have no sequences of this kind.",
        task.config.name);
  Rng own = rng.stream("sequence", number);
  Sequence s = generator(own);
  check_sequence(task, s);
  return s;
}

Batch draw_batch(const Task& task, const Generator& generator, std::size_t count, const Rng& rng,
                 std::uint64_t first) {
  return stacked(task, count, first,
                 [&](std::uint64_t number) { return draw_sequence(task, generator, rng, number); });
}

Batch draw_training_batch(const Task& task, std::size_t count, const Rng& rng, std::uint64_t first) {
  if (!task.training_at) return draw_batch(task, task.training, count, rng, first);
  return stacked(task, count, first, [&](std::uint64_t place) {
    Rng own = rng.stream("sequence", place);
    Sequence s = task.training_at(place, own);
    check_sequence(task, s);
    return s;
  });
}

void check_batch(const Batch& batch, std::size_t d_vocab) {
  check_shapes(batch);
  check_range("token", batch.tokens, 0, d_vocab);
  check_range("target", batch.targets, kNoTarget, d_vocab);
  check_range("source token", batch.source, 0, d_vocab);
  check_range("answer", batch.answers, -1,
              (batch.source.size() > 0 ? batch.source : batch.tokens).shape()[1]);
}

Batch batch_rows(const Batch& batch, std::size_t first, std::size_t count) {
  check_shapes(batch);
  const std::size_t rows = batch.tokens.shape()[0], n = batch.tokens.shape()[1];
  check(first <= rows && count <= rows - first,
        "[batch_rows] expected rows of the batch's {}, got {} from {}.", rows, count, first);
  const auto width = [&](const IntArray& all) { return all.size() / std::max<std::size_t>(1, rows); };
  Batch part{int_array(count, n), int_array(count, n), BoolArray({count, n}, false),
             optional_array(count, width(batch.source)), optional_array(count, width(batch.answers))};
  copy_rows(batch.tokens, first, count, part.tokens);
  copy_rows(batch.targets, first, count, part.targets);
  copy_rows(batch.predictable, first, count, part.predictable);
  if (batch.source.size() > 0) copy_rows(batch.source, first, count, part.source);
  if (batch.answers.size() > 0) copy_rows(batch.answers, first, count, part.answers);
  return part;
}

}  // namespace headlight::tasks
