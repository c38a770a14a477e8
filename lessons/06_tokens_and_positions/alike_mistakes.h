// Wrong ways to find the position that looks most like position 0.
#pragma once

#include <cmath>
#include <map>
#include <utility>

#include "grader/trials.h"
#include "headlight/ops/ops.h"

namespace mistakes {

using grader::Made;

// The dot products of all rows of a table of this width with one row, computed once.
inline const std::vector<double>& products_with(std::size_t width, int row) {
  static std::map<std::pair<std::size_t, int>, std::vector<double>> kept;
  const auto [at, is_new] = kept.try_emplace({width, row});
  if (!is_new) return at->second;
  const Tensor table = solution::sinusoidal_table(1001, width);
  const Array products = matmul(table, transpose(slice(table, 0, row, row + 1))).array();
  at->second.assign(products.begin(), products.end());
  return at->second;
}

inline double alike_with_slips(const Made& made, std::size_t pairs) {
  const std::size_t width = made("half-the-columns")              ? pairs
                            : made("half-the-columns-rounded-up") ? (pairs + 1) / 2 * 2
                            : made("twice-the-columns")           ? 4 * pairs
                                                                  : 2 * pairs;
  const int row = made("row-1") ? 1 : made("last-row") ? 1000 : 0;
  const auto likeness = [&, &products = products_with(width, row)](std::size_t p) {
    const double product = (made("least-alike") ? -1 : 1) * products[p];
    return made("by-size") ? std::abs(product) : product;
  };
  const std::size_t first = made("position-0-too") ? 0 : 1;
  std::size_t best = first;
  for (std::size_t p = first + 1; p <= 1000; ++p) {
    if (!(likeness(p) > likeness(made("compared-with-the-first") ? first : best))) continue;
    best = p;
    if (made("first-larger-one")) break;
  }
  return made("product-for-the-position") ? products_with(width, row)[best] : static_cast<double>(best);
}

inline std::vector<double> most_alike_with_slips(const Made& made, const std::vector<double>& settings) {
  std::vector<double> positions;
  for (const double pairs : settings)
    positions.push_back(alike_with_slips(made, static_cast<std::size_t>(pairs)));
  return positions;
}

inline constexpr const char* kHalfTheColumns =
    "Your table has as many columns as you chose pairs. A pair is two columns: sinusoidal_table(1001, 2 * "
    "pairs).";

inline std::vector<grader::WrongMeasure> of_most_alike() {
  return grader::wrong_measures(
      most_alike_with_slips,
      {{"position-0-too",
        "Position 0 is among your candidates, and wins: a row is most like itself. Look among the "
        "positions 1 to 1000."},
       {"row-1",
        "You found position 1 each time. That happens when the rows are compared with row 1, which is "
        "most like itself, in the place of row 0. It also happens when the search never leaves its first "
        "candidate."},
       {"half-the-columns", kHalfTheColumns},
       {"half-the-columns-rounded-up", kHalfTheColumns},
       {"twice-the-columns",
        "Your table has 4 * pairs columns. A pair is two columns: sinusoidal_table(1001, 2 * pairs)."},
       {"last-row", "You compared with the last row. Compare with row 0."},
       {"least-alike", "You found the row with the smallest dot product. The largest one is asked for."},
       {"by-size",
        "You compare the sizes of the dot products, by std::abs. A row that points the other way is the "
        "least alike."},
       {"compared-with-the-first",
        "You compare each row with the first candidate, so the last row that beats it wins. Compare with "
        "the best so far."},
       {"first-larger-one",
        "You stop at the first row that beats position 1. Look at all positions up to 1000 before you "
        "decide."},
       {"product-for-the-position",
        "You measured the largest dot product itself. The position that has it is asked for."}});
}

}  // namespace mistakes
