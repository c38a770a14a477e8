// What the certificate says of the broken models of part 5 of exercise 14.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/part.h"
#include "headlight/interpret/certificate.h"
#include "headlight/tasks/task.h"
#include "transformer.h"

namespace headlight {

using BreakOne = void (*)(Weights&, const std::string&);

inline constexpr std::size_t kLarge = 24;  // V and T
inline constexpr double kMostLost = 0.5;   // of the matching, by cutting a path that another can replace

// Stands for the solution, whose answers are known.
inline void as_it_should_be(Weights&, const std::string&) {}

inline const std::vector<std::string> kClaims = {interpret::kMatching, interpret::kCopying,
                                                 interpret::kComposition, interpret::kNecessity};

inline std::vector<Real> numbers_of(const Weights& w) {
  std::vector<const Array*> all{&w.W_E, &w.W_pos, &w.W_U};
  for (const auto* layer : {&w.layer_0, &w.layer_1})
    for (const Head& head : *layer)
      for (const Array* W : {&head.W_Q, &head.W_K, &head.W_V, &head.W_O}) all.push_back(W);
  std::vector<Real> numbers;
  for (const Array* W : all) numbers.insert(numbers.end(), W->begin(), W->end());
  return numbers;
}

inline bool all_finite(const Weights& w) {
  for (const Real number : numbers_of(w))
    if (!std::isfinite(number)) return false;
  return true;
}

// Whether the second head of layer 0 writes the same subspace as the first: the token before.
inline bool notes_twice(const Weights& w) {
  const Array written = product(w.layer_0[1].W_V, w.layer_0[1].W_O);
  for (std::size_t i = 0; i < written.shape()[0]; ++i)
    for (std::size_t c = 0; c < w.stream.before.size; ++c)
      if (written(i, w.stream.before.first + c) != 0) return true;
  return false;
}

inline grader::Result questions(const std::string& claim, const std::vector<bool>& answers) {
  grader::Result all;
  const auto ask = [&](const std::string& question) {
    all.push_back(grader::shown(question, all.size() < answers.size() && answers[all.size()]));
  };
  ask("are all numbers finite?");
  ask("is anything changed?");
  for (const std::string& each : kClaims) {
    if (each == claim) break;
    ask(fmt::format("does \"{}\" still hold?", each));
  }
  if (claim == interpret::kNecessity) ask("does the model still solve the task?");
  if (claim == interpret::kComposition) ask("is the second way more than another note in `before`?");
  ask(claim == interpret::kComposition ? "is most of the matching left when the path to the keys is cut?"
                                       : fmt::format("does \"{}\" fail?", claim));
  return all;
}

// A certificate takes a third of a second, so each model is examined once.
inline const interpret::Certificate& certificate_of(const Weights& w) {
  static std::map<std::vector<Real>, interpret::Certificate> known;
  const std::vector<Real> key = numbers_of(w);
  if (const auto at = known.find(key); at != known.end()) return at->second;
  const tasks::Task task =
      tasks::make_task({.d_vocab = kLarge, .n_ctx = kLarge, .min_segment = kPeriod, .max_segment = kPeriod});
  ThreadPool pool;
  return known.emplace(key, interpret::certify(transformer_of(w), task, Rng(0), pool, {.sequences = 16}))
      .first->second;
}

// The answers in the order of the questions.
inline std::vector<bool> examined(const Weights& w, const Weights& whole, const std::string& claim) {
  if (!all_finite(w)) return {};
  const interpret::Certificate& c = certificate_of(w);
  using interpret::Standing;
  std::vector<bool> answers{true, numbers_of(w) != numbers_of(whole)};
  for (const std::string& each : kClaims) {
    if (each == claim) break;
    answers.push_back(c.claim(each).standing == Standing::holds);
  }
  if (claim == interpret::kNecessity) answers.push_back(c.claim(claim).standing != Standing::not_asked);
  const bool composes = claim == interpret::kComposition;
  const bool changed = composes ? c.by_keys < kMostLost : c.claim(claim).standing == Standing::fails;
  if (composes) answers.push_back(changed || !notes_twice(w));
  answers.push_back(changed);
  return answers;
}

inline grader::Result result_of(BreakOne function, const Weights& whole, const std::string& claim) {
  if (function == as_it_should_be) return questions(claim, std::vector<bool>(10, true));
  Weights w = whole;
  function(w, claim);
  return questions(claim, examined(w, whole, claim));
}

}  // namespace headlight
