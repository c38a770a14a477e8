// Bytes in fewer bytes, for the page: adaptive binary arithmetic coding (as in Mahoney's lpaq), without loss.
//
// Byte i is first compared with the byte `stride` before it. A bit says whether they are equal; if not, the
// eight bits of the byte follow, the highest first. The probability of each bit is learned from the earlier
// ones in the same context: the magnitudes of the byte `stride` before and of the byte just before.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "packed_patterns.h"

namespace headlight::page {

std::string compressed(const std::string& bytes, std::size_t stride);

// The `size` bytes that compressed() was given.
std::string expanded(const std::string& code, std::size_t size, std::size_t stride);

// As the page reads bytes (bytesOf in src/web/kit/compress.js): {size, stride, data}, where data is
// base64 of the code. Above a megabyte just base64 of the bytes, because expanding them would delay the
// page's pictures.
nlohmann::ordered_json compressed_json(const std::string& bytes, std::size_t stride);

// The bytes of patterns, one set of them after another. Of 16 bits all high bytes come first, each a stride
// before its low byte.
nlohmann::ordered_json compressed_json(const PackedPatterns& patterns, std::size_t sets);

}  // namespace headlight::page
