// How numbers travel to the page, and what is refused.
#include "page/packed_numbers.h"

#include "catch.h"
#include "headlight/core/rng.h"
#include "page/unpacked.h"

using namespace headlight;
using namespace headlight::page;

TEST_CASE("packed numbers are wrong by at most half a step of their block", "[page_circuits]") {
  Rng rng(4);
  Array x = rng.uniform_array({3, 4, 5});
  for (std::size_t i = 0; i < 60; ++i)
    x.data()[i] = (x.data()[i] - Real{0.5}) * (i < 20 ? Real{2000} : i < 40 ? Real{1} : Real{0});
  const nlohmann::ordered_json packed = packed_numbers(x, 3);
  const auto steps = packed["steps"].get<std::vector<double>>();
  const std::vector<double> numbers = unpacked(packed);
  REQUIRE(steps.size() == 3);
  REQUIRE(numbers.size() == 60);
  CHECK(packed["shape"] == nlohmann::ordered_json({3, 4, 5}));
  CHECK(steps[2] == 0);
  for (std::size_t block = 0; block < 3; ++block) {
    double largest = 0;
    for (std::size_t i = 20 * block; i < 20 * (block + 1); ++i) {
      const auto value = static_cast<double>(x.data()[i]);
      largest = std::max(largest, std::abs(value));
      CHECK(std::abs(numbers[i] - value) <= steps[block] / 2 * (1 + 1e-9));
    }
    CHECK(std::abs(steps[block] - largest / 32767) <= 1e-12 * largest);
  }
}

TEST_CASE("packed numbers reach both ends of their range", "[page_circuits]") {
  const nlohmann::ordered_json packed = packed_numbers(tensor({{-2, 2, 0, 1}}).array());
  const auto bytes = [](std::initializer_list<int> all) { return std::string(all.begin(), all.end()); };
  CHECK(bytes_of(packed["data"]) == bytes({0x01, 0x80, 0xff, 0x7f, 0x00, 0x00, 0x00, 0x40}));
}

TEST_CASE("numbers that cannot be packed are refused", "[page_circuits]") {
  CHECK(contains(error_of([] { packed_numbers(zeros({5}).array(), 2); }), "a multiple of 2 numbers, got 5"));
  CHECK(contains(error_of([] { packed_numbers(tensor({{1, 0}}).array() / Real{0}); }), "is not finite"));
}
