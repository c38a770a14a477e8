// Mistakes that people make together in parts 1 to 4 of exercise 3.
#pragma once

#include "rows_mistakes.h"

namespace mistakes {

inline std::vector<grader::Together<DivVjp>> together_in_div() {
  return {{{"sign-forgotten", "square-forgotten"},
           [](const Tensor& g, const Tensor& x, const Tensor& y) -> Two {
             return {sum_to(g / y, x.shape()), sum_to(g * x / y, y.shape())};
           }},
          {{"sign-forgotten", "not-summed-back"},
           [](const Tensor& g, const Tensor& x, const Tensor& y) -> Two {
             return {to_x(g, y), -to_y(g, x, y)};
           }},
          {{"square-forgotten", "not-summed-back"},
           [](const Tensor& g, const Tensor& x, const Tensor& y) -> Two {
             return {to_x(g, y), -g * x / y};
           }},
          {{"sign-forgotten", "mean-over-copies"},
           [](const Tensor& g, const Tensor& x, const Tensor& y) -> Two {
             const auto [x_bar, y_bar] = div_mean_over_copies(g, x, y);
             return {x_bar, -y_bar};
           }},
          {{"sign-forgotten", "last-copy"},
           [](const Tensor& g, const Tensor& x, const Tensor& y) -> Two {
             const auto [x_bar, y_bar] = div_last_copy(g, x, y);
             return {x_bar, -y_bar};
           }},
          {{"as-a-product", "not-summed-back"},
           [](const Tensor& g, const Tensor& x, const Tensor& y) -> Two {
             return {g * y, g * x};
           }},
          {{"g-forgotten", "mean-over-copies"}, [](const Tensor& g, const Tensor& x, const Tensor& y) {
             return div_mean_over_copies(ones(g.shape()), x, y);
           }}};
}

inline std::vector<grader::Together<VarianceVjp>> together_in_variance() {
  return {
      {{"mean-not-subtracted", "two-forgotten"},
       [](const Tensor& g, const Tensor& x, int axis) { return variance_not_centred(g, x, axis) / 2; }},
      {{"mean-not-subtracted", "length-forgotten"},
       [](const Tensor& g, const Tensor& x, int axis) { return 2 * put_back(g, x, axis) * x; }},
      {{"two-forgotten", "length-forgotten"},
       [](const Tensor& g, const Tensor& x, int axis) { return put_back(g, x, axis) * centred(x, axis); }},
      {{"two-forgotten", "own-square-alone"},
       [](const Tensor& g, const Tensor& x, int axis) { return variance_own_square_alone(g, x, axis) / 2; }},
      {{"axis-not-put-back", "two-forgotten"},
       [](const Tensor& g, const Tensor& x, int axis) { return variance_axis_dropped(g, x, axis) / 2; }},
      {{"axis-not-put-back", "length-forgotten"},
       [](const Tensor& g, const Tensor& x, int axis) {
         return variance_axis_dropped(g, x, axis) * length(x, axis);
       }},
      {{"axis-not-put-back", "mean-not-subtracted"}, [](const Tensor& g, const Tensor& x, int axis) {
         return 2 * broadcast_to(g, x.shape()) * x / length(x, axis);
       }}};
}

inline std::vector<grader::Together<OneInput>> together_in_gram() {
  return {
      {{"right-factor-forgotten", "W-not-transposed"},
       [](const Tensor& g, const Tensor& X) { return matmul(g, transpose(X)); }},
      {{"left-factor-forgotten", "W-bar-not-transposed"},
       [](const Tensor& g, const Tensor& X) { return matmul(transpose(X), g); }},
      {{"W-not-transposed", "W-bar-not-transposed"},
       [](const Tensor& g, const Tensor& X) { return matmul(g, transpose(X)) + matmul(transpose(X), g); }},
      {{"g-forgotten", "right-factor-forgotten"},
       [](const Tensor& g, const Tensor& X) { return matmul(ones(g.shape()), X); }}};
}

// What is subtracted from g in the backward pass of shares.
using Subtracted = Tensor (*)(const Tensor& g, const Tensor& y);
inline Tensor mean_of_g(const Tensor& g, const Tensor&) { return mean(g, {-1}, true); }
inline Tensor sum_of_g(const Tensor& g, const Tensor&) { return row_sum(g); }
inline Tensor sum_of_all(const Tensor& g, const Tensor& y) { return sum(y * g); }
inline Tensor column_sum(const Tensor& g, const Tensor& y) { return sum(y * g, {0}, true); }

inline Tensor J_times_g(const Tensor& g, const Tensor& y) { return y * row_sum(g); }

template <Subtracted subtracted>
Tensor turned(const Tensor& g, const Tensor& x) {
  return (subtracted(g, shares(x)) - g) / row_sum(x);
}
template <Subtracted subtracted>
Tensor not_divided(const Tensor& g, const Tensor& x) {
  return g - subtracted(g, shares(x));
}

inline std::vector<grader::Together<OneInput>> together_in_shares() {
  return {{{"plain-mean", "other-sign"}, turned<mean_of_g>},
          {{"plain-mean", "not-divided"}, not_divided<mean_of_g>},
          {{"sum-of-g", "other-sign"}, turned<sum_of_g>},
          {{"sum-of-g", "not-divided"}, not_divided<sum_of_g>},
          {{"sum-over-all-rows", "other-sign"}, turned<sum_of_all>},
          {{"sum-over-all-rows", "not-divided"}, not_divided<sum_of_all>},
          {{"sum-over-columns", "other-sign"}, turned<column_sum>},
          {{"sum-over-columns", "not-divided"}, not_divided<column_sum>},
          {{"jacobian-not-transposed", "other-sign"}, turned<J_times_g>},
          {{"jacobian-not-transposed", "not-divided"}, not_divided<J_times_g>},
          {{"other-sign", "not-divided"},
           [](const Tensor& g, const Tensor& x) { return row_sum(shares(x) * g) - g; }}};
}

}  // namespace mistakes
