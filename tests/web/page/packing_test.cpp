// Packed patterns: sizes that do not divide, both widths, extreme weights, rounding.
#include "catch.h"
#include "headlight/core/rng.h"
#include "page/packed_patterns.h"

using namespace headlight;
using namespace headlight::page;

namespace {

std::vector<unsigned> levels_of(const PackedPatterns& packed) {
  const std::size_t width = packed.bits() == 8 ? 1 : 2;
  std::vector<unsigned> levels;
  for (std::size_t at = 0; at < packed.bytes().size(); at += width) {
    unsigned level = 0;
    for (std::size_t k = width; k > 0; --k)  // little-endian
      level = level * 256 + static_cast<unsigned char>(packed.bytes().at(at + k - 1));
    levels.push_back(level);
  }
  return levels;
}

std::vector<unsigned> packed_levels(const Array& patterns, int bits, std::size_t cell = 1) {
  PackedPatterns packed(bits, cell);
  packed.add(patterns);
  return levels_of(packed);
}

// Causal patterns of random weights.
Array random_patterns(std::size_t heads, std::size_t n) {
  Rng rng(heads * 100 + n);
  Array x = rng.uniform_array({heads, n, n});
  for (std::size_t h = 0; h < heads; ++h)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j) x(h, i, j) = 0;
  return x;
}

// The largest weight of each cell on and below the diagonal, looked up weight by weight.
std::vector<unsigned> by_hand(const Array& patterns, int bits, std::size_t cell) {
  const std::size_t heads = patterns.shape()[0], n = patterns.shape()[1];
  const double most = bits == 8 ? 255 : 65535;
  std::vector<unsigned> levels;
  for (std::size_t h = 0; h < heads; ++h)
    for (std::size_t row = 0; row * cell < n; ++row)
      for (std::size_t column = 0; column <= row; ++column) {
        double largest = 0;
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j)
            if (i / cell == row && j / cell == column)
              largest = std::max(largest, static_cast<double>(patterns(h, i, j)));
        levels.push_back(static_cast<unsigned>(std::floor(largest * most + 0.5)));
      }
  return levels;
}

}  // namespace

TEST_CASE("every cell size packs every pattern size, heads one after the other", "[report]") {
  for (const int bits : {8, 16})
    for (const std::size_t cell : {1, 2, 3, 4, 7, 9})
      for (const std::size_t n : {1, 2, 3, 4, 5, 6, 7, 8}) {
        INFO(bits << " bits, cells of " << cell << ", patterns of " << n);
        const Array patterns = random_patterns(3, n);
        const auto levels = packed_levels(patterns, bits, cell);
        CHECK(levels == by_hand(patterns, bits, cell));
        CHECK(levels.size() * static_cast<std::size_t>(bits / 8) ==
              3 * PackedPatterns(bits, cell).bytes_of_pattern(n, n));
      }
}

TEST_CASE("the cell at the edge holds the last row and column", "[report]") {
  Array pattern = full_array({5, 5}, 0);
  pattern(4, 0) = 1;
  CHECK(packed_levels(pattern, 8, 2) == std::vector<unsigned>{0, 0, 0, 255, 0, 0});
  pattern(4, 0) = 0;
  pattern(4, 4) = 1;
  CHECK(packed_levels(pattern, 8, 2) == std::vector<unsigned>{0, 0, 0, 0, 0, 255});
  CHECK(PackedPatterns(8, 2).bytes_of_pattern(5, 5) == 6);
  CHECK(PackedPatterns(16, 2).bytes_of_pattern(5, 5) == 12);
  CHECK(PackedPatterns(8, 2).bytes_of_pattern(6, 6) == 6);
  CHECK(PackedPatterns(8, 2).bytes_of_pattern(7, 7) == 10);
  CHECK(PackedPatterns(16, 1).bytes_of_pattern(64, 64) == 4160);
}

TEST_CASE("weights of 0 and 1 are the ends of the range", "[report]") {
  const Array ends = tensor({{1, 0}, {0, 1}}).array();
  CHECK(packed_levels(ends, 8) == std::vector<unsigned>{255, 0, 255});
  CHECK(packed_levels(ends, 16) == std::vector<unsigned>{65535, 0, 65535});
}

TEST_CASE("weights beyond the range are packed as its ends", "[report]") {
  const Array beyond = tensor({{1.5, 0}, {-0.25, 2}}).array();
  CHECK(packed_levels(beyond, 8) == std::vector<unsigned>{255, 0, 255});
  CHECK(packed_levels(beyond, 16) == std::vector<unsigned>{65535, 0, 65535});
}

TEST_CASE("weights are rounded to the nearest level", "[report]") {
  for (const int bits : {8, 16}) {
    const double most = bits == 8 ? 255 : 65535;
    for (const double level : {0.0, 1.0, 100.0, 127.0, 254.0}) {
      INFO(bits << " bits, level " << level);
      const auto exact = static_cast<unsigned>(level);
      const auto packed = [&](double off) {
        return packed_levels(full_array({1, 1}, (level + off) / most), bits).at(0);
      };
      CHECK(packed(0) == exact);
      CHECK(packed(0.4) == exact);
      CHECK(packed(0.6) == exact + 1);
    }
  }
  CHECK(packed_levels(full_array({1, 1}, 0.5), 8).at(0) == 128);
  CHECK(packed_levels(full_array({1, 1}, 0.5), 16).at(0) == 32768);
}

TEST_CASE("patterns are appended in the order in which they are added", "[report]") {
  const Array a = random_patterns(2, 3), b = random_patterns(1, 3);
  PackedPatterns packed(16);
  packed.add(a);
  packed.add(b);
  auto expected = by_hand(a, 16, 1);
  for (unsigned level : by_hand(b, 16, 1)) expected.push_back(level);
  CHECK(levels_of(packed) == expected);
  CHECK(packed.bits() == 16);
  CHECK(packed.cell() == 1);
}

TEST_CASE("axes before the last two are heads and sequences", "[report]") {
  const Array three = random_patterns(6, 4);
  Array four = empty_array({2, 3, 4, 4});
  std::copy(three.begin(), three.end(), four.begin());
  CHECK(packed_levels(four, 8) == packed_levels(three, 8));
}

TEST_CASE("what cannot be packed is refused", "[report]") {
  for (const int bits : {0, 1, 7, 9, 15, 32})
    CHECK(contains(error_of([&] { PackedPatterns(bits, 1); }), "expected 8 or 16 bits"));
  CHECK(contains(error_of([] { PackedPatterns(8, 0); }), "a cell of at least 1, got 8 and 0"));
  for (const Shape& shape : {Shape{4}, Shape{3, 4}, Shape{2, 4, 3}})
    CHECK(contains(error_of([&] { PackedPatterns(8).add(full_array(shape, 0)); }),
                   "expected patterns (…,n,n)"));
}
