#include "kernels.h"
#include "vectors.h"

namespace headlight::kernels::this_level {

Real sum_row(const Real* x, std::size_t width) {
  constexpr std::size_t kChunk = 1024;  // small enough that rounding errors in a lane do not grow
  double total = 0;
  for (std::size_t at = 0; at < width; at += kChunk) {
    const std::size_t end = min_of(width, at + kChunk);
    total += static_cast<double>(sum_of(
        end - at, [](auto sum, auto a) { return sum + a; }, x + at));
  }
  return static_cast<Real>(total);
}

Real dot_row(const Real* x, const Real* y, std::size_t width) {
  return sum_of(
      width, [](auto sum, auto a, auto b) { return multiply_add(a, b, sum); }, x, y);
}

double sum_of_squares_row(const Real* x, std::size_t width) {
  using Wide = Lanes<double>;
  constexpr std::size_t kChunk = 4096;  // as in sum_row
  double total = 0;
  for (std::size_t at = 0; at < width; at += kChunk) {
    const std::size_t end = min_of(width, at + kChunk);
    Wide lanes{};
    std::size_t i = at;
    for (; i + Wide::kCount <= end; i += Wide::kCount)
      for (std::size_t p = 0; p < Wide::kParts; ++p) {
        const Vector<Wide::kWidth> narrow = load<Wide::kWidth>(x + i + p * Wide::kWidth);
        const auto part = __builtin_convertvector(narrow, Vector<Wide::kWidth, double>);
        lanes.part[p] = multiply_add(part, part, lanes.part[p]);
      }
    double sum = across(lanes, [](auto a, auto b) { return a + b; });
    for (; i < end; ++i) sum = multiply_add(static_cast<double>(x[i]), static_cast<double>(x[i]), sum);
    total += sum;
  }
  return total;
}

}  // namespace headlight::kernels::this_level
