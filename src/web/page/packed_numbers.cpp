#include "packed_numbers.h"

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/system/base64.h"

namespace headlight::page {

nlohmann::ordered_json packed_numbers(const Array& x, std::size_t blocks) {
  constexpr double kLevels = 32767;
  check(blocks > 0 && x.size() % blocks == 0, "[packed numbers] expected a multiple of {} numbers, got {}.",
        blocks, x.size());
  const std::size_t size = x.size() / blocks;
  std::vector<double> steps;
  std::string bytes;
  bytes.reserve(2 * x.size());
  for (const Real* block = x.data(); block != x.data() + x.size(); block += size) {
    double largest = 0;
    for (const Real* p = block; p != block + size; ++p) {
      check(std::isfinite(*p), "[packed numbers] a number is not finite.");
      largest = std::max(largest, std::abs(static_cast<double>(*p)));
    }
    const double step = steps.emplace_back(largest / kLevels);
    for (const Real* p = block; p != block + size; ++p) {
      const long level = step == 0 ? 0 : std::lround(static_cast<double>(*p) / step);
      const auto bits = static_cast<std::uint16_t>(static_cast<std::int16_t>(level));
      bytes += static_cast<char>(bits & 0xffU);
      bytes += static_cast<char>(bits >> 8U);
    }
  }
  return {{"shape", std::vector<std::size_t>(x.shape().begin(), x.shape().end())},
          {"steps", steps},
          {"data", base64(bytes)}};
}

}  // namespace headlight::page
