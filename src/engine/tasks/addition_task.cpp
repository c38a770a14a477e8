#include "headlight/core/check.h"
#include "headlight/tasks/toy_tasks.h"
#include "losses.h"

namespace headlight::tasks {
namespace {

constexpr std::uint64_t kSplitSeed = 97;

// "a + b =": the numbers are tokens 0 … modulus-1, then come "+" and "=".
Sequence sum_of(std::size_t modulus, std::int32_t pair) {
  const auto p = static_cast<std::int32_t>(modulus);
  const std::int32_t a = pair / p, b = pair % p;
  Sequence s{{a, p, b, p + 1}, {kNoTarget, kNoTarget, kNoTarget, (a + b) % p}};
  s.note = fmt::format("a sum modulo {}", modulus);
  return s;
}

Generator sums(std::size_t modulus, std::vector<std::int32_t> pairs) {
  return [modulus, pairs = std::move(pairs)](Rng& rng) {
    return sum_of(modulus, pairs[rng.below(pairs.size())]);
  };
}

Vocabulary numbers_and_signs(std::size_t modulus) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < modulus; ++i) texts.push_back(std::to_string(i));
  texts.insert(texts.end(), {"+", "="});
  return Vocabulary(std::move(texts));
}

}  // namespace

Task addition_task(const TaskConfig& config) {
  constexpr std::size_t kMost = 1000;  // all pairs are listed
  TaskConfig c = config;
  check(c.modulus >= 2 && c.modulus <= kMost, "the modulus must be 2 … {}, got {}.", kMost, c.modulus);
  c.d_vocab = c.modulus + 2;
  c.n_ctx = 4;
  const std::size_t all = c.modulus * c.modulus, unseen = all * 3 / 10;
  const std::vector<std::int32_t> pairs = Rng(kSplitSeed).stream("sums").distinct(all, all);
  const auto middle = pairs.begin() + static_cast<std::ptrdiff_t>(unseen);
  return {
      .config = c,
      .vocabulary = numbers_and_signs(c.modulus),
      .training = sums(c.modulus, {middle, pairs.end()}),
      .held_out = sums(c.modulus, {pairs.begin(), middle}),
      .trained_on = fmt::format("70 % of all sums modulo {}", c.modulus),
      .words = {fmt::format(
                    "The model reads two numbers, as in \"3 + 5 =\", and must say their sum modulo {}.",
                    c.modulus),
                "The answer is a + b, less the modulus if the sum reaches it.",
                "Success is an *accuracy* of at least 90 %, also on sums that were *held out*.",
                "Sums of the training set can be learned by heart. Held-out accuracy tells when the model "
                "adds; with strong weight decay it may rise long after the training loss has fallen.",
                "add two numbers"},
      .sees_ahead = true,
      .best_loss = no_losses};
}

}  // namespace headlight::tasks
