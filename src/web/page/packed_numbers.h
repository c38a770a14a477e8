// Numbers in the format of the page.
#pragma once

#include <nlohmann/json.hpp>

#include "headlight/core/array.h"

namespace headlight::page {

// An array as {shape, steps, data}, where data is base64 of integers of 16 bits, little-endian, in two's
// complement: number = integer · step of its block, with an error of at most step/2. The array is cut into
// `blocks` equal parts, which follow one another in memory; a block's step is its largest modulus / 32767.
// Throws Error if the size is no multiple of `blocks`, and for numbers that are not finite.
nlohmann::ordered_json packed_numbers(const Array& x, std::size_t blocks = 1);

}  // namespace headlight::page
