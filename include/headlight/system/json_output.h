// Helpers to write JSON. This header takes nlohmann-json.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "headlight/core/check.h"

namespace headlight {

using nlohmann::ordered_json;

// JSON has no NaN, and the library would silently write null.
inline double finite(double value, const char* what) {
  check(std::isfinite(value), "the number '{}' is not finite.", what);
  return value;
}

// Null for an absent value.
template <class T>
ordered_json or_null(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json();
}
inline ordered_json or_null(const std::optional<double>& value, const char* what) {
  return value ? ordered_json(finite(*value, what)) : ordered_json();
}

}  // namespace headlight
