// Helpers for all JSON files of a run folder.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "headlight/core/check.h"
#include "headlight/interpret/scores.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

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
template <class T>
std::optional<T> optional_of(const ordered_json& json) {
  return json.is_null() ? std::optional<T>() : std::optional<T>(json.get<T>());
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

// Throws Error for a stack that does not exist, and what the JSON library throws for other damage.
inline std::vector<interpret::HeadScores> heads_from(const ordered_json& list) {
  std::vector<interpret::HeadScores> heads;
  for (const auto& h : list) {
    auto& head = heads.emplace_back(interpret::HeadScores{h.at("layer"), h.at("head"), {}});
    if (h.contains("stack")) head.stack = interpret::stacks().find(h.at("stack").get<std::string>());
    for (const auto& kind : interpret::score_kinds())
      head.values.push_back(h.contains(kind.key) ? std::optional<double>(h.at(kind.key).get<double>())
                                                 : std::nullopt);
    while (!head.values.empty() && !head.values.back()) head.values.pop_back();
    if (head.stack != interpret::Stack::cross)
      (void)h.at(interpret::kPreviousToken);  // or the file is damaged
  }
  return heads;
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
