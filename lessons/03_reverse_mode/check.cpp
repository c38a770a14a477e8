// Grades the exercise of lesson 3.
#include <algorithm>
#include <cmath>
#include <limits>

#include "exercise.h"
#include "functions.h"
#include "grader/part.h"

std::pair<Tensor, Tensor> mul_vjp(const Tensor& g, const Tensor& x, const Tensor& y);
Tensor sum_vjp(const Tensor& g, const Shape& shape, std::size_t axis);
std::pair<Tensor, Tensor> matmul_vjp(const Tensor& g, const Tensor& X, const Tensor& W);
Tensor softmax_vjp(const Tensor& g, const Tensor& y);
Tensor measured_vjp(const Forward& f, const Tensor& x, const Tensor& u);
bool gradient_check(const Forward& f, const Backward& vjp, const Tensor& x);

namespace solution {
#include "solution.cpp"
}

#include "vjp_parts.h"

#include "check_parts.h"

int main(int argc, char** argv) {
  return grader::run(argc, argv, [] {
    return grader::Exercise{"03_reverse_mode",
                            {parts::mul_part(), parts::sum_part(), parts::matmul_part(),
                             parts::softmax_part(), parts::measured_part(), parts::check_part()}};
  });
}
