// An Array is a container of xtensor, so xtensor's views, reductions, printing and files work on it.
#include <fmt/core.h>

#include <iostream>
#if __has_include(<xtensor/io/xio.hpp>)  // xtensor 0.26 and later
#include <xtensor/generators/xrandom.hpp>
#include <xtensor/io/xio.hpp>
#include <xtensor/io/xnpy.hpp>
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xio.hpp>
#include <xtensor/xnpy.hpp>
#include <xtensor/xrandom.hpp>
#include <xtensor/xview.hpp>
#endif

#include "headlight/ops/ops.h"
#include "headlight/system/run_main.h"
namespace hl = headlight;

int main() {
  return hl::run_main([] {
    hl::Array x = {{1, 2, 3}, {4, 5, 6}};
    std::cout << x << "\n\n";

    xt::row(x, 1) *= 10;  // a view writes to x
    std::cout << xt::view(x, xt::all(), xt::range(1, 3)) << "\n\n";

    // Store a sum that keeps its axis before you use it: xtensor computes x / xt::sum(…) wrongly.
    const hl::Array sums = xt::sum(x, {1}, xt::keep_dims);
    const hl::Array shares = x / sums;
    fmt::print("{:.2f}\nmean {}, largest {}\n\n", shares, xt::mean(x)(), xt::amax(x)());

    // auto would keep the expression, which draws other numbers at each access.
    const hl::Array start = xt::random::randn<hl::Real>({3, 2}, 0, 0.1);
    const hl::Tensor w = hl::parameter(start), loss = mean(matmul(hl::Tensor(shares), w));
    loss.backward();
    const hl::Array& gradient = w.grad().array();  // does not depend on the random numbers
    std::cout << gradient << "\n\n";

    xt::dump_npy("gradient.npy", gradient);  // numpy.load("gradient.npy") reads it
    const hl::Array back = xt::load_npy<hl::Real, xt::layout_type::row_major>("gradient.npy");
    std::cout << (back == gradient ? "the same numbers" : "other numbers") << "\n";
  });
}
