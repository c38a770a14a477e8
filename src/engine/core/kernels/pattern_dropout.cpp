#include "kernels.h"

namespace headlight::kernels::this_level {
namespace {

// The finalizer of splitmix64 (Steele, Lea and Flood 2014): every bit of x changes half of the result's bits.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

std::uint64_t row_key(const PatternDropout& dropout, std::size_t b, std::size_t h, std::size_t position) {
  std::uint64_t key = mixed(dropout.seed + 0x9e3779b97f4a7c15);
  const std::size_t parts[] = {b, h, position};
  for (const std::size_t part : parts) key = mixed(key + 0x9e3779b97f4a7c15 * (part + 1));
  return key;
}

}  // namespace

// 32 bits for each weight, so that the compiler computes many at a time. The multipliers are those of
// Wellons' lowbias32; half of the row's key enters before the first of them and half after it.
void dropout_row(const PatternDropout& dropout, std::size_t b, std::size_t h, std::size_t position,
                 std::size_t first, std::size_t count, Real* factors) {
  const std::uint64_t key = row_key(dropout, b, h, position);
  const auto low = static_cast<std::uint32_t>(key), high = static_cast<std::uint32_t>(key >> 32);
  const auto dropped = static_cast<std::uint32_t>(dropout.p * 4294967296.0);
  const Real kept = static_cast<Real>(1 / (1 - dropout.p));
  for (std::size_t j = 0; j < count; ++j) {
    std::uint32_t x = static_cast<std::uint32_t>(first + j) * 0x9e3779b9U + low;
    x = (x ^ (x >> 16)) * 0x7feb352dU + high;
    x = (x ^ (x >> 15)) * 0x846ca68bU;
    factors[j] = (x ^ (x >> 16)) < dropped ? Real(0) : kept;
  }
}

}  // namespace headlight::kernels::this_level
