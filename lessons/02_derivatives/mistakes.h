// What people get wrong in the operators of exercise 2, parts 1 and 2.
#pragma once

#include "exercise.h"
#include "grader/slips.h"
#include "scalar.h"

namespace mistakes {

using grader::Made;
using grader::Mistake;
using grader::Slip;
using grader::slips_of;
using Binary = std::function<Scalar(const Scalar&, const Scalar&)>;
using Product = std::function<Scalar(const std::vector<Scalar>&)>;

inline constexpr const char *kTape = "A tape", *kAdding = "Why `+=`";

// A whole number in a variable of type int.
inline double kept(bool as_int, double x) { return as_int ? std::trunc(x) : x; }

inline double derivative_by_b(const Made& made, double x, double y) {
  const double a = made("numerator-forgotten") ? 1 : kept(made("whole-quotient"), x / y) * y,
               below = made("square-missing") ? y : y * y;
  const double slope = made("by-b-is-a")           ? x
                       : made("one-over-each")     ? 1 / x
                       : made("brackets-missing")  ? a / y * y
                       : made("divided-once-more") ? a / (y * y * y)
                       : made("roles-exchanged")   ? y / (x * x)
                       : made("by-b-is-1")         ? 1
                                                   : a / below;
  const bool positive = made("minus-missing") || made("by-b-is-a") || made("one-over-each");
  return positive ? slope : -slope;
}

inline Scalar quotient(const Made& made, const Scalar& a, const Scalar& b) {
  double x = a.value(), y = b.value();
  if (made("upside-down")) std::swap(x, y);
  const bool whole = made("whole-quotient") || made("whole-value");
  double by_a = made("derivative-by-a-is-b")   ? y
                : made("by-a-is-1")            ? 1
                : made("by-a-is-the-quotient") ? x / y
                : made("by-a-squared")         ? 1 / (y * y)
                : made("minus-in-both")        ? -1 / y
                                               : 1 / y,
         by_b = derivative_by_b(made, x, y);
  if (made("upside-down") != made("derivatives-swapped")) std::swap(by_a, by_b);
  std::vector<Edge> edges{{a.place, by_a}, {b.place, by_b}};
  if (made("both-edges-to-a")) edges[1].input = a.place;
  if (made("both-edges-to-b")) edges[0].input = b.place;
  if (made("no-edge-to-b")) edges.pop_back();
  if (made("no-edge-to-a")) edges.erase(edges.begin());
  return write(*a.tape, "/",
               made("value-of-the-product")      ? x * y
               : made("value-of-the-sum")        ? x + y
               : made("value-of-the-difference") ? x - y
                                                 : kept(whole, x / y),
               edges);
}

inline const std::vector<grader::Slip> kSlipsOfQuotient = {
    {"minus-missing",
     "The derivative by b lacks its minus. When b grows, a / b gets smaller: the derivative is −a/b².",
     kTape},
    {"square-missing", "You took −a/b as the derivative by b. The derivative of b⁻¹ is −b⁻², so it is −a/b².",
     kTape},
    {"brackets-missing",
     "You wrote −a / b * b, which divides by b and then multiplies by it. It takes brackets: "
     "−a / (b * b).",
     kTape},
    {"numerator-forgotten",
     "You took −1/b² as the derivative by b, that of 1/b. Here the numerator is a, so it is −a/b².", kTape},
    {"derivative-by-a-is-b",
     "You took b as the derivative by a. With b fixed, a / b is a times 1/b, so the derivative is 1/b.",
     kTape},
    {"by-a-is-1",
     "You took 1 as the derivative by a, as in a sum. a / b is a times 1/b, so the derivative is 1/b.",
     kTape},
    {"by-a-is-the-quotient",
     "You took a/b as the derivative by a. a / b is a times 1/b, so the derivative is 1/b.", kTape},
    {"by-b-is-a", "You took a as the derivative by b, as in a product. A quotient has another: −a/b² for b.",
     kTape},
    {"divided-once-more",
     "You divided by b three times in the derivative by b. The quotient has one division already: −a/b².",
     kTape},
    {"roles-exchanged", "You exchanged a and b in the derivative by b. It is −a/b².", kTape},
    {"by-b-is-1", "You took −1 as the derivative by b, as in a difference. A quotient has another: −a/b².",
     kTape},
    {"by-a-squared", "You took 1/b² as the derivative by a. a / b is a times 1/b, so the derivative is 1/b.",
     kTape},
    {"minus-in-both", "The derivative by a has a minus in your code. Only that by b has one: 1/b and −a/b².",
     kTape},
    {"both-edges-to-a", "Both of your edges lead to a. The second leads to b.place.", kTape},
    {"both-edges-to-b", "Both of your edges lead to b. The first leads to a.place.", kTape},
    {"one-over-each", "You took 1/a as the derivative by b. It is −a/b².", kTape},
    {"derivatives-swapped",
     "You gave a the derivative of b, and b that of a. The edge to a carries 1/b, the edge to b −a/b².",
     kTape},
    {"no-edge-to-b", "There is no edge to b. The quotient moves with both numbers: write two edges.", kTape},
    {"no-edge-to-a", "There is no edge to a. The quotient moves with both numbers: write two edges.", kTape},
    {"upside-down", "You computed b / a. The first argument, a, is what is divided.", kTape},
    {"value-of-the-product", "The value that you wrote is a · b. It is a / b.", kTape},
    {"value-of-the-sum", "The value that you wrote is a + b. It is a / b.", kTape},
    {"value-of-the-difference", "The value that you wrote is a − b. It is a / b.", kTape},
    {"whole-value",
     "Your value is a whole number: an int holds it, or something divided whole numbers. Keep it in a "
     "double.",
     kTape},
    {"whole-quotient",
     "Your quotient is a whole number, and the derivative that you compute from it is wrong with it: an "
     "int holds it. Keep it in a double.",
     kTape}};

inline std::vector<Mistake<Binary>> of_quotient() { return slips_of<Binary>(quotient, kSlipsOfQuotient); }

// Whether another factor counts in the derivative by factor k.
inline bool takes(const Made& made, const std::vector<Scalar>& factors, std::size_t k, std::size_t other) {
  if (made("edges-with-the-product")) return true;
  if (made("own-factor")) return other == k;
  if (made("factors-before-alone") && other > k) return false;
  if (made("factors-behind-alone") && other < k) return false;
  if (made("first-other-left-out") && other == 0) return false;
  if (made("last-other-left-out") && other + 1 == factors.size()) return false;
  if (made("neighbour-alone") && other != (k + 1) % factors.size()) return false;
  if (made("equal-values-left-out") && factors[other].value() == factors[k].value()) return false;
  if (made("same-number-left-out") && factors[other].place == factors[k].place) return false;
  return other != k;
}

inline double of_the_others(const Made& made, const std::vector<Scalar>& factors, std::size_t k,
                            double others) {
  for (std::size_t other = 0; other < factors.size(); ++other) {
    if (!takes(made, factors, k, other)) continue;
    const double value = factors[made("own-value-for-each-other") ? k : other].value();
    others = made("sum-of-the-others")  ? others + value
             : made("last-other-alone") ? value
                                        : kept(made("whole-derivative"), others * value);
  }
  return others;
}

inline Scalar chained(const std::vector<Scalar>& factors) {
  Scalar product = factors[0];
  for (std::size_t k = 1; k < factors.size(); ++k) product = product * factors[k];
  return product;
}

// Leaves each number the edge of its last appearance among the factors.
inline void leave_one_edge(std::vector<Edge>& edges) {
  for (std::size_t k = edges.size(); k > 0; --k)
    for (std::size_t later = k; later < edges.size(); ++later)
      if (edges[later].input == edges[k - 1].input) {
        edges.erase(edges.begin() + static_cast<std::ptrdiff_t>(k - 1));
        break;
      }
}

// The place to which edge k leads.
inline std::size_t place_of(const Made& made, const std::vector<Scalar>& factors, std::size_t k) {
  if (made("edges-to-k")) return k;
  return (made("edges-to-the-first")  ? factors.front()
          : made("edges-to-the-last") ? factors.back()
                                      : factors[k])
      .place;
}

inline Scalar product(const Made& made, const std::vector<Scalar>& factors) {
  if (made("chained")) return chained(factors);
  double all = made("product-from-0") ? 0 : 1, others = 1;
  const std::size_t begin = made("first-factor-not-multiplied") ? 1 : 0,
                    end = factors.size() - (made("last-factor-not-multiplied") ? 1 : 0);
  for (std::size_t k = begin; k < end; ++k)
    all = made("sum-for-product")     ? all + factors[k].value() - (k == 0 ? 1 : 0)
          : made("last-factor-alone") ? factors[k].value()
                                      : kept(made("whole-product"), all * factors[k].value());
  std::vector<Edge> edges;
  double so_far = 1;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const double value = factors[k].value();
    if (!made("others-not-reset") || k == 0)
      others = made("others-from-0") || made("sum-of-the-others") ? 0 : 1;
    others = of_the_others(made, factors, k, others);
    double by = made("divided-by-the-factor") || made("zero-for-a-zero") ? all / value : others;
    if (made("zero-for-a-zero") && value == 0) by = 0;
    so_far *= value;
    if (made("product-so-far")) by = so_far;
    edges.push_back({place_of(made, factors, k), by});
    if (made("returns-in-the-loop")) return write(*factors[0].tape, "product", so_far, edges);
    if (made("an-entry-for-each-factor") && k + 1 < factors.size())
      write(*factors[0].tape, "product", so_far, edges);
  }
  if (made("one-edge-a-number")) leave_one_edge(edges);
  if (made("first-edge-missing")) edges.erase(edges.begin());
  if (made("last-edge-missing") && !edges.empty()) edges.pop_back();
  return write(*factors[0].tape, "product", all, edges);
}

