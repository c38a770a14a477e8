// Matrices for the hand-written gradients: xtensor's expressions, with products by BLAS. So the hand-written
// side shares no code with what it checks. a * b is ⊙, element by element, and dot(a, b) is the product. A
// row (1,m) or a column (n,1) in an expression repeats along the other axis.
#pragma once

#include <cstddef>
#include <limits>
#include <xtensor-blas/xlinalg.hpp>

namespace headlight::by_hand {

using Matrix = xt::xtensor<double, 2>;
using xt::linalg::dot;

inline Matrix zeros(std::size_t rows, std::size_t cols) { return xt::zeros<double>({rows, cols}); }

// Sums along one axis: (n,m) → (n,1) and (n,m) → (1,m). As matrices, because xtensor broadcasts a lazy sum
// wrongly.
inline Matrix row_sums(const Matrix& a) { return xt::sum(a, {1}, xt::keep_dims); }
inline Matrix column_sums(const Matrix& a) { return xt::sum(a, {0}, xt::keep_dims); }
inline Matrix row_means(const Matrix& a) { return row_sums(a) / static_cast<double>(a.shape(1)); }

// Some columns in place, to read or to assign.
template <class M>
auto columns(M& a, std::size_t from, std::size_t count) {
  return xt::view(a, xt::all(), xt::range(from, from + count));
}

// Each row: e^s / Σ e^s. A hidden place has s = -∞; a row that is hidden altogether gives zeros.
inline Matrix softmax(const Matrix& S) {
  const Matrix top = xt::amax(S, {1}, xt::keep_dims);
  const Matrix E = xt::exp(S - xt::maximum(top, std::numeric_limits<double>::lowest()));
  return E / xt::maximum(row_sums(E), 1.0);  // the largest of a visible row is e^0
}

// a ← a + b; an empty a becomes b. It adds up the gradients of a parameter that is used in several places.
inline void add_to(Matrix& a, const Matrix& b) { a = a.size() == 0 ? b : Matrix(a + b); }

}  // namespace headlight::by_hand
