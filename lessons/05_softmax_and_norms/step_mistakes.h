// Wrong ways to measure where descent with large steps leads.
#pragma once

#include "grader/trials.h"
#include "layer_norm_gradients.h"

namespace mistakes {

using grader::Made;

// The loss that a learner measures at x.
inline double measured_loss(const Made& made, const Tensor& g, const Tensor& x) {
  const Tensor y = solution::layer_norm_forward(x, ones({4}), zeros({4}), 1e-5);
  if (made("x-for-y")) return sum(g * x).item();
  if (made("g-left-out")) return sum(y).item();
  return made("mean-for-sum") ? mean(g * y).item() : sum(g * y).item();
}

inline std::vector<double> losses_with_slips(const Made& made, const std::vector<double>& step_sizes) {
  const Tensor w = ones({4}), g = made("g-of-part-6") ? tensor({{1, 2, 3, 3}}) : tensor({{1, 2, 3, 6}}),
               start = made("start-of-part-6") ? tensor({{0, 0, 8, 8}}) : tensor({{0, 1, 3, 8}});
  const int steps = made("one-step")    ? 1
                    : made("99-steps")  ? 99
                    : made("101-steps") ? 101
                    : made("ten-steps") ? 10
                    : made("no-step")   ? 0
                                        : 100;
  std::vector<double> all;
  Tensor x = start;
  for (const double size : step_sizes) {
    if (!made("x-kept")) x = start;
    LayerNormGradients d = solution::layer_norm_backward(g, x, w, 1e-5);
    for (int step = 0; step < steps; ++step) {
      if (step > 0 && !made("gradient-kept")) d = solution::layer_norm_backward(g, x, w, 1e-5);
      const Tensor along = made("dw-for-dx") ? d.w : made("db-for-dx") ? d.b : d.x;
      x = made("uphill")         ? x + size * along
          : made("divided-by-s") ? x - along / size
          : made("s-left-out")   ? x - along
                                 : x - size * along;
    }
    all.push_back(measured_loss(made, g, x));
  }
  return all;
}

inline std::vector<grader::WrongMeasure> of_step_sizes() {
  return grader::wrong_measures(
      losses_with_slips,
      {{"uphill", "You go uphill: x + s·dx. Descent subtracts, x - s·dx."},
       {"no-step",
        "You measured the loss at the start. Take 100 steps first, and keep what they return: x = x - s·dx."},
       {"one-step", "You took one step. Take 100."},
       {"99-steps", "You took 99 steps. Take 100."},
       {"101-steps", "You took 101 steps. Take 100."},
       {"ten-steps", "You took 10 steps. Take 100."},
       {"x-kept",
        "Each trial begins at x = [[0, 1, 3, 8]]. Yours goes on from where the trial before ended."},
       {"gradient-kept",
        "You computed the gradient once, before the steps. Each step has its own, at its x."},
       {"x-for-y", "You measured Σ g⊙x. The loss is Σ g⊙y, with the normalized y."},
       {"g-left-out", "You measured Σ y. The loss is Σ g⊙y."},
       {"mean-for-sum", "You measured the mean of g⊙y. The loss is its sum."},
       {"dw-for-dx", "You went along the gradient of w. The steps change x: its gradient is the first, .x."},
       {"db-for-dx", "You went along the gradient of b. The steps change x: its gradient is the first, .x."},
       {"g-of-part-6", "Your g is that of part 6, [[1, 2, 3, 3]]. Here it is [[1, 2, 3, 6]]."},
       {"start-of-part-6", "Your start is the x of part 6, [[0, 0, 8, 8]]. Here it is [[0, 1, 3, 8]]."},
       {"divided-by-s", "You divided the gradient by s. A step is s·dx."},
       {"s-left-out", "Your steps are dx, without s. A step is s·dx."}});
}

}  // namespace mistakes
