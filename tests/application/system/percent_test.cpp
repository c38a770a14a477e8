// Percentages: 100 and 0 are said of all and of nothing only.
#include "headlight/system/percent.h"

#include <fmt/core.h>

#include "catch.h"

using headlight::percent;

TEST_CASE("100 stands only for all of it, and 0 only for nothing", "[text]") {
  const struct {
    double part;
    const char *tenths, *whole;
  } rows[] = {{1, "100.0 %", "100 %"},    {0.9999, ">99.9 %", ">99 %"}, {0.9994, "99.9 %", ">99 %"},
              {0.9949, "99.5 %", "99 %"}, {0.8125, "81.2 %", "81 %"},   {0.0051, "0.5 %", "1 %"},
              {0.004, "0.4 %", "<1 %"},   {0.0006, "0.1 %", "<1 %"},    {0.0003, "<0.1 %", "<1 %"},
              {1e-12, "<0.1 %", "<1 %"},  {0, "0.0 %", "0 %"}};
  for (const auto& row : rows) {
    CHECK(percent(row.part) == row.tenths);
    CHECK(percent(row.part, 0) == row.whole);
  }
  CHECK(percent(0.99999, 2) == ">99.99 %");
  for (int right = 0; right <= 10000; ++right)  // "0.0" and "100.0" are printed once each
    if (const std::string said = percent(right / 10000.0); said == "0.0 %" || said == "100.0 %")
      CHECK((right == 0 || right == 10000));
}
