// NumPy's archive, read as its format says (numpy.lib.format): rows first, in the order of the axes.
#include <cstring>

#include "catch.h"
#include "headlight/run/export.h"

using namespace headlight;

namespace {

// Little-endian.
std::size_t number_at(const std::string& bytes, std::size_t at, std::size_t count) {
  std::size_t number = 0;
  for (std::size_t i = count; i > 0; --i)
    number = number * 256 + static_cast<unsigned char>(bytes.at(at + i - 1));
  return number;
}

// The remainder of the message as a polynomial, bit by bit (ISO 3309).
std::size_t crc_of(const std::string& bytes) {
  std::uint32_t sum = 0xffffffffU;
  for (const char c : bytes)
    for (unsigned bit = 0; bit < 8; ++bit) {
      const bool one = ((sum ^ (static_cast<unsigned char>(c) >> bit)) & 1U) != 0;
      sum = (sum >> 1U) ^ (one ? 0xedb88320U : 0U);
    }
  return ~sum & 0xffffffffU;
}

}  // namespace

TEST_CASE("an archive for NumPy has the rows of each array in order", "[run]") {
  Array x = empty_array({2, 3});
  for (std::size_t i = 0; i < 6; ++i) x.data()[i] = static_cast<Real>(i);
  const std::string bytes = run::npz({{"W", &x}});
  CHECK(contains(bytes, "W.npy"));
  const std::size_t header = bytes.find("'descr'");
  REQUIRE(header != std::string::npos);
  const std::size_t end = bytes.find('\n', header);
  const std::string said = bytes.substr(header, end - header);
  CHECK(contains(said, "'fortran_order': False"));
  CHECK(contains(said, "'shape': (2, 3,"));
  std::vector<Real> numbers(6);
  std::memcpy(numbers.data(), bytes.data() + end + 1, 6 * sizeof(Real));
  for (std::size_t i = 0; i < 6; ++i) CHECK(numbers[i] == static_cast<Real>(i));
}

TEST_CASE("an archive for NumPy is a zip archive: each entry stands where the directory says", "[run]") {
  CHECK(crc_of("123456789") == 0xcbf43926U);  // the check value of CRC-32
  const Array x = full_array({2}, 1), y = full_array({1, 3}, 2);
  const std::string bytes = run::npz({{"first", &x}, {"second one", &y}});
  const std::size_t end = bytes.size() - 22;
  CHECK(bytes.substr(end, 4) == "PK\x05\x06");
  CHECK((number_at(bytes, end + 8, 2) == 2 && number_at(bytes, end + 10, 2) == 2));
  std::size_t entry = number_at(bytes, end + 16, 4);
  CHECK(entry + number_at(bytes, end + 12, 4) == end);
  for (const std::string name : {"first.npy", "second one.npy"}) {
    CHECK(bytes.substr(entry, 4) == "PK\x01\x02");
    CHECK(bytes.substr(entry + 46, number_at(bytes, entry + 28, 2)) == name);
    const std::size_t file = number_at(bytes, entry + 42, 4), size = number_at(bytes, entry + 24, 4);
    CHECK(bytes.substr(file, 4) == "PK\x03\x04");
    CHECK(bytes.substr(file + 4, 26) == bytes.substr(entry + 6, 26));  // both say the same of it
    CHECK(bytes.substr(file + 30, name.size()) == name);
    const std::string content = bytes.substr(file + 30 + name.size(), size);
    CHECK(content.starts_with(std::string("\x93NUMPY\x01\x00", 8)));
    CHECK((10 + number_at(content, 8, 2)) % 64 == 0);
    CHECK(number_at(bytes, entry + 16, 4) == crc_of(content));
    CHECK(number_at(bytes, entry + 20, 4) == size);
    CHECK(number_at(bytes, entry + 10, 2) == 0);  // not compressed
    entry += 46 + name.size();
  }
  CHECK(entry == end);
  CHECK(contains(error_of([&] { run::npz({{"a", &x}, {"a", &y}}); }), "two arrays are named 'a'."));
}
