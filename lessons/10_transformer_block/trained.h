// What the grader asks of the model that part 6 of exercise 10 has trained.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "grader/part.h"
#include "headlight/autograd/recording.h"
#include "pairs.h"
#include "weights.h"

// Stands for the solution in part 6, whose answers are known: yes to all questions.
inline void as_it_should_be(const EncoderDecoderWeights&, Rng&) {}

// The questions, in their order. The answer to one that comes after a no is no too.
inline const std::vector<std::string> kQuestions = {
    "has training changed the weights?",   "are all numbers finite?",
    "has it changed all of the weights?",  "are all weights between -20 and 20?",
    "does the model do more than copy?",   "are fresh words as right as the first of the training?",
    "is the loss on fresh words below 1?", "are 99 % of the letters right?"};
inline const std::size_t kSolved = kQuestions.size();

// So many questions in a row were answered with yes.
inline grader::Result answers(std::size_t yes) {
  grader::Result all;
  for (std::size_t i = 0; i < kQuestions.size(); ++i)
    all.push_back(grader::shown(fmt::format("the answer to \"{}\"", kQuestions[i]), i < yes));
  return all;
}

// The answers that the model writes, letter by letter.
inline IntArray written(const IntArray& source, const EncoderDecoderWeights& w) {
  const std::size_t count = source.shape()[0], length = source.shape()[1];
  IntArray answer = IntArray::from_shape({count, length});
  IntArray read = IntArray::from_shape({count, std::size_t{1}});
  read.fill(kStart);
  for (std::size_t j = 0; j < length; ++j) {
    const Array logits = solution::encoder_decoder(source, read, w).array();
    IntArray longer = IntArray::from_shape({count, j + 2});
    for (std::size_t i = 0; i < count; ++i) {
      const Real* of_tokens = &logits(i, j, 0);
      answer(i, j) = static_cast<std::int32_t>(std::max_element(of_tokens, of_tokens + kTokens) - of_tokens);
      for (std::size_t k = 0; k <= j; ++k) longer(i, k) = read(i, k);
      longer(i, j + 1) = answer(i, j);
    }
    read = longer;
  }
  return answer;
}

inline double share_equal(const IntArray& a, const IntArray& b) {
  double equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i) equal += a.data()[i] == b.data()[i];
  return equal / static_cast<double>(a.size());
}

inline bool all_numbers(const EncoderDecoderWeights& w, const std::function<bool(double)>& holds) {
  for (const Tensor& p : nn::parameters(w))
    for (const double number : p.array())
      if (!holds(number)) return false;
  return true;
}

// How many of the parameters are not what they were.
inline std::size_t changed(const EncoderDecoderWeights& before, const EncoderDecoderWeights& after) {
  const std::vector<Tensor> a = nn::parameters(before), b = nn::parameters(after);
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i].array() != b[i].array();
  return count;
}

// How many of the questions are answered with yes, up to the first no. The training drew its words by `seed`.
inline std::size_t judged(const EncoderDecoderWeights& start, const EncoderDecoderWeights& w,
                          std::uint64_t seed) {
  const NoGrad no_gradients;
  const std::size_t moved = changed(start, w);
  if (moved == 0) return 0;
  if (!all_numbers(w, [](double number) { return std::isfinite(number); })) return 1;
  Rng drawn_first(seed), drawn_fresh(seed + 300);
  const Pairs first = pairs(16, drawn_first), fresh = pairs(200, drawn_fresh);
  const IntArray answer = written(fresh.source, w);
  const double right = share_equal(answer, fresh.answer);
  if (right >= 0.99) return kSolved;
  if (moved < nn::parameters(w).size()) return 2;
  if (!all_numbers(w, [](double number) { return std::abs(number) < 20; })) return 3;
  if (share_equal(answer, fresh.source) > 0.8) return 4;
  if (share_equal(written(first.source, w), first.answer) > right + 0.3) return 5;
  return solution::answer_loss(fresh.source, fresh.answer, w).item() >= 1 ? 6 : 7;
}

inline constexpr std::uint64_t kTrainings = 2;

// Calls training number `seed`, and reports at every 20th draw of pairs how far it is. A learner chooses the
// number of steps: the first training is expected to take as many as the exercise suggests, the second as
// many as the first.
inline void with_progress_by_draws(std::uint64_t seed, const std::function<void()>& train) {
  constexpr std::size_t kSuggested = 400;
  static std::size_t draws = 0;
  const std::size_t steps = seed == 1 || draws == 0 ? kSuggested : draws, before = (seed - 1) * steps;
  const auto report = [=](std::size_t step) {
    grader::progress(before + std::min(step, steps), kTrainings * steps);
  };
  draws = 0;
  report(0);
  each_draw = [report] {
    if (++draws % 20 == 0) report(draws);
  };
  train();
  each_draw = {};
  report(steps);
}
