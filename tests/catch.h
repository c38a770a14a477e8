// Catch2, version 2 or 3, and what tests share.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;  // as in version 2
#else
#include <catch2/catch.hpp>
#endif

#include <algorithm>
#include <cmath>
#include <string>

#include "headlight/autograd/tensor_text.h"
#include "headlight/core/check.h"

#ifdef TWOBLUECUBES_SINGLE_INCLUDE_CATCH_HPP_INCLUDED
namespace Catch::Matchers {
inline auto ContainsSubstring(const std::string& text) { return Contains(text); }  // its name in version 3
}  // namespace Catch::Matchers
#endif

namespace headlight {

// The message of the Error that a call throws; fails the test when it throws none.
template <class F>
std::string error_of(F&& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  FAIL("expected an Error, but none was thrown");
  return {};
}

inline bool all_finite(const Array& x) {
  return std::all_of(x.begin(), x.end(), [](Real value) { return std::isfinite(value); });
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The largest difference of two arrays of equal shape, relative to the largest number in them (at least 1).
inline double difference(const Array& a, const Array& b) {
  REQUIRE(a.shape() == b.shape());
  double largest = 0, scale = 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto x = static_cast<double>(a.data()[i]), y = static_cast<double>(b.data()[i]);
    largest = std::max(largest, x == y ? 0 : std::abs(x - y));
    if (std::isnan(x - y) && x != y) return HUGE_VAL;
    if (std::isfinite(x)) scale = std::max(scale, std::abs(x));
  }
  return largest / scale;
}

// What rounding may leave between two ways to compute the same.
inline constexpr double kRounding = kDouble ? 1e-12 : 2e-5;

}  // namespace headlight
