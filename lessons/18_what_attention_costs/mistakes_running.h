// What people write in the place of part 2.
#pragma once

#include "mistakes.h"

namespace mistakes {

using AddBlock = std::function<Running(const Running&, const std::vector<double>&, const Array&)>;

// What add_block multiplies the sums so far by.
inline double shrink_of(const Made& made, double before, double block, double m) {
  return made("factor-inverted")       ? std::exp(m - before)
         : made("factor-of-the-block") ? std::exp(before - block)
         : made("block-to-maximum")    ? std::exp(block - m)
         : made("factor-is-the-power") ? std::exp(before)
                                       : std::exp(before - m);
}

inline double power_of(const Made& made, double s, double before, double block, double m) {
  const double from = made("powers-as-they-are")            ? 0
                      : made("powers-to-the-old-maximum")   ? before
                      : made("powers-to-the-block-maximum") ? block
                                                            : m;
  return made("powers-of-2") ? std::exp2(s - from) : std::exp(s - from);
}

inline Running added(const Made& made, const Running& before, std::vector<double> scores,
                     const Array& values) {
  if (made("hidden-as-0"))
    for (double& s : scores) s = s == -INFINITY ? 0 : s;
  double block = -INFINITY;
  for (const double s : scores) block = std::max(block, s);
  if (made("smallest-score")) block = *std::ranges::min_element(scores);
  if (made("hidden-block-forgets") && block == -INFINITY)
    return {-INFINITY, 0, std::vector<double>(before.o.size(), 0)};
  const double first = made("maximum-from-0") ? std::max(0.0, before.m) : before.m,
               m = made("maximum-of-the-block") ? block : std::max(first, block);
  if (m == -INFINITY && !made("hidden-block")) return before;
  const double shrink = shrink_of(made, before.m, block, m);
  const bool late = made("rescaled-afterwards"), none = made("not-rescaled");
  const bool each_l = made("rescaled-at-each-key"), each_o = each_l || made("o-rescaled-at-each-key");
  Running after{m, made("l-overwritten") ? 0 : before.l, before.o};
  if (made("o-overwritten")) std::ranges::fill(after.o, 0);
  if (made("as-in-flashattention-1") || made("o-rescaled-by-l-too"))
    for (double& o : after.o) o *= before.l;
  const auto rescale = [&](bool l, bool o) {
    if (l && !none && !made("l-not-rescaled")) after.l *= shrink;
    for (double& number : after.o)
      if (o && !none && !made("o-not-rescaled")) number *= shrink;
  };
  if (!late) rescale(!each_l, !each_o);
  const std::size_t begin = made("first-key-left-out") ? 1 : 0,
                    end = scores.size() - (made("last-key-left-out") ? 1 : 0);
  for (std::size_t j = begin; j < end; ++j) {
    if (made("stops-at-a-hidden-key") && scores[j] == -INFINITY) break;
    if (!late) rescale(each_l, each_o);
    const double power = power_of(made, scores[j], before.m, block, m);
    if (made("l-is-the-last-power")) after.l = 0;
    if (made("o-is-the-last-key")) std::ranges::fill(after.o, 0);
    if (!made("l-not-added-to")) after.l += made("l-counts-keys") ? 1 : power;
    for (std::size_t c = 0; c < after.o.size(); ++c)
      after.o[c] += (made("values-not-weighted") ? 1 : power) * values(j, c);
  }
  if (late) rescale(true, true);
  if (made("as-in-flashattention-1") || made("divided-by-l"))
    for (double& o : after.o) o /= after.l;
  if (made("maximum-not-kept")) after.m = before.m;
  if (made("block-maximum-returned")) after.m = block;
  if (made("log-sum-returned")) after.m += std::log(after.l);
  return after;
}

inline const std::vector<Slip> kSlipsOfAddBlock = {
    {"not-rescaled",
     "You never rescale. l and o are sums relative to the old maximum. If a block brings a larger one, both "
     "must be multiplied by e^(old maximum - new maximum).",
     kRow},
    {"stops-at-a-hidden-key",
     "You stop at the first hidden key. The keys behind it count: go on with the next one.", kHidden},
    {"l-not-rescaled",
     "You rescale o and not l. Both are sums of powers relative to the maximum, so both get the factor.",
     kRow},
    {"o-not-rescaled",
     "You rescale l and not o. Both are sums of powers relative to the maximum, so both get the factor.",
     kRow},
    {"factor-inverted",
     "Your factor is upside down: e^(new - old). The sums become smaller when the maximum grows: e^(old - "
     "new).",
     kRow},
    {"factor-of-the-block",
     "Your factor is e^(old maximum - largest score of the block). If the block has no larger score, the "
     "maximum stays, and the factor must be 1: e^(old - new).",
     kRow},
    {"block-to-maximum",
     "You multiply the old sums by e^(largest score of the block - new maximum). The old sums "
     "are relative to the old maximum: e^(old - new).",
     kRow},
    {"factor-is-the-power",
     "You multiply the old sums by e^(old maximum). The new maximum must be subtracted: e^(old - new).",
     kRow},
    {"rescaled-afterwards",
     "You rescale after you added the block. The powers of the block are relative to the new "
     "maximum already: rescale l and o first, then add.",
     kRow},
    {"rescaled-at-each-key",
     "You rescale inside the loop over the keys, once for each key. The maximum changes once for the block: "
     "rescale before the loop.",
     kRow},
    {"o-rescaled-at-each-key",
     "You rescale o inside the loop over the keys, once for each key. The maximum changes once "
     "for the block: rescale before the loop.",
     kRow},
    {"maximum-of-the-block",
     "Your new maximum is that of the block alone. It is the larger one of the old maximum and the block's: "
     "otherwise m can fall, and the factor overflows.",
     kRow},
    {"maximum-from-0",
     "Your maximum starts from 0, or from std::numeric_limits<double>::min(), which is a tiny "
     "positive number. Scores may all be negative: start from before.m, which is -INFINITY for "
     "no keys.",
     kRow},
    {"smallest-score", "You took the smallest score of the block for its maximum.", kRow},
    {"powers-as-they-are",
     "Your powers are e^score. They are relative to the maximum, e^(score - m), and overflow otherwise.",
     kRow},
    {"powers-to-the-old-maximum",
     "Your powers of the block are relative to the old maximum. Compute the new one first: e^(score - new "
     "maximum).",
     kRow},
    {"powers-to-the-block-maximum",
     "Your powers of the block are relative to its own largest score. All sums are relative to "
     "one number, the largest score so far: e^(score - new maximum).",
     kRow},
    {"powers-of-2", "You took powers of 2. A softmax has powers of e: std::exp.", kRow},
    {"l-overwritten",
     "You forgot the old l: l is the sum over all keys so far, so it is rescaled and then added to.", kRow},
    {"o-overwritten",
     "You forgot the old o: o is the sum over all keys so far, so it is rescaled and then added to.", kRow},
    {"l-not-added-to", "You rescale l and add nothing to it. It grows by the power of each key.", kRow},
    {"l-is-the-last-power",
     "Your l is the power of the last key: you wrote `=` where `+=` belongs. It is the sum of all.", kRow},
    {"o-is-the-last-key",
     "Your o has the last key only: you wrote `=` where `+=` belongs. It is the sum over all keys.", kRow},
    {"hidden-block-forgets",
     "If a whole block is hidden, you return a state that knows nothing. Then nothing changes: return "
     "before.",
     kRow},
    {"l-counts-keys", "Your l grows by 1 for each key. It is the sum of the powers e^(score - m).", kRow},
    {"values-not-weighted",
     "You added the values as they are. Each is multiplied by its power e^(score - m).", kRow},
    {"divided-by-l",
     "You divided o by l. The next block adds to o, so o stays undivided until all keys have come.", kRow},
    {"as-in-flashattention-1",
     "You keep o divided by l, multiply by the old l and divide by the new one, as FlashAttention's first "
     "algorithm does. Here o is the undivided sum, before and after.",
     kRow},
    {"o-rescaled-by-l-too",
     "You multiply the old o by the old l, too. o is not divided, so the factor e^(old - new) is enough.",
     kRow},
    {"hidden-block",
     "You get NaN where no key has counted so far: -∞ - (-∞). If the maximum is still -INFINITY, nothing is "
     "known, and nothing changes.",
     kRow},
    {"hidden-as-0",
     "A hidden key gets the score 0 in your code, and so a weight. With the score -INFINITY its power is 0.",
     kRow},
    {"first-key-left-out", "You left out the first key of the block.", kRow},
    {"last-key-left-out", "You left out the last key of the block.", kRow},
    {"maximum-not-kept",
     "You returned the old m. l and o are relative to the new maximum, so it must be kept with them.", kRow},
    {"block-maximum-returned",
     "You returned the largest score of the block for m. It is the largest score of all keys so far.", kRow},
    {"log-sum-returned",
     "Your m is m + log l. That is the log-sum-exp, which is wanted in part 4. Here m is the largest score.",
     kRow}};

inline std::vector<Mistake<AddBlock>> of_add_block() { return slips_of<AddBlock>(added, kSlipsOfAddBlock); }

}  // namespace mistakes
