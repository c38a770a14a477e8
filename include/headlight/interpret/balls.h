// Arithmetic with a bound on its rounding: numbers as balls, a centre with a radius (midpoint-radius
// intervals; Rump 1999, "Fast and parallel interval arithmetic").
#pragma once

#include <cstddef>
#include <vector>

#include "headlight/nn/norm.h"

namespace headlight::interpret {

// Rows of numbers in double precision. The number that exact arithmetic gives is within `radius` of `center`.
//
// The functions below bound their rounding by |error of a sum of k products| ≤ γ_k Σ|products|,
// γ_k = k u/(1 - k u), u = 2^-53 (Higham 2002, §3.1). The radii are rounded too, so each is enlarged by a
// thousandth, and by 1e-300 for what underflows.
struct Balls {
  std::size_t rows = 0, cols = 0;
  std::vector<double> center, radius;  // (rows,cols)

  Balls() = default;
  Balls(std::size_t r, std::size_t c) : rows(r), cols(c), center(r * c), radius(r * c) {}
};

// A matrix of exact numbers, with their absolute values.
struct ExactMatrix {
  std::size_t rows = 0, cols = 0;
  std::vector<double> values, sizes;

  ExactMatrix() = default;                     // none: nothing is added
  explicit ExactMatrix(const Tensor& matrix);  // of one or two axes; undefined: none
};

// x + y, of the same shape.
Balls add(Balls x, const Balls& y);

// x W + b. x (N,k), W (k,m), b (m) or none.
Balls linear(const Balls& x, const ExactMatrix& W, const ExactMatrix& b = {});

// Of nn::Norm, row by row.
Balls norm(Balls x, const nn::Norm& norm);

// Part of a row of balls.
struct BallSpan {
  const double *center, *radius;
  std::size_t size;
};
BallSpan span(const Balls& x, std::size_t row, std::size_t first, std::size_t size);

struct Ball {
  double center, radius;
};

// x·y, times a factor that is rounded.
Ball scaled_dot(const BallSpan& x, const BallSpan& y, double factor);

// The weights of a softmax over scores, in place.
void softmax(std::vector<Ball>& scores);

// Adds weight·x to a sum of `terms` such products, sum and radius of the size of x.
void add_multiple(const Ball& weight, const BallSpan& x, std::size_t terms, double* sum, double* radius);

// Bounds of one number less the largest other.
struct Lead {
  double least, most;
};
Lead lead_of(const BallSpan& x, std::size_t first);

// Throws Error for a number that may be above 1e300. An overflow on the way to it ends so.
void check_no_overflow(const Balls& x);

}  // namespace headlight::interpret
