// What people get wrong in the operators of exercise 2, parts 1 and 2.
#pragma once

#include "exercise.h"
#include "grader/part.h"
#include "scalar.h"

namespace mistakes {

using grader::Mistake;
using grader::Together;
using Binary = Scalar (*)(const Scalar&, const Scalar&);
using Product = Scalar (*)(const std::vector<Scalar>&);
using Measure = std::vector<double> (*)(const Function&, std::vector<double>, double);
using AnyOrder = std::vector<double> (*)(const Tape&, std::size_t);
using Fit = Curve (*)(const std::vector<double>&, const std::vector<double>&, Curve, double, int);

template <auto by_a, auto by_b>
Scalar quotient(const Scalar& a, const Scalar& b) {
  const double x = a.value(), y = b.value();
  return write(*a.tape, "/", x / y, {{a.place, by_a(x, y)}, {b.place, by_b(x, y)}});
}

constexpr auto first = [](double x, double) { return x; };
constexpr auto second = [](double, double y) { return y; };
constexpr auto inverse = [](double, double y) { return 1 / y; };
constexpr auto right_by_b = [](double x, double y) { return -x / (y * y); };
constexpr auto without_minus = [](double x, double y) { return x / (y * y); };
constexpr auto without_square = [](double x, double y) { return -x / y; };
constexpr auto without_a = [](double, double y) { return -1 / (y * y); };
constexpr auto first_inverse = [](double x, double) { return 1 / x; };

inline Scalar upside_down(const Scalar& a, const Scalar& b) { return solution::operator/(b, a); }

inline std::vector<Mistake<Binary>> of_quotient() {
  const std::string read = "A tape";
  return {
      {"minus-missing",
       "The derivative by b lacks its minus. When b grows, a / b gets smaller: the derivative is −a/b².",
       read, quotient<inverse, without_minus>},
      {"square-missing",
       "You took −a/b as the derivative by b. The derivative of b⁻¹ is −b⁻², so it is −a/b².", read,
       quotient<inverse, without_square>},
      {"numerator-forgotten",
       "You took −1/b² as the derivative by b, that of 1/b. Here the numerator is a, so it is −a/b².", read,
       quotient<inverse, without_a>},
      {"like-a-product",
       "You used the derivatives of a product, b and a. A quotient has others: 1/b for a, −a/b² for b.", read,
       quotient<second, first>},
      {"derivative-by-a-is-b",
       "You took b as the derivative by a. With b fixed, a / b is a times 1/b, so the derivative is 1/b.",
       read, quotient<second, right_by_b>},
      {"one-over-each", "You took 1/b and 1/a as the derivatives. The first is right; the one by b is −a/b².",
       read, quotient<inverse, first_inverse>},
      {"derivatives-swapped",
       "You gave a the derivative of b, and b that of a. The edge to a carries 1/b, the edge to b −a/b².",
       read, quotient<right_by_b, inverse>},
      {"upside-down", "You computed b / a. The first argument, a, is what is divided.", read, upside_down}};
}

// A product of one entry whose edge to factor k has the derivative by(values, k).
template <auto by>
Scalar product(const std::vector<Scalar>& factors) {
  std::vector<double> values;
  double all = 1;
  for (const Scalar& factor : factors) all *= values.emplace_back(factor.value());
  std::vector<Edge> edges;
  for (std::size_t k = 0; k < factors.size(); ++k) edges.push_back({factors[k].place, by(values, k)});
  return write(*factors[0].tape, "product", all, edges);
}

using Values = std::vector<double>;
// The product of the values for whose place `takes` is true.
template <class Takes>
double product_where(const Values& values, Takes takes) {
  double product = 1;
  for (std::size_t i = 0; i < values.size(); ++i) product *= takes(i) ? values[i] : 1;
  return product;
}
constexpr auto all_of = [](const Values& v, std::size_t) {
  return product_where(v, [](std::size_t) { return true; });
};
constexpr auto divided = [](const Values& v, std::size_t k) { return all_of(v, k) / v[k]; };
constexpr auto zero_for_zero = [](const Values& v, std::size_t k) { return v[k] == 0 ? 0 : divided(v, k); };
constexpr auto own_value = [](const Values& v, std::size_t k) { return v[k]; };
constexpr auto before_alone = [](const Values& v, std::size_t k) {
  return product_where(v, [k](std::size_t i) { return i < k; });
};
constexpr auto neighbour_alone = [](const Values& v, std::size_t k) {
  return v.size() == 1 ? 1 : v[(k + 1) % v.size()];
};
constexpr auto other_values = [](const Values& v, std::size_t k) {
  return product_where(v, [&](std::size_t i) { return v[i] != v[k]; });
};
constexpr auto sum_of_others = [](const Values& v, std::size_t k) {
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) sum += i == k ? 0 : v[i];
  return sum;
};

