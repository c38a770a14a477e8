// Grades the exercise of lesson 3.
#include <algorithm>
#include <cmath>
#include <limits>

#include "exercise.h"
#include "functions.h"
#include "grader/experiment.h"

std::pair<Tensor, Tensor> div_vjp(const Tensor& g, const Tensor& x, const Tensor& y);
Tensor variance_vjp(const Tensor& g, const Tensor& x, int axis);
Tensor gram_vjp(const Tensor& g, const Tensor& X);
Tensor shares_vjp(const Tensor& g, const Tensor& x);
Tensor measured_vjp(const Forward& f, const Tensor& x, const Tensor& u);
bool gradient_check(const Forward& f, const Backward& vjp, const Tensor& x);
std::vector<Trial> one_wrong_number();

namespace solution {
namespace {  // which a learner's file cannot call
#include "solution.cpp"
}
}  // namespace solution

#include "vjp_parts.h"

#include "check_parts.h"
#include "finders_mistakes.h"

namespace {

grader::Part experiment() {
  return grader::experiment_part("one_wrong_number", 2, &one_wrong_number, &solution::one_wrong_number,
                                 [](double n) { return solution::finders(static_cast<std::size_t>(n)); },
                                 {.setting = "n",
                                  .measured = "checks of 100 that find it",
                                  .least = 1,
                                  .most = 10000,
                                  .wrong = mistakes::of_one_wrong_number()});
}

}  // namespace

int main(int argc, char** argv) {
  return grader::run(argc, argv, [] {
    return grader::Exercise{
        "03_reverse_mode",
        {grader::without(parts::div_part(), {"backward"}),
         grader::without(parts::variance_part(), {"backward"}),
         grader::without(parts::gram_part(), {"backward"}),
         grader::without(parts::shares_part(), {"backward"}),
         grader::without(parts::measured_part(), {"backward"}), parts::check_part(), experiment()}};
  });
}
