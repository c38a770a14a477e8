// Files of named arrays in the safetensors format: 8 bytes of length, a JSON header, the numbers.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "headlight/core/array.h"

namespace headlight::inline HEADLIGHT_PRECISION::train {

// Arrays that the caller owns.
using NamedArrays = std::vector<std::pair<std::string, const Array*>>;
using Metadata = std::map<std::string, std::string>;

// Writes atomically, as F32 (F64 in the double build), straight from the arrays. Throws Error when two arrays
// share a name.
void save_safetensors(const std::filesystem::path& path, const NamedArrays& arrays,
                      const Metadata& metadata = {});

struct SafetensorsFile {
  std::map<std::string, Array> arrays;
  Metadata metadata;
};

// Reads F32 and F64. Throws Error that names the file and the fault for a file that is not complete and
// valid: truncated, with overlapping or missing bytes, a header that is not JSON, or impossible shapes.
SafetensorsFile load_safetensors(const std::filesystem::path& path);

}  // namespace headlight::inline HEADLIGHT_PRECISION::train
