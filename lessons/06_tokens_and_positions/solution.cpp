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

// Part 4 ★★★  shift_matrix: the sine and the cosine of a sum of two angles, (sin, cos) times a block
Tensor shift_matrix(std::size_t d, std::size_t k) {
  Array matrix(Shape{d, d}, 0.0);
  for (std::size_t i = 0; i < d / 2; ++i) {
    const double c = math::cos(angle_of(k, i, d)), s = math::sin(angle_of(k, i, d));
    matrix(2 * i, 2 * i) = matrix(2 * i + 1, 2 * i + 1) = c;
    matrix(2 * i, 2 * i + 1) = -s;
    matrix(2 * i + 1, 2 * i) = s;
  }
  return Tensor(matrix);
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

// Part 5 ★★★  rotate
Tensor rotate(const Tensor& x, std::size_t first) { return turned_by(x, first, 1); }

// Part 6 ★★  rotate_back
Tensor rotate_back(const Tensor& g, std::size_t first) { return turned_by(g, first, -1); }

// Part 7 ★★  most_alike
double most_like_position_0(double pairs) {
  const Tensor table = sinusoidal_table(1001, 2 * static_cast<std::size_t>(pairs));
  const Tensor products = matmul(table, transpose(slice(table, 0, 0, 1)));  // (1001,1)
  std::size_t best = 1;
  for (std::size_t p = 2; p <= 1000; ++p)
    if (products.array()(p, 0) > products.array()(best, 0)) best = p;
  return static_cast<double>(best);
}

std::vector<Trial> most_alike() {
  std::vector<Trial> trials = {{1, 1, 0}, {2, 1, 0}, {4, 1, 0}, {8, 1, 0}, {32, 1, 0}};
  for (Trial& trial : trials) trial.measured = most_like_position_0(trial.setting);
  return trials;
}
