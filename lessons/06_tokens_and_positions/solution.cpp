// Exercise 6, solved.
#include "exercise.h"
#include "headlight/core/math.h"

// Part 1 ★  embed
Tensor embed(const Tensor& table, const IntArray& tokens) {
  Array one_hot(Shape{tokens.size(), table.length(0)}, 0.0);
  for (std::size_t k = 0; k < tokens.size(); ++k) one_hot(k, tokens.data()[k]) = 1;
  Shape shape = tokens.shape();
  shape.push_back(table.length(1));
  return reshape_to(matmul(Tensor(one_hot), table), shape);
}

// Part 2 ★★  embed_vjp
Tensor embed_vjp(const Tensor& g, const IntArray& tokens, std::size_t vocabulary) {
  const std::size_t d = g.length(-1);
  Array sums(Shape{vocabulary, d}, 0.0);
  for (std::size_t k = 0; k < tokens.size(); ++k)
    for (std::size_t c = 0; c < d; ++c) sums(tokens.data()[k], c) += g.array().data()[k * d + c];
  return Tensor(sums);
}

// The angle of pair i of d/2 at position p.
double angle_of(std::size_t p, std::size_t i, std::size_t d) { return p * math::power(10000, -2.0 * i / d); }

// Part 3 ★★  sinusoidal_table
Tensor sinusoidal_table(std::size_t n, std::size_t d) {
  Array table(Shape{n, d}, 0.0);
  for (std::size_t p = 0; p < n; ++p)
    for (std::size_t i = 0; i < d / 2; ++i) {
      table(p, 2 * i) = math::sin(angle_of(p, i, d));
      table(p, 2 * i + 1) = math::cos(angle_of(p, i, d));
    }
  return Tensor(table);
}

// The pairs of x turned by their angles, times a sign.
Tensor turned_by(const Tensor& x, std::size_t first, double sign) {
  const std::size_t n = x.length(-2), d = x.length(-1), half = d / 2;
  Array cosines(Shape{n, half}, 0.0), sines(Shape{n, half}, 0.0);
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t i = 0; i < half; ++i) {
      cosines(r, i) = math::cos(angle_of(first + r, i, d));
      sines(r, i) = sign * math::sin(angle_of(first + r, i, d));
    }
  const int middle = static_cast<int>(half);
  const Tensor a = slice(x, -1, 0, middle), b = slice(x, -1, middle), c(cosines), s(sines);
  return concat({a * c - b * s, b * c + a * s}, -1);
}

// Part 4 ★★★  rotate
Tensor rotate(const Tensor& x, std::size_t first) { return turned_by(x, first, 1); }

// Part 5 ★★  rotate_back
Tensor rotate_back(const Tensor& g, std::size_t first) { return turned_by(g, first, -1); }

// Part 6 ★★  alibi_bias
Tensor alibi_bias(std::size_t n_heads, std::size_t n) {
  Array bias(Shape{n_heads, n, n}, 0.0);
  for (std::size_t h = 0; h < n_heads; ++h) {
    const double slope = math::power(2, -8.0 * (h + 1) / n_heads);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) bias(h, i, j) = -slope * (i > j ? i - j : j - i);
  }
  return Tensor(bias);
}
