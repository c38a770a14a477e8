// Products, eigenvalues and singular values of small matrices by BLAS and LAPACK, in double whatever the
// library's number type. Their last digits differ between machines.
#pragma once

#include <complex>
#include <vector>

#include "headlight/core/xtensor.h"

namespace headlight::interpret {

using Matrix = xt::xtensor<double, 2, xt::layout_type::row_major, std::allocator<double>>;

// A·B. Throws Error when the inner lengths differ.
Matrix product(const Matrix& a, const Matrix& b);

// The eigenvalues of a real square matrix (n,n), each as often as its multiplicity, the largest modulus
// first. An eigenvalue that is not simple has an error of about ε^(1/k), where k is the size of its Jordan
// block. Throws Error for a matrix that is not square or not finite.
std::vector<std::complex<double>> eigenvalues(const Matrix& a);

// A = Σ_c values[c] · left[:,c] right[:,c]ᵀ. Columns of left and of right are orthonormal, also where a value
// is 0; the sign of a pair of columns is arbitrary.
struct Svd {
  std::vector<double> values;  // (k), k = min(rows, cols), or less for a matrix of factors; descending
  Matrix left, right;          // (rows,k), (cols,k)
};

// Throws Error for a matrix that is not finite.
Svd svd(const Matrix& a);

// The same of left·right, left (a,r) and right (r,b), without forming the product: QR decompositions of the
// two reduce it to a matrix of at most (r,r). k = min(a, r, b).
Svd svd(const Matrix& left, const Matrix& right);

}  // namespace headlight::interpret
