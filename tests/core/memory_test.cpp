#include "headlight/core/memory.h"

#include <limits>

#include "catch.h"
#include "headlight/core/array.h"
#include "headlight/core/system.h"

using namespace headlight;

TEST_CASE("memory is told in MB and GB", "[core]") {
  CHECK(memory_text(0) == "0.0 MB");
  CHECK(memory_text(3.21e6) == "3.2 MB");
  CHECK(memory_text(7.64e9) == "7.6 GB");
  CHECK(memory_text(1e30) == "more than a million GB");
  CHECK(memory_text(std::numeric_limits<double>::infinity()) == "more than a million GB");
}

TEST_CASE("what needs more memory than there is is refused with both figures", "[core]") {
  const auto usable = static_cast<double>(system::usable_memory());
  CHECK(usable > 1e8);
  CHECK_NOTHROW(require_memory(usable, "a thing", "a hint"));
  const std::string error = error_of([&] { require_memory(2 * usable, "a thing", "choose a smaller one"); });
  CHECK(
      error ==
      fmt::format("a thing needs about {} of memory, but this machine allows {}. Hint: choose a smaller one.",
                  memory_text(2 * usable), memory_text(usable)));
  CHECK_THROWS_AS(require_memory(std::numeric_limits<double>::quiet_NaN(), "a thing", "a hint"), Error);
}

TEST_CASE("no array has a size that overflows", "[core]") {
  const std::size_t half = std::size_t{1} << 62;
  for (const Shape& shape : {Shape{half, 4}, Shape{half, 8}}) {
    CHECK_THROWS_AS(empty_array(shape), Error);
    CHECK_THROWS_AS(full_array(shape, 0), Error);
    CHECK_THROWS_AS(empty_int_array(shape), Error);
    CHECK_THROWS_AS(BoolArray(shape, false), Error);
  }
}
