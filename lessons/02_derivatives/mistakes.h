// What people get wrong in the operators and the measured gradient of exercise 2, parts 1, 2 and 4.
#pragma once

#include "exercise.h"
#include "grader/part.h"
#include "scalar.h"

namespace mistakes {

using grader::Mistake;
using solution::operator*;
using Binary = Scalar (*)(const Scalar&, const Scalar&);
using GradientsOf = std::vector<double> (*)(const Scalar&);
using Measure = std::vector<double> (*)(const Function&, std::vector<double>, double);
using AnyOrder = std::vector<double> (*)(const Tape&, std::size_t);
using Fit = Line (*)(const std::vector<double>&, const std::vector<double>&, Line, double, int);

// A product with these local derivatives.
template <auto by_a, auto by_b>
Scalar product(const Scalar& a, const Scalar& b) {
  const double x = a.value(), y = b.value();
  return write(*a.tape, "*", x * y, {{a.place, by_a(x, y)}, {b.place, by_b(x, y)}});
}

template <auto by_a, auto by_b>
Scalar quotient(const Scalar& a, const Scalar& b) {
  const double x = a.value(), y = b.value();
  return write(*a.tape, "/", x / y, {{a.place, by_a(x, y)}, {b.place, by_b(x, y)}});
}

constexpr auto first = [](double x, double) { return x; };
constexpr auto second = [](double, double y) { return y; };
constexpr auto one = [](double, double) { return 1.0; };
constexpr auto both = [](double x, double y) { return x * y; };
constexpr auto nothing = [](double, double) { return 0.0; };

inline Scalar sum_for_product(const Scalar& a, const Scalar& b) {
  return write(*a.tape, "*", a.value() + b.value(), {{a.place, b.value()}, {b.place, a.value()}});
}

inline Scalar both_edges_to_a(const Scalar& a, const Scalar& b) {
  return write(*a.tape, "*", a.value() * b.value(), {{a.place, b.value()}, {a.place, a.value()}});
}

inline std::vector<Mistake<Binary>> of_product() {
  const std::string read = "A tape";
  return {{"own-factor",
           "You gave each edge the value of the factor that it leads to. When a moves by a little, a · b "
           "moves by "
           "b times as much: the derivative by a is b.",
           read, product<first, second>},
          {"edges-of-plus",
           "You kept the derivatives of +, 1 and 1. A product moves by the other factor times as much as a "
           "factor does.",
           read, product<one, one>},
          {"edges-with-the-product",
           "You gave both edges the product itself. The local derivative is the other factor alone.", read,
           product<both, both>},
          {"edge-to-b-missing", "You wrote an edge to a only. b moves the product too, so it needs an edge.",
           read, product<second, nothing>},
          {"edge-to-a-missing", "You wrote an edge to b only. a moves the product too, so it needs an edge.",
           read, product<nothing, first>},
          {"both-edges-to-a",
           "Both of your edges lead to a. The second one, with the value of a, has to lead to b.", read,
           both_edges_to_a},
          {"value-of-plus", "The value is a + b. It should be a · b.", read, sum_for_product}};
}

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

// f at x with x[k] moved by d.
inline double moved(const Function& f, std::vector<double> x, std::size_t k, double d) {
  x.at(k) += d;
  return f(x);
}

// A measure whose entry k is some function of f, x, k and h.
template <auto entry>
std::vector<double> measure(const Function& f, std::vector<double> x, double h) {
  std::vector<double> gradient;
  for (std::size_t k = 0; k < x.size(); ++k) gradient.push_back(entry(f, x, k, h));
  return gradient;
}

using Point = std::vector<double>;
constexpr auto forward = [](const Function& f, const Point& x, std::size_t k, double h) {
  return (moved(f, x, k, h) - f(x)) / h;
};
constexpr auto backward = [](const Function& f, const Point& x, std::size_t k, double h) {
  return (f(x) - moved(f, x, k, -h)) / h;
};
constexpr auto divided_by_h = [](const Function& f, const Point& x, std::size_t k, double h) {
  return (moved(f, x, k, h) - moved(f, x, k, -h)) / h;
};
constexpr auto in_braces = [](const Function& f, const Point& x, std::size_t k, double h) {
  return (moved(f, x, k, h) - moved(f, x, k, -h)) / 2 * h;
};
constexpr auto not_divided = [](const Function& f, const Point& x, std::size_t k, double h) {
  return moved(f, x, k, h) - moved(f, x, k, -h);
};
constexpr auto signs_swapped = [](const Function& f, const Point& x, std::size_t k, double h) {
  return (moved(f, x, k, -h) - moved(f, x, k, h)) / (2 * h);
};
constexpr auto all_at_once = [](const Function& f, const Point& x, std::size_t, double h) {
  Point above = x, below = x;
  for (double& number : above) number += h;
  for (double& number : below) number -= h;
  return (f(above) - f(below)) / (2 * h);
};

// h is taken off only once: x[k] is back where it began, and no lower.
inline std::vector<double> lowered_once(const Function& f, Point x, double h) {
  std::vector<double> gradient;
  for (double& number : x) {
    number += h;
    const double above = f(x);
    number -= h;
    gradient.push_back((above - f(x)) / (2 * h));
  }
  return gradient;
}

inline std::vector<double> not_put_back(const Function& f, Point x, double h) {
  std::vector<double> gradient;
  for (double& number : x) {
    number += h;
    const double above = f(x);
    number -= 2 * h;
    gradient.push_back((above - f(x)) / (2 * h));
  }
  return gradient;
}

inline std::vector<Mistake<Measure>> of_measured_gradient() {
  const std::string read = "How small should h be?";
  return {
      {"forward-difference",
       "You measured from x to x + h: the forward difference, whose error is larger. Take one point on each "
       "side of x.",
       read, measure<forward>},
      {"backward-difference",
       "You measured from x − h to x. The central difference takes one point on each side of x.", read,
       measure<backward>},
      {"divided-by-h",
       "You divided by h. The two points are 2h apart, so the slope is the difference over 2h.", read,
       measure<divided_by_h>},
      {"brackets-missing",
       "You wrote / 2 * h, which divides by 2 and then multiplies by h. It takes brackets: / (2 * h).", read,
       measure<in_braces>},
      {"not-divided", "You returned the difference of the two values. A slope is that difference over 2h.",
       read, measure<not_divided>},
      {"signs-swapped",
       "You subtracted the upper value from the lower one. The slope is f(x + h) − f(x − h), over 2h.", read,
       measure<signs_swapped>},
      {"all-at-once", "You moved all numbers of x together. Entry k is about x[k] alone; the others stay.",
       read, measure<all_at_once>},
      {"lowered-once",
       "After x[k] + h you took off h once, and were back at x. The second point is at x[k] − h.", read,
       lowered_once},
      {"not-put-back",
       "You did not put x[k] back after measuring, so the later entries are measured at another point.", read,
       not_put_back}};
}

}  // namespace mistakes
