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

TEST_CASE("small and large numbers print with exponents, unless digits are asked for", "[core]") {
  CHECK(to_string(Array{Real(1e-6), 0}) == "[1.0000e-06, 0.0000e+00]");
  CHECK(to_string(Array{Real(-2.5e9), 1}) == "[-2.5000e+09, 1.0000e+00]");
  CHECK(to_string(Array{Real(1e-6), 1}) == "[0.0000, 1.0000]");  // there is something to see
  CHECK(to_string(Array{0, 0}) == "[0.0000, 0.0000]");
  CHECK(to_string(Array{Real(0.00006)}) == "[0.0001]");
  CHECK(to_string(Array{Real(1e-6)}, 4) == "[0.0000]");
  CHECK(fmt::format("{:.2f}", Array{Real(1e-6)}) == "[0.00]");
  CHECK(fmt::format("{:.3e}", Array{Real(1234.5), Real(-1e-6)}) == "[1.234e+03, -1.000e-06]");
  constexpr Real kInf = std::numeric_limits<Real>::infinity();
  CHECK(to_string(Array{-kInf, Real(1e-6)}) == "[-inf, 1.0000e-06]");
}

TEST_CASE("whole numbers and masks print as what they are", "[core]") {
  const IntArray numbers{{1, -20}, {3, 4}};
  const BoolArray mask{true, false};
  CHECK(to_string(numbers) == "[[1, -20],\n [3, 4]]");
  CHECK(to_string(mask) == "[true, false]");
  CHECK(fmt::format("{} {}", numbers, mask) == "[[1, -20],\n [3, 4]] [true, false]");
  std::ostringstream out;
  out << numbers << mask;
  CHECK(out.str() == "[[1, -20],\n [3, 4]][true, false]");
  CHECK(to_string(numbers + 1) == "[[2.0000, -19.0000],\n [4.0000, 5.0000]]");  // an expression is an Array
  CHECK(contains(error_of([&] { return fmt::format(fmt::runtime("{:.2f}"), numbers); }),
                 "[format] expected {} for an array of whole numbers or a mask."));
}

TEST_CASE("an array of more than 1000 numbers prints its corners", "[core]") {
  IntArray numbers = IntArray::from_shape({7, 200});
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers.data()[i] = static_cast<std::int32_t>(i);
  CHECK(to_string(numbers) ==
        "[[0, 1, 2, ..., 197, 198, 199],\n"
        " [200, 201, 202, ..., 397, 398, 399],\n"
        " [400, 401, 402, ..., 597, 598, 599],\n"
        " ...,\n"
        " [800, 801, 802, ..., 997, 998, 999],\n"
        " [1000, 1001, 1002, ..., 1197, 1198, 1199],\n"
        " [1200, 1201, 1202, ..., 1397, 1398, 1399]]");
  CHECK(to_string(full_array({1001}, 0), 0) == "[0, 0, 0, ..., 0, 0, 0]");
  CHECK(to_string(full_array({3, 500}, 0), 0) ==
        "[[0, 0, 0, ..., 0, 0, 0],\n [0, 0, 0, ..., 0, 0, 0],\n [0, 0, 0, ..., 0, 0, 0]]");
  CHECK(to_string(full_array({1000}, 0), 0).size() == 3 * 1000);
}

TEST_CASE("a format that arrays do not have is refused", "[core]") {
  CHECK(
      contains(error_of([] { to_string(full_array({2}, 1), -1); }), "expected at least 0 decimals, got -1"));
  const Array x{1, 2};
  for (const char* format : {"{:d}", "{:.2}", "{:.f}", "{:.", "{:.12f}", "{:>8}", "{:.2f "}) {
    INFO(format);
    CHECK(contains(error_of([&] { return fmt::format(fmt::runtime(format), x); }),
                   "[format] expected {}, {:.2f} or {:.2e} for a tensor or an array"));
  }
}
