// Every refusal of a safetensors file, and every file that is just allowed.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/train/safetensors.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::train;

namespace {

// A file's bytes, with any number for the header's length.
std::string bytes_of(const std::string& header, const std::string& buffer, std::int64_t longer = 0) {
  const std::uint64_t size = header.size() + static_cast<std::uint64_t>(longer);
  return std::string(reinterpret_cast<const char*>(&size), 8) + header + buffer;
}

SafetensorsFile loaded(const std::string& bytes) {
  const TemporaryFolder folder;
  write_file(folder.path() / "x.safetensors", bytes);
  return load_safetensors(folder.path() / "x.safetensors");
}

void require_refused(const std::string& bytes, const std::string& part) {
  const std::string message = error_of([&] { loaded(bytes); });
  INFO(bytes.substr(std::min<std::size_t>(8, bytes.size())) << "\n" << message);
  CHECK(contains(message, "x.safetensors' is not a whole safetensors file: "));
  CHECK(contains(message, part));
}

// An entry of the header.
std::string entry(const std::string& name, const std::string& shape, const std::string& offsets,
                  const std::string& dtype = "\"F32\"") {
  return fmt::format(R"("{}":{{"dtype":{},"shape":{},"data_offsets":{}}})", name, dtype, shape, offsets);
}

// A file of one entry and 16 bytes.
std::string one(const std::string& shape, const std::string& offsets, const std::string& dtype = "\"F32\"") {
  return bytes_of("{" + entry("x", shape, offsets, dtype) + "}", std::string(16, '\0'));
}

template <class T>
std::string raw(const std::vector<T>& numbers) {
  return std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T));
}

}  // namespace

TEST_CASE("a file that fits its header is read", "[safetensors]") {
  const auto x = loaded(one("[1,4]", "[0,16]")).arrays.at("x");
  CHECK(x.shape() == Shape{1, 4});
}

TEST_CASE("safetensors: too short for a length", "[safetensors]") {
  for (const std::size_t size : {0, 1, 7})
    require_refused(std::string(size, '{'), fmt::format("it is only {} bytes long", size));
}

TEST_CASE("safetensors: a header longer than the file", "[safetensors]") {
  for (const std::int64_t longer : {17, 1000})
    require_refused(bytes_of("{" + entry("x", "[4]", "[0,16]") + "}", std::string(16, '\0'), longer),
                    "bytes, which are not there");
  require_refused(bytes_of("{}", "", std::numeric_limits<std::int64_t>::max()), "which are not there");
  require_refused(bytes_of("{}", "", -3), "which are not there");  // all ones
}

TEST_CASE("safetensors: a header that is too long", "[safetensors]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "x.safetensors";
  const std::uint64_t size = 100'000'001;
  write_file(path, std::string(reinterpret_cast<const char*>(&size), 8) + "{}");
  std::filesystem::resize_file(path, 8 + size);
  CHECK(contains(error_of([&] { load_safetensors(path); }), "its header has 100000001 bytes, more than"));
}

TEST_CASE("safetensors: a header that is no JSON object", "[safetensors]") {
  for (const char* header : {"", " {}", "[]", "3", "\x01{}"})
    require_refused(bytes_of(header, ""), "the header is not JSON");
  for (const char* header : {"{", "{}}", "{\"x\":}", "{'x':1}"})
    require_refused(bytes_of(header, ""), "in the header, line 1 is not valid JSON");
  CHECK(loaded(bytes_of("{}", "")).arrays.empty());
  CHECK(loaded(bytes_of("{}      ", "")).arrays.empty());  // filled up with spaces
}

TEST_CASE("safetensors: a name that occurs twice, at any depth", "[safetensors]") {
  const std::string sixteen(16, '\0'), x = entry("x", "[4]", "[0,16]");
  require_refused(bytes_of("{" + x + "," + x + "}", sixteen), "repeats the key 'x'");
  require_refused(
      bytes_of(R"({"x":{"dtype":"F32","dtype":"F64","shape":[2],"data_offsets":[0,16]}})", sixteen),
      "repeats the key 'dtype'");
  require_refused(bytes_of(R"({"__metadata__":{"a":"1","a":"2"},)" + x + "}", sixteen),
                  "repeats the key 'a'");
  CHECK(loaded(bytes_of(R"({"__metadata__":{"x":"1"},)" + x + "}", sixteen)).metadata.at("x") == "1");
}

TEST_CASE("safetensors: an entry that lacks something", "[safetensors]") {
  for (const char* json : {"3", "[]", "null", "\"F32\"", R"({"shape":[4],"data_offsets":[0,16]})",
                           R"({"dtype":"F32","data_offsets":[0,16]})", R"({"dtype":"F32","shape":[4]})"})
    require_refused(bytes_of(fmt::format(R"({{"x":{}}})", json), std::string(16, '\0')),
                    "'x' lacks dtype, shape or data_offsets");
}

