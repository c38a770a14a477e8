#include "counting.h"

#include <memory>
#include <unordered_map>

#include "headlight/core/math.h"

namespace headlight::tasks {
namespace {

// How often each token and each pair of neighbours occurs.
struct Counts {
  double tokens = 0;
  std::unordered_map<std::int32_t, double> single;
  std::unordered_map<std::uint64_t, double> pairs;

  static std::uint64_t pair(std::int32_t first, std::int32_t second) {
    return static_cast<std::uint64_t>(first) << 32U | static_cast<std::uint32_t>(second);
  }
  template <class Map, class Key>
  static double in(const Map& counts, Key key) {
    const auto found = counts.find(key);
    return found == counts.end() ? 0 : found->second;
  }
};

Counts counts_of(const std::vector<std::int32_t>& tokens) {
  Counts counts;
  counts.tokens = static_cast<double>(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    ++counts.single[tokens[i]];
    if (i > 0) ++counts.pairs[Counts::pair(tokens[i - 1], tokens[i])];
  }
  return counts;
}

}  // namespace

std::vector<Reference> counting_predictors(const std::vector<std::int32_t>& tokens, std::size_t d_vocab) {
  const auto counts = std::make_shared<const Counts>(counts_of(tokens));
  const auto single = [counts, d_vocab](std::int32_t b) {
    return (Counts::in(counts->single, b) + 1) / (counts->tokens + static_cast<double>(d_vocab));
  };
  const auto losses = [](const Sequence& s, const auto& probability) {
    std::vector<double> all;
    for (std::size_t t = 0; t < s.tokens.size(); ++t)
      all.push_back(-math::log(probability(s.tokens[t], s.targets[t])));
    return all;
  };
  return {
      {"single characters",
       [=](const Sequence& s) { return losses(s, [&](std::int32_t, std::int32_t b) { return single(b); }); }},
      {"pairs of characters", [=](const Sequence& s) {
         return losses(s, [&](std::int32_t a, std::int32_t b) {
           return (Counts::in(counts->pairs, Counts::pair(a, b)) + single(b)) /
                  (Counts::in(counts->single, a) + 1);
         });
       }}};
}

}  // namespace headlight::tasks
