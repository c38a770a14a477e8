// Sizes of shapes and places in them.
#include "headlight/core/shape.h"

#include <limits>

#include "catch.h"

using namespace headlight;

TEST_CASE("an element's index is that of its place in row-major order", "[core]") {
  CHECK(unravel_index(4, {2, 3}) == Shape{1, 1});
  CHECK(unravel_index(0, {}) == Shape{});
  CHECK(contains(error_of([] { unravel_index(0, {0}); }), "the shape (0) has no element number 0"));
  CHECK(contains(error_of([] { unravel_index(6, {2, 3}); }), "the shape (2,3) has no element number 6"));
}

TEST_CASE("a shape that cannot be counted is refused in any order of its axes", "[core]") {
  constexpr std::size_t kMany = std::size_t{1} << 40;
  for (const Shape& shape : {Shape{0, kMany, kMany}, Shape{kMany, 0, kMany}, Shape{kMany, kMany, 0},
                             Shape{kMany, kMany}, Shape{std::numeric_limits<std::size_t>::max()}})
    CHECK(contains(error_of([&] { size_of(shape); }), "has more elements than can be counted"));
  CHECK(size_of({0, kMany}) == 0);
  CHECK(size_of({kMany, 1, 8}) == 8 * kMany);
}
