// What people write in the place of part 1, and what is wrong with it. Each function of these files is the
// right one, with the mistakes as switches.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "blocks.h"
#include "exercise.h"
#include "grader/slips.h"

namespace mistakes {

using grader::Made, grader::Mistake, grader::Slip, grader::slips_of;

inline constexpr const char *kTerms = "Two terms", *kPattern = "The quadratic pattern",
                            *kRow = "One row in blocks", *kRows = "All rows in blocks",
                            *kHidden = "Blocks that a mask hides";

using CostOfBlock = std::function<BlockCost(std::size_t, std::size_t, std::size_t, std::size_t)>;

// In 64 bits, because the search for the crossing goes further than the 32 of a std::size_t in a page.
using Count = std::uint64_t;

// Multiply-adds for each token, and for each query with its keys. A mistake in one of them may be in the
// crossing too, which is a slip of its own with this behind its name.
inline const std::string kToo = "-and-crossing";

using Makes = std::function<bool(const std::string&)>;

inline Count per_token(const Makes& made, Count d, Count h, Count w) {
  const Count projections = made("one-projection")              ? d * d
                            : made("without-W_O")               ? 3 * d * d
                            : made("projections-of-every-head") ? 4 * d * d * h
                            : made("projections-of-one-head")   ? 4 * d * d / h
                            : made("projections-forgotten")     ? 0
                                                                : 4 * d * d,
              mlp = made("mlp-forgotten")          ? 0
                    : made("mlp-once")             ? d * w
                    : made("mlp-squared")          ? 2 * w * w
                    : made("mlp-as-wide-as-usual") ? 8 * d * d
                    : made("mlp-three-matrices")   ? 3 * d * w
                                                   : 2 * d * w;
  return projections + mlp;
}

inline Count visible(const Makes& made, Count n) {
  return made("hidden-pairs-too")   ? n * n
         : made("half-of-all")      ? n * n / 2
         : made("without-itself")   ? n * (n - 1) / 2
         : made("pairs-twice-over") ? n * (n + 1)
                                    : n * (n + 1) / 2;
}

inline Count per_pair(const Makes& made, Count n, Count d, Count h) {
  const Count width = made("scores-only")            ? d
                      : made("width-of-one-head")    ? 2 * d / h
                      : made("full-width-per-head")  ? 2 * d * h
                      : made("projections-of-pairs") ? 2 * d * d
                      : made("softmax-too")          ? 2 * d + h
                                                     : 2 * d;
  return visible(made, n) * width;
}

inline BlockCost counted(const Made& made, Count n, Count d, Count h, Count w) {
  const Makes too = [&](const std::string&name) { return made(name + kToo); },
              either = [&](const std::string&name) { return made(name) || too(name); };
  const Count one = per_token(either, d, h, w), twice = made("counted-twice") ? 2 : 1;
  BlockCost cost{};
  cost.per_token = twice * (made("of-one-token") ? one : n * one);
  cost.per_pair = twice * per_pair(either, n, d, h);
  cost.pattern = made("pattern-of-one-head")          ? n * n
                 : made("visible-pattern")            ? h * visible(either, n)
                 : made("pattern-times-width")        ? n * n * d
                 : made("pattern-not-squared")        ? h * n
                 : made("pattern-in-bytes")           ? 4 * h * n * n
                 : made("pattern-in-bytes-of-double") ? 8 * h * n * n
                                                      : h * n * n;
  std::size_t& crossing = cost.crossing;
  for (Count below = 0, most = Count{1} << 24; below + 1 < most;) {  // halves what is left
    const Count middle = (below + most) / 2;
    (per_pair(too, middle, d, h) < middle * per_token(too, d, h, w) ? below : most) = middle;
    crossing = most;
  }
  if (made("crossing-of-the-text")) crossing = 2 * d;
  if (made("crossing-without-mlp")) crossing = 4 * d - 1;
  if (made("crossing-without-mlp-rounded")) crossing = 4 * d;
  if (made("crossing-with-hidden-pairs")) crossing = 2 * d + w;
  if (made("crossing-at-n")) crossing = n;
  if (made("crossing-two-late")) crossing += 2;
  if (made("crossing-one-late")) ++crossing;
  if (made("crossing-one-early")) --crossing;
  if (made("pairs-first")) std::swap(cost.per_token, cost.per_pair);
  if (made("both-together")) cost.per_token += cost.per_pair;
  const auto wrapped = [&](std::size_t x) {
    return static_cast<std::size_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(x)));
  };
  if (made("in-32-bits"))
    for (std::size_t* x : {&cost.per_token, &cost.per_pair, &cost.pattern}) *x = wrapped(*x);
  return cost;
}

