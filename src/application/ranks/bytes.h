// Numbers and texts as the bytes of a message.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "headlight/core/check.h"

namespace headlight::ranks {

class ByteWriter {
 public:
  template <class Number>
  void number(Number value) {
    static_assert(std::is_arithmetic_v<Number>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void text(std::string_view text) {
    number(std::uint64_t{text.size()});
    bytes_.append(text);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads in the order of writing. Throws Error for bytes that end too early.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  template <class Number>
  Number number() {
    Number value;
    std::memcpy(&value, next(sizeof(value)).data(), sizeof(value));
    return value;
  }
  std::string_view text() { return next(number<std::uint64_t>()); }
  bool empty() const { return left_.empty(); }

 private:
  std::string_view next(std::uint64_t count) {
    check(count <= left_.size(), "a message between ranks is cut off: {} bytes of {} are left.", left_.size(),
          count);
    const std::string_view bytes = left_.substr(0, count);
    left_.remove_prefix(count);
    return bytes;
  }

  std::string_view left_;
};

}  // namespace headlight::ranks
