#include "headlight/train/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "headlight/core/check.h"
#include "headlight/core/files.h"

namespace headlight::inline HEADLIGHT_PRECISION::train {
namespace {

using nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian");

constexpr std::uint64_t kMaxHeader = 100'000'000;
constexpr const char* kDtype = kDouble ? "F64" : "F32";

// The place of one array in the buffer.
struct Entry {
  std::string name;
  Shape shape;
  std::size_t begin, end, width;  // width: bytes of one number
};

std::size_t natural(const ordered_json& json, const char* what) {
  check(json.is_number_unsigned(), "{} must be a whole number of at least 0", what);
  const auto n = json.get<std::uint64_t>();
  check(n <= std::numeric_limits<std::size_t>::max(), "{} of {} does not fit this machine's memory", what, n);
  return static_cast<std::size_t>(n);
}

Entry entry_from(const std::string& name, const ordered_json& json, std::size_t buffer) {
  check(json.is_object() && json.contains("dtype") && json.contains("shape") && json.contains("data_offsets"),
        "'{}' lacks dtype, shape or data_offsets", name);
  const std::string dtype = json["dtype"].is_string() ? json["dtype"].get<std::string>() : "?";
  check(dtype == "F32" || dtype == "F64", "'{}' has the number type {}; only F32 and F64 can be read", name,
        dtype);
  check(json["shape"].is_array(), "'{}' has a shape that is no list", name);
  Entry e{name, {}, 0, 0, dtype == "F32" ? 4U : 8U};
  std::size_t bytes = e.width;
  for (const auto& length : json["shape"]) {
    const std::size_t n = natural(length, "a length");
    check(!__builtin_mul_overflow(bytes, n, &bytes), "'{}' has an impossible shape", name);
    e.shape.push_back(n);
  }
  const auto& offsets = json["data_offsets"];
  check(offsets.is_array() && offsets.size() == 2, "'{}' has data_offsets that are no pair", name);
  e.begin = natural(offsets[0], "an offset");
  e.end = natural(offsets[1], "an offset");
  check(e.begin <= e.end && e.end <= buffer && e.end - e.begin == bytes,
        "'{}' claims bytes {} … {} of {}, but its shape needs {}", name, e.begin, e.end, buffer, bytes);
  return e;
}

template <class From>
void copy_numbers(const char* from, Array& to) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    From number;
    std::memcpy(&number, from + i * sizeof(From), sizeof(From));
    to.data()[i] = static_cast<Real>(number);
  }
}

// Throws Error for a header with a repeated key; the JSON library would keep the last value.
ordered_json parse_header(std::string_view text) {
  check(!text.empty() && text.front() == '{', "the header is not JSON");
  std::vector<std::vector<std::string>> keys;
  const auto watch = [&](int, ordered_json::parse_event_t event, ordered_json& parsed) {
    if (event == ordered_json::parse_event_t::object_start) keys.emplace_back();
    if (event == ordered_json::parse_event_t::object_end) keys.pop_back();
    if (event == ordered_json::parse_event_t::key) {
      const auto key = parsed.get<std::string>();
      check(std::find(keys.back().begin(), keys.back().end(), key) == keys.back().end(), "'{}' occurs twice",
            key);
      keys.back().push_back(key);
    }
    return true;
  };
  try {
    return ordered_json::parse(text, watch);
  } catch (const ordered_json::exception&) {
    fail("the header is not JSON");
  }
}

SafetensorsFile parse(std::string_view bytes) {
  check(bytes.size() >= 8, "it is only {} bytes long", bytes.size());
  std::uint64_t header_size = 0;
  std::memcpy(&header_size, bytes.data(), 8);
  check(header_size <= kMaxHeader && header_size <= bytes.size() - 8,
        "its header claims {} bytes, which are not there", header_size);
  const ordered_json header = parse_header(bytes.substr(8, header_size));
  const std::string_view buffer = bytes.substr(8 + header_size);

  SafetensorsFile file;
  std::vector<Entry> entries;
  for (const auto& [name, json] : header.items()) {
    if (name != "__metadata__") {
      entries.push_back(entry_from(name, json, buffer.size()));
      continue;
    }
    check(json.is_object(), "its metadata is no object");
    for (const auto& [key, value] : json.items()) {
      check(value.is_string(), "its metadata '{}' is no text", key);
      file.metadata[key] = value.get<std::string>();
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
  std::size_t covered = 0;
  for (const Entry& e : entries) {
    check(e.begin == covered, "its numbers {} at byte {}, at '{}'",
          e.begin < covered ? "overlap" : "have a hole", covered, e.name);
    covered = e.end;
    Array x = empty_array(e.shape);
    e.width == 4 ? copy_numbers<float>(buffer.data() + e.begin, x)
                 : copy_numbers<double>(buffer.data() + e.begin, x);
    file.arrays.emplace(e.name, std::move(x));
  }
  check(covered == buffer.size(), "it has {} bytes after the last array", buffer.size() - covered);
  return file;
}

}  // namespace

void save_safetensors(const std::filesystem::path& path, const NamedArrays& arrays,
                      const Metadata& metadata) {
  ordered_json header = ordered_json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::vector<std::string_view> parts(2);  // the length and the header, then the numbers
  std::size_t end = 0;
  for (const auto& [name, array] : arrays) {
    check(!header.contains(name), "two arrays are named '{}'.", name);
    const std::size_t begin = end;
    parts.emplace_back(reinterpret_cast<const char*>(array->data()), array->size() * sizeof(Real));
    end += parts.back().size();
    header[name] = {{"dtype", kDtype},
                    {"shape", std::vector<std::size_t>(array->shape().begin(), array->shape().end())},
                    {"data_offsets", {begin, end}}};
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');  // the numbers then start at a multiple of 8
  const std::uint64_t size = text.size();
  parts[0] = {reinterpret_cast<const char*>(&size), 8};
  parts[1] = text;
  write_file(path, parts);
}

SafetensorsFile load_safetensors(const std::filesystem::path& path) {
  const std::string bytes = read_file(path);
  try {
    return parse(bytes);
  } catch (const Error& e) {
    fail("'{}' is not a whole safetensors file: {}.", path.string(), e.what());
  }
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::train
