#include "headlight/train/safetensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "headlight/core/ascii.h"
#include "headlight/core/check.h"
#include "headlight/system/file_error.h"
#include "headlight/system/files.h"
#include "headlight/system/input_file.h"
#include "headlight/system/json.h"
#include "headlight/system/text.h"

namespace headlight::train {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian");

constexpr std::size_t kLengthBytes = 8, kMostHeader = std::size_t{16} << 20, kMostAxes = 32,
                      kMostValues = 4'000'000;  // in a header, some ten for each array
constexpr const char* kDtype = kDouble ? "F64" : "F32";

// The number 1.m·2^(e - bias) with `exponent` bits of e above `mantissa` bits of m, as a float, which holds
// it exactly.
template <int exponent, int mantissa>
float widened(std::uint16_t bits) {
  constexpr int kMostExponent = (1 << exponent) - 1, kBias = kMostExponent / 2;
  const int e = (bits >> mantissa) & kMostExponent, m = bits & ((1 << mantissa) - 1);
  const float sign = (bits >> 15) != 0 ? -1 : 1, fraction = std::ldexp(static_cast<float>(m), -mantissa);
  using Limits = std::numeric_limits<float>;
  if (e == kMostExponent) return m == 0 ? sign * Limits::infinity() : Limits::quiet_NaN();
  return sign * (e == 0 ? std::ldexp(fraction, 1 - kBias) : std::ldexp(1 + fraction, e - kBias));
}

// The types of numbers that are read.
struct NumberType {
  std::string_view name;
  std::size_t bytes;
  void (*copy)(const char* from, Array& to);
};

template <class From, class F>
void copy_numbers(const char* from, Array& to, F real) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    From number;
    std::memcpy(&number, from + i * sizeof(From), sizeof(From));
    to.data()[i] = static_cast<Real>(real(number));
  }
}

constexpr NumberType kTypes[] = {
    {"F32", 4, [](const char* from, Array& to) { copy_numbers<float>(from, to, [](float x) { return x; }); }},
    {"F64", 8,
     [](const char* from, Array& to) { copy_numbers<double>(from, to, [](double x) { return x; }); }},
    {"F16", 2, [](const char* from, Array& to) { copy_numbers<std::uint16_t>(from, to, widened<5, 10>); }},
    {"BF16", 2, [](const char* from, Array& to) { copy_numbers<std::uint16_t>(from, to, widened<8, 7>); }}};

// The place of one array in the buffer.
struct Entry {
  std::string name;
  Shape shape;
  std::size_t begin, end;
  const NumberType* type;
};

std::size_t natural(const json& value, const char* what) {
  check(value.is_number_unsigned(), "{} must be a whole number of at least 0", what);
  return number_of<std::size_t>(value);
}

Entry entry_from(const std::string& name, const json& value, std::size_t buffer) {
  check(value.is_object() && value.contains("dtype") && value.contains("shape") &&
            value.contains("data_offsets"),
        "'{}' lacks dtype, shape or data_offsets", name);
  const std::string dtype = value["dtype"].is_string() ? value["dtype"].get<std::string>() : "?";
  const auto* type = std::find_if(std::begin(kTypes), std::end(kTypes),
                                  [&](const NumberType& known) { return known.name == dtype; });
  check(type != std::end(kTypes), "'{}' has the number type {}; only F32, F64, F16 and BF16 can be read",
        name, dtype);
  check(value["shape"].is_array() && value["shape"].size() <= kMostAxes,
        "'{}' has a shape that is no list of at most {} lengths", name, kMostAxes);
  Entry e{name, {}, 0, 0, type};
  std::size_t bytes = type->bytes;
  std::ptrdiff_t strides = 1;  // of an empty array too, whose other lengths may be any
  for (const auto& length : value["shape"]) {
    const std::size_t n = natural(length, "a length");
    check(!__builtin_mul_overflow(bytes, n, &bytes) &&
              !__builtin_mul_overflow(strides, std::max<std::size_t>(n, 1), &strides),
          "'{}' has an impossible shape", name);
    e.shape.push_back(n);
  }
  const auto& offsets = value["data_offsets"];
  check(offsets.is_array() && offsets.size() == 2, "'{}' has data_offsets that are no pair", name);
  e.begin = natural(offsets[0], "an offset");
  e.end = natural(offsets[1], "an offset");
  check(e.begin <= e.end && e.end <= buffer && e.end - e.begin == bytes,
        "'{}' claims bytes {} … {} of {}, but its shape needs {}", name, e.begin, e.end, buffer, bytes);
  return e;
}

// What a header says, with the entries in the order of their bytes, which fill the buffer.
struct Header {
  std::vector<Entry> entries;
  Metadata metadata;
};

Metadata metadata_from(const json& object) {
  check(object.is_object(), "its metadata is no object");
  Metadata metadata;
  for (const auto& [key, value] : object.items()) {
    check(value.is_string(), "its metadata '{}' is no text", key);
    metadata[key] = value.get<std::string>();
  }
  return metadata;
}