inline const std::vector<grader::Slip> kSlipsOfProduct = {
    {"divided-by-the-factor",
     "You divided the product by the factor. For a factor of 0 that is 0/0, which is NaN. "
     "Multiply the other factors instead.",
     kTape},
    {"zero-for-a-zero",
     "You gave a factor of 0 the derivative 0. If it moves, the product moves by the others' "
     "product: that is not 0 unless another factor is 0 too.",
     kTape},
    {"chained",
     "You wrote one entry for each multiplication. Here one entry has all the edges: call write() once.",
     kTape},
    {"edges-with-the-product",
     "You gave each edge the whole product. The local derivative is the product of the others alone.", kTape},
    {"own-factor",
     "You gave each edge the value of the factor that it leads to. If a factor moves by a "
     "little, the product moves by the other factors' product times as much.",
     kTape},
    {"own-value-for-each-other",
     "You multiplied the factor itself, once for each other one. Multiply the others: factors[other], not "
     "factors[k].",
     kTape},
    {"factors-before-alone", "Your derivative has only the factors before. Those behind it count too.",
     kTape},
    {"factors-behind-alone", "Your derivative has only the factors behind. Those before it count too.",
     kTape},
    {"product-so-far",
     "Your derivative is the product up to the factor itself. Those behind it count too, and the factor "
     "itself does not.",
     kTape},
    {"first-other-left-out", "Your derivatives lack factor 0. Count the others from 0.", kTape},
    {"last-other-left-out", "Your derivatives lack the last factor. Loop over all others.", kTape},
    {"neighbour-alone", "Your derivative is the value of one other factor. All others multiply it.", kTape},
    {"last-other-alone",
     "Your derivative is the value of the last other factor: you wrote `=` where `*=` belongs.", kTape},
    {"sum-of-the-others", "You added the other factors up. Multiply them.", kTape},
    {"others-not-reset",
     "You multiply on where the factor before ended. The product of the others begins with 1 for each "
     "factor: set it inside the outer loop.",
     kTape},
    {"others-from-0", "Your product of the others begins with 0, and stays 0. A product begins with 1.",
     kTape},
    {"equal-values-left-out",
     "You left out every factor with the same value. Only the factor itself is left out: compare its "
     "place among the factors, not its value.",
     kTape},
    {"same-number-left-out",
     "If a number is two of the factors, you left out both. On each path only one of them moves, and the "
     "other one multiplies it. Compare the places among the factors, not those on the tape.",
     kTape},
    {"whole-derivative",
     "Your derivatives are whole numbers: an int multiplies the other factors. Take a double.", kTape},
    {"one-edge-a-number",
     "A number that is two of the factors got one edge. Each of its appearances is a path of its own.",
     kAdding},
    {"first-edge-missing", "The first factor has no edge. It moves the product as the others do.", kTape},
    {"last-edge-missing", "The last factor has no edge. It moves the product as the others do.", kTape},
    {"edges-to-the-first", "All your edges lead to the first factor. Edge k leads to factors[k].place.",
     kTape},
    {"edges-to-the-last", "All your edges lead to the last factor. Edge k leads to factors[k].place.", kTape},
    {"edges-to-k",
     "Your edges lead to the places 0, 1, 2, …. Factor k may stand anywhere on the tape, and a number may "
     "be several of the factors: edge k leads to factors[k].place.",
     kTape},
    {"returns-in-the-loop",
     "You call write() and return inside the loop, after the first factor. Write the entry behind the "
     "loop, when it has all edges.",
     kTape},
    {"an-entry-for-each-factor",
     "You call write() inside the loop, once for each factor. Write one entry behind the loop, when it has "
     "all edges.",
     kTape},
    {"product-from-0", "Your product begins with 0, and stays 0. A product begins with 1.", kTape},
    {"sum-for-product", "Your value is the sum of the factors. Multiply them.", kTape},
    {"last-factor-alone", "Your value is the last factor alone: you wrote `=` where `*=` belongs.", kTape},
    {"first-factor-not-multiplied", "Your value lacks the first factor. Count from 0.", kTape},
    {"last-factor-not-multiplied", "Your value lacks the last factor. Loop over all of them.", kTape},
    {"whole-product", "Your value is a whole number: an int holds the product. Take a double.", kTape}};

inline std::vector<Mistake<Product>> of_product() { return slips_of<Product>(product, kSlipsOfProduct); }

}  // namespace mistakes
