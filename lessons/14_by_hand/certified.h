// What lesson 14 asks of a model: the claims of the certificate, and how its two heads compose.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "headlight/core/thread_pool.h"
#include "headlight/interpret/certificate.h"
#include "headlight/interpret/circuits.h"
#include "headlight/nn/by_hand.h"
#include "headlight/tasks/task.h"
#include "lesson_program.h"
#include "progress.h"

namespace headlight::lesson {

// One line of a table: a mark and a number for each claim, and the accuracy.
inline std::string claims_of(const interpret::Certificate& c) {
  std::string line;
  for (const interpret::Claim& claim : c.claims) {
    if (claim.key == interpret::kOrder) continue;
    const char* mark = claim.standing == interpret::Standing::holds   ? "✓"
                       : claim.standing == interpret::Standing::fails ? "✗"
                                                                      : "–";
    line += claim.number ? fmt::format("   {} {:4.2f}     ", mark, *claim.number)
                         : fmt::format("   {}          ", mark);
  }
  return line + fmt::format("  {:.2f}", c.accuracy);
}

inline const std::vector<std::pair<const char*, nn::Broken>> kBroken = {
    {"no copying", nn::Broken::copying},
    {"no matching", nn::Broken::matching},
    {"position only", nn::Broken::position_only},
    {"through queries", nn::Broken::through_queries}};

// The composition score of the two heads.
inline interpret::Composition keys_of(const nn::Transformer& model) {
  for (const interpret::Composition& c : interpret::compositions(model))
    if (c.from == interpret::HeadAt{0, 0} && c.to == interpret::HeadAt{1, 0}) return c;
  fail("the model has no such heads.");
}

// Certifies models, one after the other, and prints a line for each.
class Certifying {
 public:
  explicit Certifying(std::size_t models) : progress_(fmt::format("certifying {} models", models), models) {}

  void operator()(const char* name, const nn::Transformer& model, const tasks::Task& task) {
    const interpret::Certificate c = interpret::certify(model, task, Rng(0), pool_);
    progress_.step();
    say("  {:<18}{}", name, claims_of(c));
  }

 private:
  Progress progress_;
  ThreadPool pool_;
};

}  // namespace headlight::lesson
