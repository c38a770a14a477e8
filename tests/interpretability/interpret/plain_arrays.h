// Tables of doubles and simple loops over them, without any op of the library.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight {

using PlainRow = std::vector<double>;
using PlainTable = std::vector<PlainRow>;    // [row][column]: a matrix, or [position][coordinate]
using PlainHeads = std::vector<PlainTable>;  // [head][position][coordinate]

namespace plain {

// The arrays of the weights; a vector is one row, and an undefined tensor is empty.
inline PlainTable matrix(const Tensor& t) {
  if (!t.defined()) return {};
  const Array numbers = t.array();
  const std::size_t columns = t.length(-1);
  PlainTable m(numbers.size() / columns, PlainRow(columns));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    m[i / columns][i % columns] = static_cast<double>(numbers.data()[i]);
  return m;
}
inline PlainRow vector(const Tensor& t) { return t.defined() ? matrix(t)[0] : PlainRow(); }

// Columns or rows first … first+count-1.
inline PlainRow part(const PlainRow& x, std::size_t first, std::size_t count) {
  PlainRow y;
  for (std::size_t i = 0; i < count; ++i) y.push_back(x[first + i]);
  return y;
}
inline PlainTable columns(const PlainTable& m, std::size_t first, std::size_t count) {
  PlainTable y;
  for (const PlainRow& row : m) y.push_back(part(row, first, count));
  return y;
}
inline PlainTable rows(const PlainTable& m, std::size_t first, std::size_t count) {
  PlainTable y;
  for (std::size_t i = 0; i < count; ++i) y.push_back(m[first + i]);
  return y;
}

// x W + b; an empty b adds nothing.
inline PlainTable product(const PlainTable& x, const PlainTable& W, const PlainRow& b = {}) {
  PlainTable y(x.size(), PlainRow(W[0].size(), 0.0));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < W[0].size(); ++j) {
      for (std::size_t k = 0; k < W.size(); ++k) y[i][j] += x[i][k] * W[k][j];
      if (!b.empty()) y[i][j] += b[j];
    }
  return y;
}

inline void add(PlainTable& x, const PlainTable& y) {
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t c = 0; c < x[i].size(); ++c) x[i][c] += y[i][c];
}

}  // namespace plain

// Parts of the library's arrays, in the form of Plain, to compare with: sequence b of tokens (B,n), of
// x (B,n,d), of head h of x (B,n,H,d), and of head h of a pattern (B,H,n,m).
inline std::vector<int> plain_tokens(const IntArray& tokens, std::size_t b) {
  std::vector<int> row;
  for (std::size_t t = 0; t < tokens.shape()[1]; ++t) row.push_back(tokens(b, t));
  return row;
}
inline PlainTable plain_rows(const Array& x, std::size_t b) {
  PlainTable y(x.shape()[1], PlainRow(x.shape()[2]));
  for (std::size_t p = 0; p < y.size(); ++p)
    for (std::size_t c = 0; c < y[p].size(); ++c) y[p][c] = static_cast<double>(x(b, p, c));
  return y;
}
inline PlainTable plain_head(const Array& x, std::size_t b, std::size_t h) {
  PlainTable y(x.shape()[1], PlainRow(x.shape()[3]));
  for (std::size_t p = 0; p < y.size(); ++p)
    for (std::size_t c = 0; c < y[p].size(); ++c) y[p][c] = static_cast<double>(x(b, p, h, c));
  return y;
}
inline PlainTable plain_pattern(const Array& x, std::size_t b, std::size_t h) {
  PlainTable y(x.shape()[2], PlainRow(x.shape()[3]));
  for (std::size_t i = 0; i < y.size(); ++i)
    for (std::size_t j = 0; j < y[i].size(); ++j) y[i][j] = static_cast<double>(x(b, h, i, j));
  return y;
}

// The largest difference of two tables, relative to the largest finite number in the first (at least 1). Two
// equal infinities do not differ; tables of different sizes, and NaN, differ by infinity.
inline double plain_difference(const PlainTable& a, const PlainTable& b) {
  double largest = 0, scale = 1;
  if (a.size() != b.size()) return HUGE_VAL;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].size() != b[i].size()) return HUGE_VAL;
    for (std::size_t j = 0; j < a[i].size(); ++j) {
      if (std::isfinite(a[i][j])) scale = std::max(scale, std::abs(a[i][j]));
      if (a[i][j] == b[i][j]) continue;
      if (!std::isfinite(a[i][j] - b[i][j])) return HUGE_VAL;
      largest = std::max(largest, std::abs(a[i][j] - b[i][j]));
    }
  }
  return largest / scale;
}

// What rounding may leave between the library and the loops.
inline constexpr double kPlain = kDouble ? 1e-10 : 1e-4;

}  // namespace headlight
