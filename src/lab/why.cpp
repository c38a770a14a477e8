// Why a head looks where it does, in the laboratory.
#include <algorithm>
#include <cmath>

#include "headlight/interpret/attribution.h"
#include "headlight/lab/lab.h"
#include "headlight/nn/one_sequence.h"

namespace headlight::lab {

Why Lab::why(const std::vector<std::int32_t>& tokens, const interpret::HeadAt& head, std::size_t query,
             std::size_t key) const {
  const nn::TransformerConfig& c = model().config();
  const IntArray batch = nn::one_sequence(tokens);
  const auto at = [&](std::size_t other) {
    return interpret::score_attribution(model(), batch, head, query, other);
  };
  const interpret::ScoreAttribution here = at(key);
  const std::size_t S = here.sources.size(),
                    first = c.window > 0 && query + 1 > c.window ? query + 1 - c.window : 0;
  Array mean = full_array({S, S}, 0);
  double mean_score = 0;
  const auto others = static_cast<double>(query - first);
  for (std::size_t other = first; other <= query; ++other) {
    if (other == key) continue;
    const interpret::ScoreAttribution there = at(other);
    mean_score += there.score / others;
    for (std::size_t i = 0; i < mean.size(); ++i)
      mean.data()[i] += there.terms.data()[i] / static_cast<Real>(others);
  }
  Why why{here.score, here.score - mean_score, {}};
  for (std::size_t i = 0; i < S; ++i)
    for (std::size_t j = 0; j < S; ++j)
      why.terms.push_back({here.sources[i].name, here.sources[j].name, here.key_from[j],
                           static_cast<double>(here.terms(i, j)),
                           static_cast<double>(here.terms(i, j) - mean(i, j))});
  std::stable_sort(why.terms.begin(), why.terms.end(),
                   [](const auto& a, const auto& b) { return std::abs(a.above) > std::abs(b.above); });
  return why;
}

}  // namespace headlight::lab
