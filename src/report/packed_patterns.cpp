#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/report/color.h"
#include "headlight/report/page.h"

namespace headlight::report {

PackedPatterns::PackedPatterns(int bits, std::size_t cell) : bits_(bits), cell_(cell) {
  check((bits == 8 || bits == 16) && cell >= 1,
        "[packed patterns] expected 8 or 16 bits and a cell of at least 1, got {} and {}.", bits, cell);
}

std::size_t PackedPatterns::bytes_of_pattern(std::size_t n, int bits, std::size_t cell) {
  const std::size_t m = (n + cell - 1) / cell;
  return m * (m + 1) / 2 * static_cast<std::size_t>(bits / 8);
}

void PackedPatterns::add(const Array& patterns) {
  const std::size_t dims = patterns.dimension();
  check(dims >= 2 && patterns.shape()[dims - 1] == patterns.shape()[dims - 2],
        "[packed patterns] expected patterns (…,n,n), got {}.", Shape(patterns.shape()));
  const std::size_t n = patterns.shape()[dims - 1], m = (n + cell_ - 1) / cell_;
  const double levels = bits_ == 8 ? 255 : 65535;
  const auto put = [&](double weight) {
    const auto level = static_cast<unsigned>(std::lround(clamped(weight) * levels));
    bytes_ += static_cast<char>(level & 0xffU);
    if (bits_ == 16) bytes_ += static_cast<char>(level >> 8U);
  };
  for (const Real* pattern = patterns.data(); pattern != patterns.data() + patterns.size(); pattern += n * n)
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        Real largest = 0;
        for (std::size_t q = i * cell_; q < std::min(n, (i + 1) * cell_); ++q)
          for (std::size_t k = j * cell_; k < std::min(n, (j + 1) * cell_); ++k)
            largest = std::max(largest, pattern[q * n + k]);
        put(static_cast<double>(largest));
      }
}

}  // namespace headlight::report