inline const std::vector<Slip> kSlipsOfCounts = {
    {"one-projection",
     "You counted one matrix of attention. There are four, W_Q, W_K, W_V and W_O, each d·d: 4d² for a token.",
     kTerms},
    {"without-W_O",
     "You counted 3d² for the projections. W_O multiplies every token too, so there are four: 4d².", kTerms},
    {"projections-of-every-head",
     "You multiplied the projections by h. The h heads share the width: each has d/h columns, so all "
     "together the four matrices have 4d² numbers.",
     kTerms},
    {"projections-of-one-head",
     "You counted the projections of one head. There are h of them, each of width d/h: 4d² together.",
     kTerms},
    {"projections-forgotten",
     "You left the projections out of per_token. Each token meets W_Q, W_K, W_V and W_O: 4d².", kTerms},
    {"mlp-forgotten", "You left the MLP out. Its two matrices cost d·w each for a token.", kTerms},
    {"mlp-once", "You counted one matrix of the MLP. There are two, (d,w) and (w,d): 2dw for a token.",
     kTerms},
    {"mlp-squared", "You counted 2w² for the MLP. Its matrices are (d,w) and (w,d): 2dw for a token.",
     kTerms},
    {"mlp-as-wide-as-usual",
     "You took 4d for the width of the MLP, which makes 8d². Here its width is w: 2dw for a token.", kTerms},
    {"mlp-three-matrices", "You counted three matrices of the MLP. There are two: 2dw for a token.", kTerms},
    {"hidden-pairs-too",
     "You counted all n² pairs. Query i sees the keys 0 … i only, and nothing is computed for the others: "
     "n(n + 1)/2 pairs.",
     kHidden},
    {"half-of-all",
     "You counted n²/2 pairs. Each query also sees its own position: 1 + 2 + … + n = n(n + 1)/2.", kHidden},
    {"without-itself", "You counted n(n - 1)/2 pairs. Each query also sees its own position: n(n + 1)/2.",
     kHidden},
    {"pairs-twice-over",
     "You counted n(n + 1) pairs. 1 + 2 + … + n is half of that; then each pair costs 2d.", kHidden},
    {"scores-only",
     "You counted d for each pair. There are two products, the score and the part in the mean, each of d/h "
     "multiply-adds in each of h heads: 2d.",
     kTerms},
    {"width-of-one-head",
     "You counted the pairs of one head, of width d/h. All h heads together cost 2d for each pair.", kTerms},
    {"full-width-per-head",
     "You gave each head the full width d. A head has d/h columns, so h heads cost 2d for each pair.",
     kTerms},
    {"projections-of-pairs",
     "You counted 2d² for each pair. A score is one dot product of width d/h in each head, so a pair costs "
     "2d.",
     kTerms},
    {"softmax-too", "You counted the softmax as well. Only matrix products count: 2d for each pair.",
     kTerms}};

inline const std::vector<Slip> kSlipsOfBlockCost = {
    {"of-one-token", "Your per_token is that of a single token. All n tokens meet the matrices.", kTerms},
    {"counted-twice",
     "You counted multiplications and additions apart. A multiply-add is one of each, counted as one.",
     kTerms},
    {"pattern-of-one-head", "You counted the pattern of one head. Each of the h heads has its own: h·n².",
     kPattern},
    {"visible-pattern",
     "You left the hidden keys out of `pattern`. The patterns are kept whole here, with a 0 for each hidden "
     "key: h·n².",
     kPattern},
    {"pattern-times-width",
     "Your `pattern` has the width in it. A weight is one number, whatever the width: h·n².", kPattern},
    {"pattern-not-squared", "Your `pattern` has n numbers for each head. Each query has a row of n: h·n².",
     kPattern},
    {"pattern-in-bytes", "You gave the bytes of the patterns. `pattern` is how many numbers they have.",
     kPattern},
    {"pattern-in-bytes-of-double",
     "You gave the bytes of the patterns in double. `pattern` is how many numbers they have.", kPattern},
    {"crossing-of-the-text",
     "Your crossing is the 2d of the text. That is without MLP and without a mask. Set your "
     "per_pair equal to your per_token.",
     kTerms},
    {"crossing-without-mlp",
     "Your crossing leaves the MLP out. n(n + 1)d must reach n(4d² + 2dw), so n + 1 = 4d + 2w.", kTerms},
    {"crossing-without-mlp-rounded",
     "Your crossing leaves the MLP out and takes n² for n(n + 1). n(n + 1)d must reach n(4d² + "
     "2dw), so n + 1 = 4d + 2w.",
     kTerms},
    {"crossing-with-hidden-pairs",
     "Your crossing counts hidden pairs. Of n² only n(n + 1)/2 are computed: n(n + 1)d must reach n(4d² + "
     "2dw).",
     kHidden},
    {"crossing-at-n", "Your crossing is n itself. It does not depend on n: it is a length to compare n with.",
     kTerms},
    {"crossing-one-late",
     "Your crossing is one too high. Either you asked for more where equal is enough, or you took n² for n(n "
     "+ 1): n + 1 = 4d + 2w.",
     kTerms},
    {"crossing-two-late",
     "Your crossing is two too high, as n - 1 = 4d + 2w would give it. A query sees its own position too: "
     "n(n + 1)/2 pairs, and n + 1 = 4d + 2w.",
     kTerms},
    {"crossing-one-early", "Your crossing is one too low: there per_pair is still smaller than per_token.",
     kTerms},
    {"pairs-first", "You returned per_pair first. The order is per_token, per_pair, pattern, crossing.",
     kTerms},
    {"both-together",
     "Your per_token includes per_pair. It is only what each token costs by meeting matrices of weights.",
     kTerms},
    {"in-32-bits",
     "You counted in an int. For long sequences the count does not fit into 32 bits: use std::size_t "
     "throughout.",
     kTerms}};

inline std::vector<Mistake<CostOfBlock>> of_block_cost() {
  std::vector<Slip> slips = kSlipsOfCounts;
  for (const auto& [name, sentence, read] : kSlipsOfCounts)
    slips.push_back({name + kToo, sentence + " Your crossing has the same mistake.", read});
  slips.insert(slips.end(), kSlipsOfBlockCost.begin(), kSlipsOfBlockCost.end());
  return slips_of<CostOfBlock>(counted, slips);
}

}  // namespace mistakes