TEST_CASE("safetensors: number types that cannot be read", "[safetensors]") {
  for (const char* dtype : {"F8_E4M3", "I16", "I32", "I64", "f32", "F320", ""})
    require_refused(one("[4]", "[0,16]", fmt::format("\"{}\"", dtype)),
                    fmt::format("'x' has the number type {}; only F32, F64, F16 and BF16", dtype));
  for (const char* dtype : {"32", "null", "[\"F32\"]"})
    require_refused(one("[4]", "[0,16]", dtype), "'x' has the number type ?");
}

TEST_CASE("safetensors: shapes that are none", "[safetensors]") {
  for (const char* shape : {"4", "null", "\"4\"", "{}"})
    require_refused(one(shape, "[0,16]"), "'x' has a shape that is no list");
  for (const char* shape : {"[-4]", "[4.0]", "[\"4\"]", "[[4]]", "[null]"})
    require_refused(one(shape, "[0,16]"), "a length must be a whole number of at least 0");
  require_refused(one("[18446744073709551616]", "[0,16]"), "18446744073709551616, which 64 bits cannot hold");
}

TEST_CASE("safetensors: shapes whose size is beyond counting", "[safetensors]") {
  for (const char* shape : {"[4611686018427387904,4]", "[4611686018427387904]", "[4294967296,4294967296]",
                            "[18446744073709551615,2]", "[4294967297,4294967297,16]"})
    require_refused(one(shape, "[0,16]"), "'x' has an impossible shape");
  require_refused(one("[2305843009213693952]", "[0,0]", "\"F64\""), "'x' has an impossible shape");
  require_refused(one("[0,9223372036854775807,9]", "[0,0]"), "'x' has an impossible shape");  // empty
}

TEST_CASE("safetensors: offsets that are no pair of whole numbers", "[safetensors]") {
  for (const char* offsets : {"16", "[]", "[16]", "[0,8,16]", "null", R"({"begin":0,"end":16})"})
    require_refused(one("[4]", offsets), "'x' has data_offsets that are no pair");
  for (const char* offsets : {"[-1,16]", "[0,-16]", "[0.0,16]", "[0,16.5]", "[\"0\",16]", "[0,null]"})
    require_refused(one("[4]", offsets), "an offset must be a whole number of at least 0");
}

TEST_CASE("safetensors: offsets that do not hold the shape", "[safetensors]") {
  require_refused(one("[4]", "[16,0]"), "'x' claims bytes 16 … 0 of 16");
  require_refused(one("[5]", "[0,20]"), "'x' claims bytes 0 … 20 of 16");
  require_refused(one("[4]", "[4,20]"), "'x' claims bytes 4 … 20 of 16");
  for (const char* shape : {"[3]", "[5]", "[2,3]", "[]", "[0]"})
    require_refused(one(shape, "[0,16]"), "'x' claims bytes 0 … 16 of 16, but its shape needs");
  require_refused(one("[4]", "[0,16]", "\"F64\""), "but its shape needs 32");
  require_refused(one("[4]", "[18446744073709551612,12]"), "'x' claims bytes");  // wraps around to 16
}

TEST_CASE("safetensors: metadata that is not texts by name", "[safetensors]") {
  for (const char* json : {"3", "[]", "null", "\"a\""})
    require_refused(bytes_of(fmt::format(R"({{"__metadata__":{}}})", json), ""), "its metadata is no object");
  for (const char* json : {"3", "null", "[\"a\"]", "{}"})
    require_refused(bytes_of(fmt::format(R"({{"__metadata__":{{"key":{}}}}})", json), ""),
                    "its metadata 'key' is no text");
}

TEST_CASE("safetensors: bytes that belong to two arrays or to none", "[safetensors]") {
  const std::string sixteen(16, '\0');
  const auto two = [&](const std::string& x, const std::string& y) {
    return bytes_of("{" + entry("x", "[2]", x) + "," + entry("y", "[2]", y) + "}", sixteen);
  };
  require_refused(two("[0,8]", "[0,8]"), "overlap at byte 8, at 'y'");
  require_refused(two("[0,8]", "[7,15]"), "overlap at byte 8, at 'y'");
  require_refused(two("[7,15]", "[0,8]"), "overlap at byte 8, at 'x'");
  require_refused(one("[2]", "[8,16]"), "have a hole at byte 0, at 'x'");
  require_refused(
      bytes_of("{" + entry("x", "[1]", "[0,4]") + "," + entry("y", "[2]", "[8,16]") + "}", sixteen),
      "have a hole at byte 4, at 'y'");
  require_refused(one("[3]", "[0,12]"), "it has 4 bytes after the last array");
  require_refused(bytes_of("{}", "x"), "it has 1 bytes after the last array");
  CHECK(loaded(two("[8,16]", "[0,8]")).arrays.size() == 2);
}

