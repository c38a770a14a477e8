// What a debug build checks of every access to an array.
#include "headlight/core/array.h"

#include "catch.h"

using namespace headlight;

#ifdef XTENSOR_ENABLE_ASSERT
TEST_CASE("an index out of range is an error in a debug build", "[core]") {
  const Array x{{1, 2, 3}, {4, 5, 6}};
  CHECK(x(1, 2) == 6);
  CHECK_THROWS_WITH(x(9, 9), Catch::Matchers::EndsWith("index 9 is out of bounds for axis 0 with size 2"));
  CHECK_THROWS_WITH(x(1, 3), Catch::Matchers::EndsWith("index 3 is out of bounds for axis 1 with size 3"));
}
#endif
