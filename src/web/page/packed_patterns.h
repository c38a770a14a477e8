// Attention patterns in the format of the page.
#pragma once

#include <cstdint>
#include <string>

#include "headlight/core/array.h"

namespace headlight::page {

// Whether a query sees only the keys up to its own position (all other weights are 0), or every key.
enum class Sight { causal, full };

// The patterns of all heads on one sequence, as integers of 8 or 16 bits, row by row. Of a causal pattern
// (n,n) it keeps only the part up to the diagonal. A large pattern can be reduced: each cell is then the
// largest of cell × cell weights.
class PackedPatterns {
 public:
  // `window`: query i sees keys j with |i - j| < window only; 0: all. Throws Error unless bits is 8 or 16 and
  // cell at least 1.
  explicit PackedPatterns(int bits = 8, std::size_t cell = 1, Sight sight = Sight::causal,
                          std::size_t window = 0);

  // Appends patterns (…,n,m), head by head; n = m if they are causal. Throws Error for a shape that differs
  // from the first, and for a causal pattern with a weight on a later key.
  void add(const Array& patterns);

  int bits() const { return bits_; }
  std::size_t cell() const { return cell_; }
  Sight sight() const { return sight_; }
  std::size_t window() const { return window_; }
  std::size_t queries() const { return queries_; }  // n; 0 before the first pattern
  std::size_t keys() const { return keys_; }        // m
  const std::string& bytes() const { return bytes_; }

  // Bytes that one pattern (queries,keys) takes.
  std::size_t bytes_of_pattern(std::size_t queries, std::size_t keys) const;

 private:
  void add_one(const Real* pattern);

  int bits_;
  std::size_t cell_;
  Sight sight_;
  std::size_t window_;
  std::size_t queries_ = 0, keys_ = 0;
  std::string bytes_;  // little-endian
};

}  // namespace headlight::page
