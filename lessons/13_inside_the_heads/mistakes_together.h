// Mistakes that people make together in parts 1 to 3 of exercise 13.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "mistakes_paths.h"

namespace mistakes {

using grader::Together;

// ---- Part 1: what stands in the head's place, and which heads change ----

inline constexpr std::array kMeans{"mean-over-positions",       "one-mean-for-all-positions",
                                   "mean-of-the-run-itself",    "mean-over-heads",
                                   "one-sequence-for-the-mean", "sum-for-the-mean"};
inline constexpr std::array kPlaces{"all-heads", "all-but-this-head", "added-to-the-output"};

template <std::size_t which>
Tensor wrong_mean(const Tensor& z, const Tensor& reference) {
  if (which == 0) return slice(mean(reference, {1}, true), 0, 0, 1);
  if (which == 1) return mean(reference, {0, 1}, true);
  if (which == 2) return mean(z, {0}, true);
  if (which == 3) return mean(reference, {0, 2}, true);
  if (which == 4) return slice(reference, 0, 0, 1);
  return sum(reference, {0}, true);
}

template <std::size_t which, std::size_t place>
Tensor ablated_with(const Tensor& z, const Tensor& reference, std::size_t head) {
  const Tensor instead = wrong_mean<which>(z, reference);
  if (place == 0) return z * 0 + instead;
  if (place == 1) return z + (1 - only(z, head)) * (instead - z);
  return z + only(z, head) * instead;
}

template <std::size_t... codes>
std::vector<Together<MeanAblated>> ablated_of(std::index_sequence<codes...>) {
  return {{{kMeans[codes / 3], kPlaces[codes % 3]}, ablated_with<codes / 3, codes % 3>}...};
}
inline std::vector<Together<MeanAblated>> together_in_mean_ablated() {
  return ablated_of(std::make_index_sequence<18>());
}

// ---- Part 2: what stands in the heads' places, the positions that count, and the difference ----

inline constexpr std::array kInstead{"", "zero-for-the-mean", "reference-from-the-ablated-run"};
inline constexpr std::array kPositions{"", "all-positions", "unpredictable-positions"};
inline constexpr std::array kDifferences{"", "fall-for-rise", "loss-for-rise"};

template <std::size_t instead, std::size_t positions, std::size_t difference>
double rise_with(const nn::Transformer& model, const tasks::Batch& batch, const Heads& heads) {
  const auto put_there = [](const Tensor& z, const Tensor& reference, std::size_t head) {
    return put(z, instead == 1 ? z * 0 : mean(instead == 2 ? z : reference, {0}, true), head);
  };
  const auto loss = [&](const Tensor& logits) {
    return static_cast<double>(loss_on(logits, batch, positions != 2, positions == 1).item());
  };
  const double ablated = loss(logits_without(model, batch, heads, put_there));
  if (difference == 2) return ablated;
  const double intact = loss(interpret::run_with_hooks(model, batch.tokens, {}));
  return difference == 1 ? intact - ablated : ablated - intact;
}

template <std::size_t code>
void add_rise(std::vector<Together<LossRise>>& all) {
  constexpr std::size_t instead = code / 9, positions = code / 3 % 3, difference = code % 3;
  std::vector<std::string> names;
  for (const char* name : {kInstead[instead], kPositions[positions], kDifferences[difference]})
    if (*name != 0) names.emplace_back(name);
  if (names.size() > 1) all.push_back({names, rise_with<instead, positions, difference>});
}
template <std::size_t... codes>
std::vector<Together<LossRise>> rises_of(std::index_sequence<codes...>) {
  std::vector<Together<LossRise>> all;
  (add_rise<codes>(all), ...);
  return all;
}
inline std::vector<Together<LossRise>> together_in_loss_rise() {
  return rises_of(std::make_index_sequence<27>());
}

// ---- Part 3: the inputs that see the change, and the heads ----

inline constexpr std::array kInputs{"into-queries", "into-values", "leaks-into-queries-and-values",
                                    "leaks-into-values"};
inline constexpr std::array kPathHeads{"all-receivers", "all-senders", "heads-exchanged",
                                       "whole-stream-of-the-others", "runs-exchanged"};

template <std::size_t inputs, std::size_t heads>
Tensor patched_with(const nn::Transformer& m, const IntArray& tokens, const IntArray& others, std::size_t s,
                    std::size_t r) {
  const std::vector<std::string> into = inputs == 0   ? std::vector<std::string>{kQueries}
                                        : inputs == 1 ? std::vector<std::string>{kValues}
                                        : inputs == 2 ? std::vector<std::string>{kQueries, kKeys, kValues}
                                                      : std::vector<std::string>{kKeys, kValues};
  if (heads == 0) return receiving(m, tokens, tokens, sending(m, others, {s}), into, {});
  if (heads == 1) return receiving(m, tokens, tokens, sending(m, others, {}), into, {r});
  if (heads == 2) return receiving(m, tokens, tokens, sending(m, others, {r}), into, {s});
  if (heads == 3) return receiving(m, tokens, others, {}, into, {r});
  return receiving(m, others, others, sending(m, tokens, {s}), into, {r});
}

template <std::size_t... codes>
std::vector<Together<KeysPatched>> patched_of(std::index_sequence<codes...>) {
  return {{{kInputs[codes / 5], kPathHeads[codes % 5]}, patched_with<codes / 5, codes % 5>}...};
}
inline std::vector<Together<KeysPatched>> together_in_keys_patched() {
  std::vector<Together<KeysPatched>> all = patched_of(std::make_index_sequence<20>());
  all.push_back(
      {{"all-receivers", "all-senders"},
       [](const nn::Transformer& m, const IntArray& tokens, const IntArray& others, std::size_t,
          std::size_t) { return receiving(m, tokens, tokens, sending(m, others, {}), {kKeys}, {}); }});
  return all;
}

}  // namespace mistakes
