#include "packed_patterns.h"

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/draw/color.h"

namespace headlight::page {

PackedPatterns::PackedPatterns(int bits, std::size_t cell, Sight sight, std::size_t window)
    : bits_(bits), cell_(cell), sight_(sight), window_(window) {
  check((bits == 8 || bits == 16) && cell >= 1,
        "[packed patterns] expected 8 or 16 bits and a cell of at least 1, got {} and {}.", bits, cell);
}

std::size_t PackedPatterns::bytes_of_pattern(std::size_t queries, std::size_t keys) const {
  const std::size_t rows = (queries + cell_ - 1) / cell_, columns = (keys + cell_ - 1) / cell_;
  const std::size_t cells = sight_ == Sight::causal ? rows * (rows + 1) / 2 : rows * columns;
  return cells * static_cast<std::size_t>(bits_ / 8);
}

void PackedPatterns::add(const Array& patterns) {
  const std::size_t dims = patterns.dimension();
  const bool causal = sight_ == Sight::causal;
  check(dims >= 2 && (!causal || patterns.shape()[dims - 1] == patterns.shape()[dims - 2]),
        "[packed patterns] expected patterns (…,n,{}), got {}.", causal ? "n" : "m", Shape(patterns.shape()));
  const std::size_t n = patterns.shape()[dims - 2], m = patterns.shape()[dims - 1];
  check(bytes_.empty() || (n == queries_ && m == keys_),
        "[packed patterns] expected patterns ({},{}) like the first, got ({},{}).", queries_, keys_, n, m);
  queries_ = n;
  keys_ = m;
  for (const Real* pattern = patterns.data(); pattern != patterns.data() + patterns.size(); pattern += n * m)
    add_one(pattern);
}

void PackedPatterns::add_one(const Real* pattern) {
  const bool causal = sight_ == Sight::causal;
  for (std::size_t q = 0; causal && q < queries_; ++q)
    check(std::all_of(pattern + q * keys_ + q + 1, pattern + (q + 1) * keys_, [](Real w) { return w == 0; }),
          "[packed patterns] query {} of a causal pattern looks at a later key. Hint: Sight::full keeps it.",
          q);
  const double levels = bits_ == 8 ? 255 : 65535;
  const std::size_t rows = (queries_ + cell_ - 1) / cell_, columns = (keys_ + cell_ - 1) / cell_;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < (causal ? i + 1 : columns); ++j) {
      Real largest = 0;
      for (std::size_t q = i * cell_; q < std::min(queries_, (i + 1) * cell_); ++q)
        for (std::size_t k = j * cell_; k < std::min(keys_, (j + 1) * cell_); ++k)
          largest = std::max(largest, pattern[q * keys_ + k]);
      const auto level =
          static_cast<unsigned>(std::lround(draw::clamped(static_cast<double>(largest)) * levels));
      bytes_ += static_cast<char>(level & 0xffU);
      if (bits_ == 16) bytes_ += static_cast<char>(level >> 8U);
    }
}

}  // namespace headlight::page
