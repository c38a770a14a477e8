// What the certificate says of the broken models of part 5 of exercise 14.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
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

// In segments of 7 tokens, the key to which query 8 of the induction head gives most. Its follower is key 2.
inline std::string look_in_words(const Weights& w) {
  std::vector<std::int32_t> tokens;
  for (std::int32_t i = 0; i < 14; ++i) tokens.push_back(i % 7);
  const Array p = pattern(w.layer_1[0], behind(w.layer_0, embedded(w, tokens)));
  const std::size_t query = 8;
  const auto key = std::max_element(&p(query, 0), &p(query, 0) + query + 1) - &p(query, 0);
  return fmt::format("query 8 gives key {} the weight {:.2f}; its follower is key 2", key,
                     p(query, static_cast<std::size_t>(key)));
}

using Asked = std::function<bool(const interpret::Certificate&)>;
using Seen = std::function<std::string(const interpret::Certificate&)>;

// The answers that the certificate gives of w, in the order in which the claims are tested; all yes without
// w. Behind a no stands what was seen.
class Answers {
 public:
  explicit Answers(const Weights* w) : w_(w) {
    add("are all numbers finite?", w == nullptr || all_finite(*w));
    if (w != nullptr && all_finite(*w)) certificate_ = &certificate_of(*w);
  }
  void add(const std::string& question, bool answer) { all_.push_back(grader::shown(question, answer)); }
  void ask(const std::string& question, const Asked& asked, const Seen& seen) {
    const bool yes = w_ == nullptr || (certificate_ != nullptr && asked(*certificate_));
    add(yes || certificate_ == nullptr ? question : question + " " + seen(*certificate_), yes);
  }
  void ask_of_claim(const std::string& question, const std::string& claim, interpret::Standing standing) {
    ask(
        question, [&](const auto& c) { return c.claim(claim).standing == standing; },
        [&](const auto& c) {
          if (claim == interpret::kMatching) return look_in_words(*w_);
          const auto number = c.claim(claim).number;
          return number ? fmt::format("its number is {:.2f}", *number) : std::string("it was not asked");
        });
  }
  const grader::Result& all() const { return all_; }

 private:
  const Weights* w_;
  const interpret::Certificate* certificate_ = nullptr;
  grader::Result all_;
};

inline void ask_of_composition(Answers& answers, const Weights* w) {
  const auto lost = [&](const std::string& path, double interpret::Certificate::*share) {
    answers.ask(
        fmt::format("is most of the matching left when the path to the {} is cut?", path),
        [=](const auto& c) { return c.*share < kMostLost; },
        [=](const auto& c) { return fmt::format("{:.2f} of it is lost", c.*share); });
  };
  answers.ask(
      "is the second way more than another note in `before`?",
      [&](const auto& c) { return c.by_keys < kMostLost || !notes_twice(*w); },
      [](const auto&) { return "w.layer_0[1] writes there"; });
  lost("keys", &interpret::Certificate::by_keys);
  lost("queries", &interpret::Certificate::by_queries);
}

// In segments of kPeriod tokens a head that looks a fixed distance back looks at followers without matching.
inline void ask_of_distance(Answers& answers) {
  answers.ask(
      "if it holds: does it look back at other places without repeats?",
      [](const auto& c) {
        return c.claim(interpret::kMatching).standing != interpret::Standing::holds ||
               c.claim(interpret::kComposition).standing != interpret::Standing::not_asked;
      },
      [](const auto&) { return "at the same, in segments of kPeriod tokens"; });
}

inline grader::Result examined(const Weights* w, const Weights& whole, const std::string& claim) {
  using interpret::Standing;
  Answers answers(w);
  answers.add("is anything changed?", w == nullptr || numbers_of(*w) != numbers_of(whole));
  for (const std::string& each : kClaims) {
    if (each == claim) break;
    answers.ask_of_claim(fmt::format("does \"{}\" still hold?", each), each, Standing::holds);
  }
  if (claim == interpret::kNecessity)
    answers.ask(
        "does the model still solve the task?",
        [](const auto& c) { return c.claim(interpret::kNecessity).standing != Standing::not_asked; },
        [](const auto& c) { return fmt::format("{:.2f} of its answers are right", c.accuracy); });
  if (claim == interpret::kComposition)
    ask_of_composition(answers, w);
  else
    answers.ask_of_claim(fmt::format("does \"{}\" fail?", claim), claim, Standing::fails);
  if (claim == interpret::kMatching) ask_of_distance(answers);
  return answers.all();
}

inline grader::Result result_of(BreakOne function, const Weights& whole, const std::string& claim) {
  if (function == as_it_should_be) return examined(nullptr, whole, claim);
  Weights w = whole;
  function(w, claim);
  return examined(&w, whole, claim);
}

}  // namespace headlight
