#include "headlight/system/progress_text.h"

#include "catch.h"

using namespace headlight;

TEST_CASE("a progress line shows time and share", "[core]") {
  CHECK(duration(0.4) == "0 s");
  CHECK(duration(59.4) == "59 s");
  CHECK(duration(59.6) == "1:00");
  CHECK(duration(187) == "3:07");
  CHECK(progress_bar(0) == "┈┈┈┈┈┈┈┈┈┈");
  CHECK(progress_bar(0.3) == "━━━┈┈┈┈┈┈┈");
  CHECK(progress_bar(1) == "━━━━━━━━━━");
}
