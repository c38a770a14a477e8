// What people get wrong in parts 1 and 2 of exercise 19: the tree, and the division into shards.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "grader/slips.h"

namespace mistakes {

using grader::Made, grader::Slip;
using Numbers = std::vector<double>;
using Bounds = std::vector<std::size_t>;
using TreeSum = std::function<double(const Numbers&)>;
using ShardBounds = std::function<Bounds(std::size_t, std::size_t)>;

inline constexpr const char *kOrders = "A thousand numbers in a thousand orders",
                            *kBounds = "How large the error can be", *kFirst = "First come, first added",
                            *kTree = "Shards and the fixed tree", *kFaster = "How much faster";

// ---- Part 1 ----

inline double in_turn(const Numbers& x) {
  double sum = 0;
  for (const double each : x) sum += each;
  return sum;
}

inline double compensated(const Numbers& x) {
  double sum = 0, lost = 0;
  for (const double each : x) {
    const double more = each - lost, next = sum + more;
    lost = (next - sum) - more;
    sum = next;
  }
  return sum;
}

// Halves of a half, as far as they go.
inline double of_halves(const Numbers& x, bool larger_half_first) {
  if (x.size() < 2) return x.empty() ? 0 : x[0];
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>((x.size() + (larger_half_first ? 1 : 0)) / 2);
  return of_halves({x.begin(), middle}, larger_half_first) + of_halves({middle, x.end()}, larger_half_first);
}

// The sums of one level of the tree. What stays alone goes into `aside` if it does not move up.
inline Numbers next_level(const Made& made, const Numbers& x, Numbers& aside) {
  const std::size_t n = x.size(), half = (n + 1) / 2;
  Numbers next;
  if (made("far-partners") || made("ends-inward")) {
    for (std::size_t i = 0; i < n / 2; ++i)
      next.push_back(x[i] + x[made("far-partners") ? i + half : n - 1 - i]);
    if (n % 2 == 1) next.push_back(x[n / 2]);
    return next;
  }
  std::size_t i = 0;
  if ((made("pairs-from-the-end") && n % 2 == 1) || (made("begins-with-the-second") && n > 2))
    next.push_back(x[i++]);
  const bool half_away = made("partners-half-away");  // and the last one alone, where there is one
  for (; i + 1 < n; i += 2) next.push_back(half_away ? x[i / 2] + x[i / 2 + n / 2] : x[i] + x[i + 1]);
  if (i == n || made("last-one-lost")) return next;
  if (made("last-one-into-the-pair-before"))
    next.back() += x[i];
  else if (made("last-one-with-the-first"))
    next.push_back(x[i] + x[0]);
  else if (made("last-one-to-the-front"))
    next.insert(next.begin(), x[i]);
  else if (made("last-one-added-at-the-end"))
    aside.push_back(x[i]);
  else
    next.push_back(x[i]);
  return next;
}

inline double by_levels(const Made& made, Numbers x) {
  Numbers aside;
  while (x.size() > 1) {
    x = next_level(made, x, aside);
    if (made("one-level-only")) return in_turn(x) + in_turn(aside);
  }
  double sum = x.empty() ? 0 : x[0];
  for (const double each : aside) sum += each;
  return sum;
}

inline double in_some_order(const Made& made, const Numbers& x) {
  if (made("one-after-the-other")) return in_turn(x);
  if (made("back-to-front")) return in_turn({x.rbegin(), x.rend()});
  if (made("Kahan")) return compensated(x);
  if (made("split-in-the-middle") || made("larger-half-first"))
    return of_halves(x, made("larger-half-first"));
  if (!made("even-and-odd-places")) return by_levels(made, x);
  Numbers lanes(2, 0);
  for (std::size_t i = 0; i < x.size(); ++i) lanes[i % 2] += x[i];
  return lanes[0] + lanes[1];
}

inline double tree_sum(const Made& made, const Numbers& x) {
  Numbers numbers = x;
  if (made("sorted-first")) std::sort(numbers.begin(), numbers.end());
  if (made("largest-first"))
    std::stable_sort(numbers.begin(), numbers.end(),
                     [](double a, double b) { return std::abs(a) > std::abs(b); });
  const double sum = in_some_order(made, numbers);
  return made("mean") && !x.empty() ? sum / static_cast<double>(x.size()) : sum;
}

inline const std::vector<Slip> kOfTreeSum = {
    {"one-after-the-other",
     "You add one number after the other. In the tree, neighbours are added first: x_0 + x_1, x_2 + x_3, and "
     "so on, then their sums.",
     kTree},
    {"back-to-front", "You add one number after the other, from the last to the first.", kTree},
    {"Kahan",
     "You keep track of what rounding loses, as Kahan does. That is more exact, and other bits. Add plain "
     "doubles in the tree.",
     kBounds},
    {"split-in-the-middle",
     "You divide the numbers in the middle, and each half again. Where their number is no power of two, that "
     "is another tree: of five numbers the first pair is x_0 + x_1, and the last one stays alone up to the "
     "end.",
     kTree},
    {"larger-half-first",
     "You divide the numbers into halves, the first of them the larger one. The tree goes the other way: "
     "neighbours are added on each level, and one that is left over moves up.",
     kTree},
    {"even-and-odd-places", "You add up the even places and the odd places, and then these two sums.", kTree},
    {"one-level-only",
     "You add neighbours once, and then these sums one after the other. Neighbouring sums are added in pairs "
     "too, level by level.",
     kTree},
    {"far-partners",
     "You add x_i to the number half a length further on. Neighbours are added: x_0 + x_1, x_2 + x_3.",
     kTree},
    {"partners-half-away",
     "You add x_i to the number half a length further on. Neighbours are added: x_0 + x_1, x_2 + x_3.",
     kTree},
    {"ends-inward", "You add the first number to the last one. Neighbours are added: x_0 + x_1, x_2 + x_3.",
     kTree},
    {"pairs-from-the-end",
     "On a level with an odd count, your first number stays alone. Pairs are formed from the beginning, so "
     "the last one does.",
     kTree},
    {"begins-with-the-second", "Your first pair is x_1 + x_2. It is x_0 + x_1.", kTree},
    {"last-one-lost",
     "On a level with an odd count you lose the last number. It moves up to the next level as it is.", kTree},
    {"last-one-into-the-pair-before",
     "On a level with an odd count you add the last number to the pair before it, at once. It moves up to "
     "the next level as it is.",
     kTree},
    {"last-one-with-the-first",
     "On a level with an odd count you add the first number to the last one, so it counts "
     "twice. The last one moves up as it is.",
     kTree},
    {"last-one-to-the-front",
     "A number that is left over goes to the first place of your next level. It goes to the last place.",
     kTree},
    {"last-one-added-at-the-end",
     "You put aside what is left over on a level, and add it to the total. It moves up to the next level, "
     "where it may find a neighbour.",
     kTree},
    {"sorted-first",
     "You sort the numbers. Then the result depends on their sizes and not on their places; the tree is "
     "over the places.",
     kOrders},
    {"largest-first",
     "You sort the numbers by their size. The tree is over the places, whatever stands there.", kOrders},
    {"mean", "You divide by the count. The sum is asked for.", kTree}};

// ---- Part 2 ----

inline std::size_t count_of_shards(const Made& made, std::size_t rows, std::size_t largest) {
  if (made("largest-as-their-number")) return largest;
  if (made("one-shard-too-many")) return rows / largest + 1;
  if (made("rounded-down-number")) return rows / largest;
  if (made("rounded-down-but-one")) return std::max<std::size_t>(1, rows / largest);
  if (made("power-of-two")) {
    std::size_t shards = 1;
    while (shards * largest < rows) shards *= 2;
    return shards;
  }
  return (rows + largest - 1) / largest;
}

// How many rows shard s of so many has.
inline std::size_t size_of_shard(const Made& made, std::size_t s, std::size_t shards, std::size_t rows,
                                 std::size_t largest) {
  const std::size_t size = rows / shards, more = rows % shards, up = (rows + shards - 1) / shards;
  if (made("full-shards-first")) return std::min(largest, rows - std::min(rows, s * largest));
  if (made("equal-but-the-last")) return std::min(up, rows - std::min(rows, s * up));
  if (made("larger-ones-last")) return size + (s >= shards - more ? 1 : 0);
  if (made("all-that-is-left-to-the-first")) return size + (s == 0 ? more : 0);
  if (made("all-that-is-left-to-the-last")) return size + (s + 1 == shards ? more : 0);
  if (made("multiples-rounded-down")) return (s + 1) * rows / shards - s * rows / shards;
  if (made("multiples-rounded-up"))
    return ((s + 1) * rows + shards - 1) / shards - (s * rows + shards - 1) / shards;
  if (made("what-is-left-lost")) return size;
  if (made("remainder-of-largest")) return size + (s < rows % largest ? 1 : 0);
  return size + (made("one-larger-shard-too-many") ? s <= more : s < more ? 1 : 0);
}

inline Bounds shard_bounds(const Made& made, std::size_t rows, std::size_t largest) {
  if (rows == 0 && made("nothing-without-rows")) return {};
  if (rows == 0 && made("a-shard-without-rows")) return {0, 0};
  Bounds bounds{0}, sizes;
  const std::size_t shards = count_of_shards(made, rows, largest);
  for (std::size_t s = 0; s < shards; ++s) {
    sizes.push_back(size_of_shard(made, s, shards, rows, largest));
    bounds.push_back(bounds.back() + sizes.back());
  }
  if (made("sizes")) return sizes;
  if (made("sizes-behind-the-0")) {
    bounds = sizes;
    bounds.insert(bounds.begin(), 0);
  }
  if (made("last-rows"))
    for (std::size_t s = 1; s < bounds.size(); ++s) --bounds[s];
  if (made("no-end") && !bounds.empty()) bounds.pop_back();
  if (made("no-beginning") && !bounds.empty()) bounds.erase(bounds.begin());
  return bounds;
}

inline const std::vector<Slip> kOfShardBounds = {
    {"full-shards-first",
     "Your shards are full up to `largest`, and the last one has what is left. Their sizes may differ by 1 "
     "at most.",
     kTree},
    {"equal-but-the-last",
     "You give each shard rows / shards, rounded up, so the last one is too small. As many shards have one "
     "row more as the division leaves: rows % shards.",
     kTree},
    {"larger-ones-last", "Your larger shards come last. They come first.", kTree},
    {"all-that-is-left-to-the-first",
     "You give all rows that the division leaves to the first shard. Each goes to another shard, so that "
     "sizes differ by 1 at most.",
     kTree},
    {"all-that-is-left-to-the-last",
     "You give all rows that the division leaves to the last shard. Each goes to another shard, so that "
     "sizes differ by 1 at most.",
     kTree},
    {"multiples-rounded-down",
     "Your shard s begins at s * rows / shards, rounded down. Then the larger shards stand anywhere. They "
     "come first.",
     kTree},
    {"multiples-rounded-up",
     "Your shard s begins at s * rows / shards, rounded up. Then the larger shards stand anywhere. They come "
     "first.",
     kTree},
    {"what-is-left-lost",
     "You lose the rows that the division by the number of shards leaves. The last bound must be `rows`.",
     kTree},
    {"one-larger-shard-too-many",
     "One shard too many has a row more. There are rows % shards of these: s < rows % shards.", kTree},
    {"remainder-of-largest",
     "The number of your larger shards is rows % largest. What is left over is the remainder of the division "
     "by the number of shards: rows % shards.",
     kTree},
    {"largest-as-their-number", "You make `largest` shards. It is the most rows that a shard may have.",
     kTree},
    {"one-shard-too-many",
     "You make rows / largest + 1 shards. Where `largest` divides the rows, that is one too many: round "
     "rows / largest up.",
     kTree},
    {"rounded-down-number",
     "You round rows / largest down, so shards have more than `largest` rows. Round up: "
     "(rows + largest - 1) / largest.",
     kTree},
    {"rounded-down-but-one",
     "You round rows / largest down, to at least 1, so shards have more than `largest` rows. Round up: "
     "(rows + largest - 1) / largest.",
     kTree},
    {"power-of-two",
     "You make a power of two of shards. The tree works for every number: take as few as `largest` allows.",
     kTree},
    {"sizes", "You return how many rows each shard has. Return where each begins, and the end behind them.",
     kTree},
    {"sizes-behind-the-0",
     "Behind the 0 you return how many rows each shard has. A shard begins where the one "
     "before ends: add its size to the bound before.",
     kTree},
    {"last-rows",
     "You return the last row of each shard. A shard ends before the row with which the next one begins: "
     "return that row.",
     kTree},
    {"no-end", "The end is missing: behind the beginnings stands `rows`.", kTree},
    {"no-beginning", "The beginning of the first shard is missing: the result begins with 0.", kTree},
    {"nothing-without-rows", "Without rows your result is empty. It is [0].", kTree},
    {"a-shard-without-rows",
     "Without rows you make a shard of no rows. There is none, and the result is [0].", kTree}};

}  // namespace mistakes