Header header_from(std::string_view text, std::size_t buffer) {
  check(text.starts_with('{'), "the header is not JSON");
  json parsed;
  try {
    parsed = json_from<json>(text, {.keys = std::numeric_limits<std::size_t>::max(), .values = kMostValues});
  } catch (const Error& e) {
    fail("in the header, {}", e.what());
  }
  Header header;
  for (const auto& [name, value] : parsed.items())
    if (name == "__metadata__")
      header.metadata = metadata_from(value);
    else
      header.entries.push_back(entry_from(name, value, buffer));
  std::sort(header.entries.begin(), header.entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
  std::size_t covered = 0;
  for (const Entry& e : header.entries) {
    check(e.begin == covered, "its numbers {} at byte {}, at '{}'",
          e.begin < covered ? "overlap" : "have a hole", covered, e.name);
    covered = e.end;
  }
  check(covered == buffer, "it has {} bytes after the last array", buffer - covered);
  return header;
}

// ASCII that can be seen, or a space.
bool is_of_text(char c) { return (c >= ' ' && c <= '~') || ascii::is_space(c); }

// The length of the header in a file of so many bytes, of which these are the first.
std::size_t header_size(std::string_view begin, std::uint64_t file) {
  check(begin.size() >= kLengthBytes, "it is only {} bytes long", begin.size());
  std::uint64_t size = 0;
  std::memcpy(&size, begin.data(), kLengthBytes);
  const std::string_view length = begin.substr(0, kLengthBytes);
  check(size <= kMostHeader || !std::all_of(length.begin(), length.end(), is_of_text),
        "it begins with the text '{}', not with the length of a header", printable(length));
  check(file >= kLengthBytes && size <= file - kLengthBytes,
        "its header claims {} bytes, which are not there", size);
  check(size <= kMostHeader, "its header has {} bytes, more than {}", size, kMostHeader);
  return size;
}

SafetensorsFile parse(std::string_view bytes) {
  const std::size_t begin = kLengthBytes + header_size(bytes.substr(0, kLengthBytes), bytes.size());
  const Header header = header_from(bytes.substr(kLengthBytes, begin - kLengthBytes), bytes.size() - begin);
  SafetensorsFile file{{}, header.metadata};
  for (const Entry& e : header.entries) {
    Array x = empty_array(e.shape);
    const char* from = bytes.data() + begin + e.begin;
    e.type->copy(from, x);
    file.arrays.emplace(e.name, std::move(x));
  }
  return file;
}

// What `read` returns; its Errors name the file.
template <class Read>
auto of_file(const std::string& file, Read read) {
  try {
    return read();
  } catch (const Error& e) {
    fail_file("'{}' is not a whole safetensors file: {}.", file, e.what());
  }
}

}  // namespace

std::string to_safetensors(const NamedArrays& arrays, const Metadata& metadata) {
  ordered_json header = ordered_json::object();
  for (const auto& [key, value] : metadata)
    check(is_utf8(key) && is_utf8(value), "expected metadata in UTF-8, got '{}': '{}'.", key, value);
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::size_t end = 0;
  for (const auto& [name, array] : arrays) {
    check(is_utf8(name), "expected a name in UTF-8, got '{}'.", name);
    check(!header.contains(name), "two arrays are named '{}'.", name);
    const std::size_t begin = end;
    end += array->size() * sizeof(Real);
    header[name] = {{"dtype", kDtype},
                    {"shape", std::vector<std::size_t>(array->shape().begin(), array->shape().end())},
                    {"data_offsets", {begin, end}}};
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');  // the numbers then start at a multiple of 8
  const std::uint64_t size = text.size();
  std::string bytes;
  bytes.reserve(kLengthBytes + text.size() + end);
  bytes.append(reinterpret_cast<const char*>(&size), kLengthBytes).append(text);
  for (const auto& [name, array] : arrays)
    bytes.append(reinterpret_cast<const char*>(array->data()), array->size() * sizeof(Real));
  return bytes;
}

void save_safetensors(const std::filesystem::path& path, const NamedArrays& arrays,
                      const Metadata& metadata) {
  write_file(path, to_safetensors(arrays, metadata));
}

std::string read_safetensors(const std::filesystem::path& path, std::uint64_t most) {
  InputFile file(path);
  const std::uint64_t size = file.size().value_or(most);
  std::string bytes = file.read(kLengthBytes);
  of_file(path.string(), [&] {
    const std::size_t header = header_size(bytes, size);
    bytes += file.read(header);
    check(bytes.size() == kLengthBytes + header, "it became shorter while it was read");
    return header_from(std::string_view(bytes).substr(kLengthBytes), size - bytes.size());
  });
  check_file(size <= most, "'{}' has {} bytes; at most {} are read.", path.string(), size, most);
  bytes.reserve(size);
  bytes += file.read(size - bytes.size());
  return bytes;
}

SafetensorsFile safetensors_from(std::string_view bytes, const std::string& file) {
  return of_file(file, [&] { return parse(bytes); });
}

SafetensorsFile load_safetensors(const std::filesystem::path& path) {
  return safetensors_from(read_safetensors(path), path.string());
}

}  // namespace headlight::train
