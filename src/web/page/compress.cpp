#include "compress.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "headlight/core/check.h"
#include "headlight/system/base64.h"

namespace headlight::page {
namespace {

constexpr std::size_t kMagnitudes = 9;         // 0, 1, 2-3, 4-7, … 128-255
constexpr std::size_t kMostBytes = 1'000'000;  // that are compressed for the page
constexpr std::uint32_t kHalf = 2048, kWhole = 4096;
constexpr unsigned kRate = 4;

// Splits what is left of [low, high] by the probability that the bit is 1, in 4096ths.
std::uint32_t middle_of(std::uint32_t low, std::uint32_t high, std::uint32_t p) {
  const std::uint32_t range = high - low;
  return low + (range >> 12U) * p + ((range & 0xfffU) * p >> 12U);
}

void learn(std::uint16_t& p, bool bit) {
  p = static_cast<std::uint16_t>(bit ? p + ((kWhole - p) >> kRate) : p - (p >> kRate));
}

bool same_top_byte(std::uint32_t low, std::uint32_t high) { return ((low ^ high) & 0xff000000U) == 0; }

class CompressWriter {
 public:
  bool bit(std::uint16_t& p, bool value) {
    const std::uint32_t middle = middle_of(low_, high_, p);
    (value ? high_ : low_) = value ? middle : middle + 1;
    learn(p, value);
    for (; same_top_byte(low_, high_); low_ <<= 8U, high_ = high_ << 8U | 0xffU) put(high_);
    return value;
  }

  std::string code() {
    for (int i = 0; i < 4; ++i, high_ <<= 8U) put(high_);
    return std::move(code_);
  }

 private:
  void put(std::uint32_t x) { code_ += static_cast<char>(x >> 24U); }

  std::uint32_t low_ = 0, high_ = 0xffffffff;
  std::string code_;
};

class CompressReader {
 public:
  explicit CompressReader(const std::string& code) : code_(code) {
    for (int i = 0; i < 4; ++i) take();
  }

  bool bit(std::uint16_t& p, bool /*unknown*/) {
    const std::uint32_t middle = middle_of(low_, high_, p);
    const bool value = x_ <= middle;
    (value ? high_ : low_) = value ? middle : middle + 1;
    learn(p, value);
    for (; same_top_byte(low_, high_); low_ <<= 8U, high_ = high_ << 8U | 0xffU) take();
    return value;
  }

 private:
  void take() { x_ = x_ << 8U | (at_ < code_.size() ? static_cast<unsigned char>(code_[at_++]) : 0U); }

  const std::string& code_;
  std::size_t at_ = 0;
  std::uint32_t low_ = 0, high_ = 0xffffffff, x_ = 0;
};

// Passes every byte through the coder, which keeps the bits that it is given, or replaces them.
template <class Coder>
void pass(std::string& bytes, std::size_t stride, Coder& coder) {
  check(stride > 0, "[compress] expected a stride of at least 1, got 0.");
  std::vector<std::uint16_t> equal(2 * kMagnitudes * kMagnitudes, kHalf);
  std::vector<std::uint16_t> tree(256 * kMagnitudes * kMagnitudes, kHalf);
  std::uint8_t before = 0;
  bool was_equal = false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto above = static_cast<std::uint8_t>(i < stride ? 0 : bytes[i - stride]);
    const auto own = static_cast<std::uint8_t>(bytes[i]);
    const auto context = static_cast<std::size_t>(std::bit_width(above)) * kMagnitudes +
                         static_cast<std::size_t>(std::bit_width(before));
    before = above;
    was_equal = coder.bit(equal[2 * context + (was_equal ? 1 : 0)], own == above);
    if (!was_equal) {
      std::size_t node = 1;
      for (unsigned k = 8; k > 0; --k)
        node = 2 * node + (coder.bit(tree[256 * context + node], (own >> (k - 1) & 1U) != 0) ? 1 : 0);
      before = static_cast<std::uint8_t>(node);
    }
    bytes[i] = static_cast<char>(before);
  }
}

}  // namespace

std::string compressed(const std::string& bytes, std::size_t stride) {
  std::string copy = bytes;
  CompressWriter writer;
  pass(copy, stride, writer);
  return writer.code();
}

std::string expanded(const std::string& code, std::size_t size, std::size_t stride) {
  std::string bytes(size, '\0');
  CompressReader reader(code);
  pass(bytes, stride, reader);
  return bytes;
}

nlohmann::ordered_json compressed_json(const std::string& bytes, std::size_t stride) {
  if (bytes.size() > kMostBytes) return base64(bytes);
  return {{"size", bytes.size()}, {"stride", stride}, {"data", base64(compressed(bytes, stride))}};
}

nlohmann::ordered_json compressed_json(const PackedPatterns& p, std::size_t sets) {
  const std::string& bytes = p.bytes();
  if (p.bits() == 8) return compressed_json(bytes, std::max<std::size_t>(1, bytes.size() / sets));
  std::string planes(bytes.size(), '\0');
  const std::size_t half = bytes.size() / 2;
  for (std::size_t i = 0; i < half; ++i) {
    planes[i] = bytes[2 * i + 1];
    planes[half + i] = bytes[2 * i];
  }
  return compressed_json(planes, std::max<std::size_t>(1, half));
}

}  // namespace headlight::page
