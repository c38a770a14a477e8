// Helpers to write the JSON files of a run folder. fields.h reads them.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "headlight/core/check.h"
#include "headlight/interpret/scores.h"

namespace headlight::run {

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

// A head names its stack unless the stack is "self", which is the only one of most models and of older files.
inline ordered_json heads_json(const std::vector<interpret::HeadScores>& heads) {
  ordered_json list = ordered_json::array();
  for (const auto& h : heads) {
    ordered_json json = {{"layer", h.layer}, {"head", h.head}};
    if (h.stack != interpret::Stack::self) json["stack"] = interpret::names_of(h.stack).key;
    for (std::size_t i = 0; i < h.values.size(); ++i)
      if (const char* key = interpret::score_kinds()[i].key; h.values[i])
        json[key] = finite(*h.values[i], key);
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace headlight::run
