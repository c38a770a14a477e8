// Files of named arrays in the safetensors format: 8 bytes of length, a JSON header, the numbers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headlight/core/array.h"

namespace headlight::train {

// Arrays that the caller owns.
using NamedArrays = std::vector<std::pair<std::string, const Array*>>;
using Metadata = std::map<std::string, std::string>;

// The bytes of such a file, as F32 (F64 in the double build). Throws Error when two arrays share a name, and
// for a name or metadata that is not UTF-8.
std::string to_safetensors(const NamedArrays& arrays, const Metadata& metadata = {});

// Writes them atomically.
void save_safetensors(const std::filesystem::path& path, const NamedArrays& arrays,
                      const Metadata& metadata = {});

struct SafetensorsFile {
  std::map<std::string, Array> arrays;
  Metadata metadata;
};

// Reads F32, F64, F16 and BF16. Throws FileError that names the file and the fault for a file that is not
// complete and valid: truncated, with overlapping or missing bytes, a header that is not JSON (see
// system/json.h) or longer than 16 MiB, or impossible shapes.
SafetensorsFile load_safetensors(const std::filesystem::path& path);

// Its two steps. The first reads the bytes: the numbers only after the header, which says how many there are,
// was found to fit the file's size, and that size to be at most `most`. The second calls the bytes `file` in
// its messages.
inline constexpr std::uint64_t kMostWeightBytes = std::uint64_t{1} << 30;
std::string read_safetensors(const std::filesystem::path& path, std::uint64_t most = kMostWeightBytes);
SafetensorsFile safetensors_from(std::string_view bytes, const std::string& file);

}  // namespace headlight::train
