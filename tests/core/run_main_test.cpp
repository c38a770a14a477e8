// The guard around a program. What it prints is checked by the tests of programs.
#include "headlight/core/run_main.h"

#include "catch.h"
#include "headlight/core/check.h"

using namespace headlight;

TEST_CASE("a program's exit status is what its body returns, or that of an error", "[core]") {
  CHECK(run_main([] { return 7; }) == 7);
  CHECK(run_main([] {}) == 0);
  CHECK(run_main([] { fail("an error that a test expects to see."); }) == kError);
  CHECK(run_main([]() -> int { throw std::bad_alloc(); }) == kError);
  CHECK(run_main([] { throw std::out_of_range("an index that a test expects to see"); }) == kError);
}
