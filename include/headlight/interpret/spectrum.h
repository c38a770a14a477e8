// Eigenvalues and singular values of small matrices, in double whatever the library's number type.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "headlight/core/array.h"

namespace headlight::interpret {

// A matrix of doubles, row by row.
struct Matrix {
  std::size_t rows = 0, cols = 0;
  std::vector<double> numbers;  // (rows·cols)

  Matrix() = default;
  Matrix(std::size_t height, std::size_t width);  // throws Error for more numbers than can be counted
  explicit Matrix(const Array& array);            // throws Error unless the array has two axes

  double& operator()(std::size_t i, std::size_t j) { return numbers[i * cols + j]; }
  double operator()(std::size_t i, std::size_t j) const { return numbers[i * cols + j]; }

  Matrix t() const;
  Array array() const;  // (rows,cols), rounded to Real

  // Throws Error in the name of `op` unless there are rows·cols numbers, all finite.
  void check_numbers(const char* op) const;
};

// A·B. Throws Error when the inner lengths differ.
Matrix product(const Matrix& a, const Matrix& b);

// √Σ a_ij²
double frobenius(const Matrix& a);

// The eigenvalues of a real square matrix (n,n), each as often as its multiplicity, the largest modulus
// first. Householder reflections give a Hessenberg matrix, and QR steps with Wilkinson's shift (Golub & Van
// Loan 2013, sections 7.4 and 7.5) in complex numbers split off one eigenvalue after the other. A pair of
// conjugate eigenvalues is conjugate up to rounding. An eigenvalue that is not simple has an error of about
// ε^(1/k), where k is the size of its Jordan block. Throws Error for a matrix that is not square, not finite,
// or has not rows·cols numbers.
std::vector<std::complex<double>> eigenvalues(const Matrix& a);

// A = Σ_c values[c] · left[:,c] right[:,c]ᵀ. Columns of left and of right are orthonormal, also where a value
// is 0.
struct Svd {
  std::vector<double> values;  // (k), k = min(rows, cols), or less for a matrix of factors; descending
  Matrix left, right;          // (rows,k), (cols,k)
};

// By Jacobi rotations of pairs of columns (Hestenes 1958), which also find small singular values to full
// relative accuracy for well-scaled columns. Throws Error for a matrix that is not finite, or has not
// rows·cols numbers.
Svd svd(const Matrix& a);

// The same of left·right, left (a,r) and right (r,b), without forming the product: QR decompositions of the
// two reduce it to a matrix of at most (r,r). k = min(a, r, b).
Svd svd(const Matrix& left, const Matrix& right);

}  // namespace headlight::interpret
