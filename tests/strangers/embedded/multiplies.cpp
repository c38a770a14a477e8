// A product of two matrices in float.
#include <array>
#include <cstdio>

#include "headlight/core/gemm.h"

int main() {
  using namespace headlight;
  const std::array<Real, 4> a{1, 2, 3, 4}, b{5, 6, 7, 8};
  std::array<Real, 4> c{};
  gemm({a.data(), 2, 2, 2}, {b.data(), 2, 2, 2}, {c.data(), 2, 2, 2});
  std::puts(c == std::array<Real, 4>{19, 22, 43, 50} ? "multiplied" : "wrong");
}