TEST_CASE("safetensors: scalars and empty arrays", "[safetensors]") {
  const std::string after = entry("after", "[1]", "[4,8]"), empty = entry("empty", "[0,3]", "[4,4]"),
                    scalar = entry("scalar", "[]", "[0,4]");
  for (const auto& header : {after + "," + empty + "," + scalar, scalar + "," + empty + "," + after}) {
    const auto file = loaded(bytes_of("{" + header + "}", raw<float>({1.5F, 2.5F})));
    CHECK(file.arrays.at("scalar").dimension() == 0);
    CHECK(file.arrays.at("scalar").data()[0] == Real{1.5});
    CHECK(file.arrays.at("after")(0) == Real{2.5});
    CHECK(file.arrays.at("empty").shape() == Shape{0, 3});
  }
}

TEST_CASE("safetensors: both number types in one file", "[safetensors]") {
  const auto file =
      loaded(bytes_of("{" + entry("f", "[2]", "[0,8]") + "," + entry("d", "[2]", "[8,24]", "\"F64\"") + "}",
                      raw<float>({1.25F, -3.0F}) + raw<double>({0.5, -7.0})));
  CHECK(file.arrays.at("f")(0) == Real{1.25});
  CHECK(file.arrays.at("f")(1) == Real{-3});
  CHECK(file.arrays.at("d")(0) == Real{0.5});
  CHECK(file.arrays.at("d")(1) == Real{-7});
}

TEST_CASE("safetensors: halves are read exactly", "[safetensors]") {
  std::vector<std::uint16_t> all(65536);
  std::iota(all.begin(), all.end(), 0);
  const auto file = loaded(bytes_of("{" + entry("h", "[65536]", "[0,131072]", "\"F16\"") + "," +
                                        entry("b", "[65536]", "[131072,262144]", "\"BF16\"") + "}",
                                    raw(all) + raw(all)));
  const Array &h = file.arrays.at("h"), &b = file.arrays.at("b");
  // A BF16 is the upper half of a float. An F16 has the same mantissa after a shift, and another bias, which
  // the product corrects for numbers that are not normal too; an exponent of all ones makes 2^16 or more.
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const auto of_b = std::bit_cast<float>(bits << 16),
               of_h = std::bit_cast<float>((bits & 0x8000) << 16 | (bits & 0x7fff) << 13) * 0x1p112F;
    const bool ends = (bits & 0x7c00) == 0x7c00;
    const float right = !ends ? of_h : (bits & 0x3ff) == 0 ? of_h * HUGE_VALF : std::nanf("");
    INFO(bits);
    REQUIRE((b(bits) == of_b || (std::isnan(b(bits)) && std::isnan(of_b))));
    REQUIRE((h(bits) == right || (std::isnan(h(bits)) && std::isnan(right))));
    REQUIRE((std::isnan(right) || std::signbit(h(bits)) == std::signbit(right)));
  }
}

TEST_CASE("safetensors: a text is called one", "[safetensors]") {
  require_refused("hello world, this is a text",
                  "it begins with the text 'hello wo', not with the length of a header");
}

TEST_CASE("safetensors: what is saved comes back bit for bit", "[safetensors]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "x.safetensors";
  Array special = tensor({-0.0, 1e-30, 3.5, 0, 0}).array();
  special(3) = std::numeric_limits<Real>::infinity();
  special(4) = std::numeric_limits<Real>::denorm_min();
  const Array empty = full_array({2, 0, 3}, 0), scalar = full_array({}, 7);
  const NamedArrays arrays{{"z", &special}, {"a \"quoted\" name", &empty}, {"m", &scalar}};
  const Metadata metadata{{"format", "headlight"}, {"ключ", "värde"}};
  save_safetensors(path, arrays, metadata);
  const SafetensorsFile back = load_safetensors(path);
  CHECK(back.metadata == metadata);
  REQUIRE(back.arrays.size() == 3);
  for (const auto& [name, array] : arrays) {
    REQUIRE(back.arrays.at(name).shape() == array->shape());
    if (array->size() > 0)  // memcmp may not be given the null pointer of an empty array
      CHECK(std::memcmp(back.arrays.at(name).data(), array->data(), array->size() * sizeof(Real)) == 0);
  }
}

TEST_CASE("safetensors: two arrays of one name are not saved", "[safetensors]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "x.safetensors";
  const Array x = full_array({1}, 1);
  CHECK(contains(error_of([&] {
                   save_safetensors(path, {{"x", &x}, {"y", &x}, {"x", &x}});
                 }),
                 "two arrays are named 'x'"));
  CHECK_FALSE(std::filesystem::exists(path));
}
