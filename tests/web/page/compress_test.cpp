// Bytes compressed for the page: nothing is lost, and what repeats takes little room.
#include "page/compress.h"

#include "catch.h"
#include "headlight/core/rng.h"
#include "headlight/system/base64.h"

using namespace headlight;
using namespace headlight::page;

namespace {

std::string random_bytes(std::size_t size, std::uint64_t below, std::uint64_t seed) {
  Rng rng(seed);
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(rng.next() % below);
  return bytes;
}

}  // namespace

TEST_CASE("compressed bytes come back whole, whatever they are", "[report]") {
  for (const std::size_t size : {0, 1, 2, 3, 17, 1000, 20'000})
    for (const std::size_t stride : {1, 2, 7, 900, 30'000})
      for (const std::uint64_t below : {1, 2, 3, 256}) {
        CAPTURE(size, stride, below);
        const std::string bytes = random_bytes(size, below, size + stride);
        CHECK(expanded(compressed(bytes, stride), size, stride) == bytes);
      }
  const std::string highest(5000, '\xff'), mixed = highest + std::string(5000, '\0') + highest;
  CHECK(expanded(compressed(mixed, 1), mixed.size(), 1) == mixed);
}

TEST_CASE("bytes that come again a stride later take little room", "[report]") {
  const std::string once = random_bytes(500, 256, 3);
  std::string bytes;
  for (int i = 0; i < 20; ++i) bytes += once;
  CHECK(compressed(bytes, 500).size() < 1.25 * 500);
  CHECK(compressed(bytes, 499).size() > 7000);
  CHECK(compressed(std::string(10'000, '\0'), 1).size() < 60);
  CHECK(compressed(random_bytes(10'000, 256, 4), 1).size() < 11'500);
  CHECK(contains(error_of([] { (void)compressed("abc", 0); }), "expected a stride of at least 1, got 0."));
}

TEST_CASE("the page gets a code, or the bytes themselves where expanding would take too long", "[report]") {
  const std::string bytes = random_bytes(1000, 4, 5);
  const auto json = compressed_json(bytes, 10);
  CHECK(json["size"] == 1000);
  CHECK(json["stride"] == 10);
  CHECK(json["data"] == base64(compressed(bytes, 10)));
  const std::string large(1'000'001, 'x');
  CHECK(compressed_json(large, 10) == base64(large));
}

TEST_CASE("of weights of 16 bits the high bytes travel first", "[report]") {
  PackedPatterns packed(16, 1, Sight::full);
  Array weights = full_array({1, 2, 2}, 0);
  weights(0, 0, 1) = 1;
  weights(0, 1, 0) = static_cast<Real>(258.0 / 65535);
  packed.add(weights);
  const std::string planes("\x00\xff\x01\x00\x00\xff\x02\x00", 8);
  CHECK(compressed_json(packed, 1) == compressed_json(planes, 4));
  PackedPatterns small(8, 1, Sight::full);
  for (int i = 0; i < 3; ++i) small.add(weights);
  CHECK(compressed_json(small, 3) == compressed_json(small.bytes(), 4));
}
