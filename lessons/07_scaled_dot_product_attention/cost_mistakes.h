// What people write in the place of the part about the cost of attention.
#pragma once

#include "mistakes.h"

namespace mistakes {

using MultiplyAdds = std::function<std::uint64_t(std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t)>;

// Twice the number of pairs of a query and a key.
inline std::uint64_t pairs_twice(const Made& made, std::uint64_t n, std::uint64_t m) {
  const std::uint64_t all = 2 * n * m, ends = 2 * m - n + 1;
  std::uint64_t pairs = made("all-keys")                   ? all
                        : made("half-of-all")              ? n * m
                        : made("half-of-all-rounded")      ? n * m / 2 * 2
                        : made("wrong-corner")             ? n * (n + 1)
                        : made("keys-for-queries")         ? m * (m + 1)
                        : made("every-query-as-the-first") ? 2 * n * (m - n + 1)
                        : made("mean-rounded")             ? n * (ends / 2) * 2
                        : made("queries-halved")           ? n / 2 * ends * 2
                        : made("triangle-rounded")         ? 2 * (n * (m - n) + n * n / 2)
                        : made("half-of-itself-rounded")   ? n * ((2 * m - n) / 2) * 2
                        : made("n-by-n")                   ? 2 * n * n
                        : made("last-query-sees-n")        ? n * (m + 1)
                        : made("earlier-keys-only")        ? 2 * n * (m - n)
                        : made("one-query-too-many")       ? (n + 1) * (ends + 1)
                                                           : n * ends;
  if (made("not-itself")) pairs -= 2 * n;
  if (made("half-of-itself")) pairs -= n;
  if (made("one-ahead")) pairs += 2 * n;
  return made("hidden-keys") ? all - pairs : pairs;
}

inline std::uint64_t counted(const Made& made, std::uint64_t n, std::uint64_t m, std::uint64_t d_k,
                             std::uint64_t d_v) {
  const std::uint64_t pairs = pairs_twice(made, n, m), all = 2 * n * m;
  const std::uint64_t count = made("scores-only")              ? pairs * d_k
                              : made("outputs-only")           ? pairs * d_v
                              : made("pairs-only")             ? pairs
                              : made("scores-skipped-only")    ? pairs * d_k + all * d_v
                              : made("outputs-skipped-only")   ? all * d_k + pairs * d_v
                              : made("values-as-wide-as-keys") ? pairs * 2 * d_k
                              : made("keys-as-wide-as-values") ? pairs * 2 * d_v
                              : made("widths-multiplied")      ? pairs * d_k * d_v
                              : made("softmax-too")            ? pairs * (d_k + d_v + 1)
                                                               : pairs * (d_k + d_v);
  const std::uint64_t once = made("counted-twice") ? count : count / 2;
  return made("in-32-bits") ? once % (std::uint64_t{1} << 32) : once;
}

inline constexpr const char* kHalf =
    "You counted n/2 pairs too few: a triangle of n queries is n(n + 1)/2 pairs, not n·n/2. The mean of "
    "the first query's m - n + 1 keys and the last one's m keys is (2m - n + 1)/2.";

inline const std::vector<Slip> kSlipsOfMultiplyAdds = {
    {"all-keys",
     "You counted all n·m pairs of a query and a key. Those that the causal mask hides are skipped here.",
     kCost},
    {"half-of-all",
     "You counted half of n·m pairs. Each query also sees its own position, and with n < m far more than "
     "half is visible. Add up how many keys query 0, query 1 and so on see.",
     kCost},
    {"half-of-all-rounded",
     "You counted half of n·m pairs, rounded down. Each query also sees its own position, and with n < m "
     "far more than half is visible. Add up how many keys query 0, query 1 and so on see.",
     kCost},
    {"wrong-corner",
     "You counted n(n + 1)/2 pairs, as if query 0 saw one key. The queries are the last n of m positions: "
     "query 0 sees m - n + 1 keys.",
     kMasks},
    {"earlier-keys-only",
     "You counted n(m - n) pairs, those with the keys before the first query. The queries also see each "
     "other: query i sees i + 1 more.",
     kMasks},
    {"one-query-too-many",
     "You counted one query too many, with m + 1 keys. The last query is number n - 1 and sees m keys.",
     kMasks},
    {"keys-for-queries",
     "You counted m(m + 1)/2 pairs, as if each key had a query. There are n queries, the last n of m "
     "positions.",
     kMasks},
    {"triangle-rounded", kHalf, kMasks},
    {"every-query-as-the-first",
     "You let every query see m - n + 1 keys. That is what the first one sees; each later one sees one "
     "more.",
     kMasks},
    {"last-query-sees-n",
     "You let the last query see n keys. It stands at the last of the m keys and sees them all: the first "
     "sees m - n + 1, the last m.",
     kMasks},
    {"mean-rounded",
     "You rounded the mean number of visible keys down: (2m - n + 1)/2 of whole numbers drops a half. "
     "Multiply by n first, then divide by 2.",
     kCost},
    {"queries-halved",
     "You rounded n/2 down: of whole numbers it drops a half. Multiply first, then divide by 2.", kCost},
    {"hidden-keys",
     "You counted n(n - 1)/2 pairs. That is how many the mask hides, and the visible ones are computed: "
     "query 0 sees m - n + 1 keys, its own position among them.",
     kMasks},
    {"scores-only", "You counted q kᵀ only. The second product, pattern · v, costs d_v more for each pair.",
     kCost},
    {"outputs-only", "You counted pattern · v only. The first product, q kᵀ, costs d_k more for each pair.",
     kCost},
    {"pairs-only",
     "You counted the pairs of a query and a key. For each pair, q kᵀ does d_k multiplications "
     "and pattern · v does d_v.",
     kCost},
    {"scores-skipped-only",
     "You skipped hidden keys in q kᵀ only. Their weights are 0, so pattern · v skips them too.", kCost},
    {"outputs-skipped-only",
     "You skipped hidden keys in pattern · v only. Nobody needs their scores, so q kᵀ skips them too.",
     kCost},
    {"counted-twice",
     "You counted multiplications and additions apart. Here a multiplication with its addition is one.",
     kCost},
    {"values-as-wide-as-keys",
     "You counted 2·d_k for each pair. The second product has the width of the values, and a "
     "multiplication with its addition counts as one: d_k + d_v for each pair.",
     kCost},
    {"keys-as-wide-as-values",
     "You counted 2·d_v for each pair. The first product has the width of the keys, and a multiplication "
     "with its addition counts as one: d_k + d_v for each pair.",
     kCost},
    {"widths-multiplied",
     "You multiplied the costs of the two products. One follows the other, so they add up.", kCost},
    {"softmax-too",
     "You counted one more for each pair, as for the softmax. Only the two matrix products count: d_k + "
     "d_v for each pair.",
     kCost},
    {"in-32-bits",
     "You counted in an int. For long sequences the count does not fit into 32 bits: use std::uint64_t "
     "throughout.",
     kCost},
    {"not-itself",
     "You left out each query's own position. The causal mask lets a query look at itself: query 0 sees "
     "m - n + 1 keys.",
     kMasks},
    {"one-ahead",
     "You let each query see one key too many. The last query sees m keys, and the first m - n + 1.", kMasks},
    {"half-of-itself", kHalf, kMasks},
    {"half-of-itself-rounded", kHalf, kMasks}};

inline std::vector<Mistake<MultiplyAdds>> of_multiply_adds() {
  std::vector<Mistake<MultiplyAdds>> bank = slips_of<MultiplyAdds>(counted, kSlipsOfMultiplyAdds);
  // With another one this would give the numbers of two that are more likely.
  bank.push_back(
      {"n-by-n", "You counted n·n pairs. There are m keys, and those that the causal mask hides are skipped.",
       kCost, std::bind_front(counted, Made{{"n-by-n"}})});
  return bank;
}

}  // namespace mistakes