inline Scalar chained(const std::vector<Scalar>& factors) {
  Scalar product = factors[0];
  for (std::size_t k = 1; k < factors.size(); ++k) product = product * factors[k];
  return product;
}

// Each number has one edge, with the derivative of its last appearance among the factors.
inline Scalar one_edge_a_number(const std::vector<Scalar>& factors) {
  const Scalar right = solution::product_of(factors);
  std::vector<Edge>& edges = right.tape->back().edges;
  for (std::size_t k = edges.size(); k > 0; --k)
    for (std::size_t later = k; later < edges.size(); ++later)
      if (edges[later].input == edges[k - 1].input) {
        edges.erase(edges.begin() + static_cast<std::ptrdiff_t>(k - 1));
        break;
      }
  return right;
}

// The other factors are those at other places of the tape.
inline Scalar other_places(const std::vector<Scalar>& factors) {
  const Scalar right = solution::product_of(factors);
  std::vector<Edge>& edges = right.tape->back().edges;
  for (Edge& edge : edges) {
    edge.derivative = 1;
    for (const Scalar& factor : factors)
      if (factor.place != edge.input) edge.derivative *= factor.value();
  }
  return right;
}

inline Scalar first_left_out(const std::vector<Scalar>& factors) {
  const Scalar right = solution::product_of(factors);
  right.tape->back().edges.erase(right.tape->back().edges.begin());
  return right;
}

inline std::vector<Mistake<Product>> of_product() {
  const std::string read = "A tape";
  return {
      {"divided-by-the-factor",
       "You divided the product by the factor. For a factor of 0 that is 0/0, which is NaN. "
       "Multiply the other factors instead.",
       read, product<divided>},
      {"zero-for-a-zero",
       "You gave a factor of 0 the derivative 0. If it moves, the product moves by the others' "
       "product: that is not 0 unless another factor is 0 too.",
       read, product<zero_for_zero>},
      {"chained",
       "You wrote one entry for each multiplication. Here one entry has all the edges: call write() once.",
       read, chained},
      {"edges-with-the-product",
       "You gave each edge the whole product. The local derivative is the product of the others alone.", read,
       product<all_of>},
      {"own-factor",
       "You gave each edge the value of the factor that it leads to. If a factor moves by a "
       "little, the product moves by the other factors' product times as much.",
       read, product<own_value>},
      {"factors-before-alone", "Your derivative has only the factors before. Those behind it count too.",
       read, product<before_alone>},
      {"neighbour-alone", "Your derivative is the value of one other factor. All others multiply it.", read,
       product<neighbour_alone>},
      {"sum-of-the-others", "You added the other factors up. Multiply them.", read, product<sum_of_others>},
      {"equal-values-left-out",
       "You left out every factor with the same value. Only the factor itself is left out: compare its place "
       "among the factors, not its value.",
       read, product<other_values>},
      {"same-number-left-out",
       "If a number is two of the factors, you left out both. On each path only one of them moves, and the "
       "other one multiplies it. Compare the places among the factors, not those on the tape.",
       read, other_places},
      {"one-edge-a-number",
       "A number that is two of the factors got one edge. Each of its appearances is a path of its own.",
       "Why `+=`", one_edge_a_number},
      {"first-edge-missing", "The first factor has no edge. It moves the product as the others do.", read,
       first_left_out}};
}

// With the first edge missing.
template <auto by>
Scalar without_first(const std::vector<Scalar>& factors) {
  const Scalar wrong = product<by>(factors);
  wrong.tape->back().edges.erase(wrong.tape->back().edges.begin());
  return wrong;
}

inline const std::vector<Together<Product>> kTogetherInProducts = {
    {{"first-edge-missing", "divided-by-the-factor"}, without_first<divided>},
    {{"first-edge-missing", "own-factor"}, without_first<own_value>},
    {{"first-edge-missing", "edges-with-the-product"}, without_first<all_of>}};

}  // namespace mistakes
