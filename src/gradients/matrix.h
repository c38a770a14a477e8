// Matrices for the hand-written gradients: plain loops, without any code of the library that they check.
#pragma once

#include <cstddef>
#include <vector>

namespace headlight::by_hand {

class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t cols, double value = 0)
      : rows_(rows), cols_(cols), values_(rows * cols, value) {}
  Matrix(std::size_t rows, std::size_t cols, const double* values)
      : rows_(rows), cols_(cols), values_(values, values + rows * cols) {}

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  const std::vector<double>& values() const { return values_; }
  double operator()(std::size_t i, std::size_t j) const { return values_[i * cols_ + j]; }
  double& operator()(std::size_t i, std::size_t j) { return values_[i * cols_ + j]; }

 private:
  std::size_t rows_ = 0, cols_ = 0;
  std::vector<double> values_;
};

// The product, and the sum and difference of equal shapes. Throw Error when the shapes do not fit.
Matrix operator*(const Matrix& a, const Matrix& b);
Matrix operator+(const Matrix& a, const Matrix& b);
Matrix operator-(const Matrix& a, const Matrix& b);
Matrix operator*(double factor, const Matrix& a);

Matrix hadamard(const Matrix& a, const Matrix& b);  // a ⊙ b, element by element
Matrix transpose(const Matrix& a);
Matrix row_sums(const Matrix& a);                                // (n,m) → (n,1): a 1
Matrix column_sums(const Matrix& a);                             // (n,m) → (1,m): 1ᵀ a
Matrix repeat_columns(const Matrix& column, std::size_t count);  // (n,1) → (n,count): r 1ᵀ
Matrix repeat_rows(const Matrix& row, std::size_t count);        // (1,m) → (count,m): 1 b
Matrix columns(const Matrix& a, std::size_t from, std::size_t count);
void set_columns(Matrix& a, std::size_t from, const Matrix& part);

// a ← a + b; an empty a becomes b. It adds up the gradients of a parameter that is used in several places.
void accumulate(Matrix& a, const Matrix& b);

}  // namespace headlight::by_hand
