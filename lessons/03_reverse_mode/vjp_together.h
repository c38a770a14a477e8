// Mistakes that people make together in the backward passes of exercise 3.
#pragma once

#include "vjp_mistakes.h"

namespace mistakes {

inline std::vector<grader::Together<TwoInputs>> together_in_mul() {
  return {{{"g-forgotten", "mean-over-copies"},
           [](const Tensor& g, const Tensor& x, const Tensor& y) {
             return mul_mean_over_copies(ones(g.shape()), x, y);
           }},
          {{"g-forgotten", "last-copy"},
           [](const Tensor& g, const Tensor& x, const Tensor& y) {
             return mul_last_copy(ones(g.shape()), x, y);
           }},
          {{"own-factor", "mean-over-copies"},
           [](const Tensor& g, const Tensor& x, const Tensor& y) -> Two {
             return {sum_to(g * x, x.shape()) / copies(x.shape(), g.shape()),
                     sum_to(g * y, y.shape()) / copies(y.shape(), g.shape())};
           }},
          {{"own-factor", "last-copy"}, [](const Tensor& g, const Tensor& x, const Tensor& y) -> Two {
             return {last_copy(g * x, x.shape()), last_copy(g * y, y.shape())};
           }}};
}

// What is subtracted from g in the backward pass of softmax.
using Subtracted = Tensor (*)(const Tensor&, const Tensor&);
inline Tensor mean_of_g(const Tensor& g, const Tensor&) { return mean(g, {-1}, true); }
inline Tensor sum_of_g(const Tensor& g, const Tensor&) { return sum(g, {-1}, true); }
inline Tensor sum_of_all(const Tensor& g, const Tensor& y) { return sum(y * g); }
inline Tensor column_sum(const Tensor& g, const Tensor& y) { return sum(y * g, {0}, true); }
inline Tensor row_sum(const Tensor& g, const Tensor& y) { return sum(y * g, {-1}, true); }

template <Subtracted subtracted>
Tensor turned(const Tensor& g, const Tensor& y) {
  return y * (subtracted(g, y) - g);
}
template <Subtracted subtracted>
Tensor without_factor(const Tensor& g, const Tensor& y) {
  return g - subtracted(g, y);
}

inline std::vector<grader::Together<SoftmaxVjp>> together_in_softmax() {
  return {{{"plain-mean", "other-sign"}, turned<mean_of_g>},
          {{"plain-mean", "factor-y-missing"}, without_factor<mean_of_g>},
          {{"sum-of-g", "other-sign"}, turned<sum_of_g>},
          {{"sum-of-g", "factor-y-missing"}, without_factor<sum_of_g>},
          {{"sum-over-all-rows", "other-sign"}, turned<sum_of_all>},
          {{"sum-over-all-rows", "factor-y-missing"}, without_factor<sum_of_all>},
          {{"sum-over-columns", "other-sign"}, turned<column_sum>},
          {{"sum-over-columns", "factor-y-missing"}, without_factor<column_sum>},
          {{"other-sign", "factor-y-missing"},
           [](const Tensor& g, const Tensor& y) { return row_sum(g, y) - g; }}};
}

}  // namespace mistakes
