// What a page packs, unpacked.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "page/compress.h"

namespace headlight::page {

// The bytes of a text in base64.
inline std::string bytes_of(const std::string& base64) {
  static const std::string kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (const char c : base64) {
    if (c == '=') break;
    bits = bits << 6U | static_cast<unsigned>(kDigits.find(c));
    if ((count += 6) < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xffU);
  }
  return bytes;
}

// Of compressed_json(), below a megabyte.
inline std::string expanded(const nlohmann::ordered_json& json) {
  return expanded(bytes_of(json["data"]), json["size"], json["stride"]);
}

// Of packed_numbers().
inline std::vector<double> unpacked(const nlohmann::ordered_json& json) {
  const std::string bytes = bytes_of(json["data"]);
  const auto steps = json["steps"].get<std::vector<double>>();
  std::vector<double> numbers;
  for (std::size_t i = 0; i < bytes.size() / 2; ++i) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
    const int bits = byte(2 * i) + 256 * byte(2 * i + 1);
    numbers.push_back((bits < 32768 ? bits : bits - 65536) * steps[i / (bytes.size() / 2 / steps.size())]);
  }
  return numbers;
}

}  // namespace headlight::page
