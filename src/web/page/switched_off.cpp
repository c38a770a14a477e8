#include "switched_off.h"

#include <algorithm>
#include <cmath>

#include "compress.h"
#include "headlight/core/check.h"
#include "headlight/core/math.h"
#include "headlight/core/row_kernels.h"
#include "headlight/draw/color.h"

namespace headlight::page {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kByteVocabulary = 256;  // of tokens that take a byte

char byte_of(double probability) { return static_cast<char>(std::lround(draw::clamped(probability) * 255)); }

// The probabilities of the targets, 0 where the target is the likeliest token, whose probability is known.
std::string other_targets(const SwitchedOff& off, const std::vector<std::int32_t>& targets,
                          std::size_t width) {
  std::string bytes = off.targets;
  if (targets.empty()) return bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(off.tokens[at]); };
    const int token = width == 2 ? byte(2 * i) + 256 * byte(2 * i + 1) : byte(i);
    if (token == targets[i % targets.size()]) bytes[i] = 0;
  }
  return bytes;
}

}  // namespace

std::vector<std::vector<std::size_t>> switched_sets(std::size_t heads, std::size_t most) {
  constexpr std::size_t kMostBits = 16;
  check(most <= 2 || most == heads, "[report] expected sets of at most 1, 2 or all {} heads, got {}.", heads,
        most);
  std::vector<std::vector<std::size_t>> sets;
  if (most == heads) {
    check(heads <= kMostBits, "[report] every set of {} heads would be too many. Hint: at most 2.", heads);
    for (std::size_t bits = 0; bits < std::size_t{1} << heads; ++bits) {
      sets.emplace_back();
      for (std::size_t h = 0; h < heads; ++h)
        if ((bits >> h & 1U) != 0) sets.back().push_back(h);
    }
    return sets;
  }
  sets.emplace_back();
  for (std::size_t h = 0; most >= 1 && h < heads; ++h) sets.push_back({h});
  for (std::size_t i = 0; most >= 2 && i < heads; ++i)
    for (std::size_t j = i + 1; j < heads; ++j) sets.push_back({i, j});
  return sets;
}

void SwitchedOff::add(const Array& logits, const std::vector<std::int32_t>& wanted,
                      const std::vector<bool>& predictable) {
  const std::size_t vocab = logits.shape()[2];
  check(vocab <= kMostSwitchedVocabulary, "[SwitchedOff] expected at most {} tokens, got {}.",
        kMostSwitchedVocabulary, vocab);
  const bool any = std::find(predictable.begin(), predictable.end(), true) != predictable.end();
  double loss = 0;
  std::size_t counted = 0;
  for (std::size_t t = 0; t < logits.shape()[1]; ++t) {
    const Real* row = logits.data() + t * vocab;
    const kernels::SoftmaxSum sum = kernels::softmax_sum_row(row, vocab);
    const auto cost_of = [&](Real logit) {
      return static_cast<double>(kernels::minus_log_softmax(sum, logit));
    };
    check(std::isfinite(cost_of(sum.max)),
          "the predictions without a head are not finite: the parameters are too large.");
    const std::size_t best = kernels::argmax_row(row, vocab);
    tokens += static_cast<char>(best & 0xffU);
    if (vocab > kByteVocabulary) tokens += static_cast<char>(best >> 8U);
    likeliest += byte_of(math::exp(-cost_of(row[best])));
    const std::int32_t target = t < wanted.size() ? wanted[t] : tasks::kNoTarget;
    const double cost = target < 0 ? 0 : cost_of(row[target]);
    targets += target < 0 ? '\0' : byte_of(math::exp(-cost));
    if (target < 0 || (any && !predictable[t])) continue;
    loss += cost;
    ++counted;
  }
  if (counted > 0) losses.push_back(loss / static_cast<double>(counted));
}

ordered_json switched_off_json(const SwitchedOff& off, const run::Example& example, std::size_t heads,
                               std::size_t most) {
  const std::size_t width = off.tokens.size() / off.likeliest.size();  // bytes of a token
  ordered_json losses = ordered_json::array();
  for (const double loss : off.losses) losses.push_back(std::round(loss * 1e4) / 1e4);
  // The set that is most like one of all: that with the same heads of the first half of the layers.
  const std::size_t back = example.tokens.size() * (most == heads ? std::size_t{1} << heads / 2 : 1);
  return {{"tokens", compressed_json(off.tokens, back * width)},
          {"likeliest", compressed_json(off.likeliest, back)},
          {"targets", compressed_json(other_targets(off, example.targets, width), back)},
          {"losses", std::move(losses)}};
}

}  // namespace headlight::page
