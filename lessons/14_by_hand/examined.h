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

// Stands for the solution, whose answers are known.
inline void as_it_should_be(Weights&, const std::string&) {}

inline const std::vector<std::string> kClaims = {interpret::kMatching, interpret::kCopying,
                                                 interpret::kComposition, interpret::kNecessity};

inline bool all_finite(const Weights& w) {
  std::vector<const Array*> all{&w.W_E, &w.W_pos, &w.W_U};
  for (const auto* layer : {&w.layer_0, &w.layer_1})
    for (const Head& head : *layer)
      for (const Array* W : {&head.W_Q, &head.W_K, &head.W_V, &head.W_O}) all.push_back(W);
  for (const Array* W : all)
    for (const Real number : *W)
      if (!std::isfinite(number)) return false;
  return true;
}

inline grader::Result questions(const std::string& claim, const std::vector<bool>& answers) {
  grader::Result all;
  const auto ask = [&](const std::string& question) {
    all.push_back(grader::shown(question, all.size() < answers.size() && answers[all.size()]));
  };
  ask("are all numbers finite?");
  for (const std::string& each : kClaims) {
    if (each == claim) break;
    ask(fmt::format("does \"{}\" still hold?", each));
  }
  if (claim == interpret::kNecessity) ask("does the model still solve the task?");
  ask(fmt::format("does \"{}\" fail?", claim));
  return all;
}

// The answers in the order of the questions.
inline std::vector<bool> examined(const Weights& w, const std::string& claim) {
  if (!all_finite(w)) return {};
  const tasks::Task task =
      tasks::make_task({.d_vocab = kLarge, .n_ctx = kLarge, .min_segment = kPeriod, .max_segment = kPeriod});
  ThreadPool pool;
  const interpret::Certificate c =
      interpret::certify(transformer_of(w), task, Rng(0), pool, {.sequences = 16});
  using interpret::Standing;
  std::vector<bool> answers{true};
  for (const std::string& each : kClaims) {
    if (each == claim) break;
    answers.push_back(c.claim(each).standing == Standing::holds);
  }
  if (claim == interpret::kNecessity) answers.push_back(c.claim(claim).standing != Standing::not_asked);
  answers.push_back(c.claim(claim).standing == Standing::fails);
  return answers;
}

// A certificate takes a third of a second, so each model is examined once.
inline grader::Result result_of(BreakOne function, const Weights& whole, const std::string& claim) {
  if (function == as_it_should_be) return questions(claim, std::vector<bool>(10, true));
  static std::map<std::pair<BreakOne, std::string>, std::vector<bool>> known;
  const auto key = std::pair{function, claim};
  if (!known.contains(key)) {
    Weights w = whole;
    function(w, claim);
    known[key] = examined(w, claim);
  }
  return questions(claim, known[key]);
}

}  // namespace headlight
