// Arrays as text, by to_string, fmt and streams.
#include "headlight/core/array_text.h"

#include <cmath>
#include <limits>
#include <sstream>

#include "catch.h"

using namespace headlight;

TEST_CASE("arrays print as NumPy does, through fmt and through streams", "[core]") {
  const Array x{{1, 2}, {3, 4.5}};
  CHECK(to_string(x) == "[[1.0000, 2.0000],\n [3.0000, 4.5000]]");
  CHECK(to_string(x, 0) == "[[1, 2],\n [3, 4]]");
  CHECK(fmt::format("x = {}", x) == "x = " + to_string(x));
  CHECK(fmt::format("{:.1f}|{:.9f}", x, Array(Real(0.5))) == "[[1.0, 2.0],\n [3.0, 4.5]]|0.500000000");
  std::ostringstream out;
  out << x << '|' << Array({1, 2});
  CHECK(out.str() == to_string(x) + "|[1.0000, 2.0000]");
  constexpr Real kNaN = std::numeric_limits<Real>::quiet_NaN(), kInf = std::numeric_limits<Real>::infinity();
  CHECK(to_string(Array{kNaN, std::copysign(kNaN, Real(-1)), -kInf}) == "[nan, nan, -inf]");
}

TEST_CASE("a format that arrays do not have is refused", "[core]") {
  CHECK(
      contains(error_of([] { to_string(full_array({2}, 1), -1); }), "expected at least 0 decimals, got -1"));
  const Array x{1, 2};
  for (const char* format : {"{:d}", "{:.2}", "{:.f}", "{:.", "{:.12f}", "{:>8}", "{:.2f "}) {
    INFO(format);
    CHECK(contains(error_of([&] { return fmt::format(fmt::runtime(format), x); }),
                   "[format] expected {} or {:.2f} for a tensor or an array"));
  }
}
