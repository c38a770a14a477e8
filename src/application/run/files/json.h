// How the JSON files of a run write heads. fields.h reads them.
#pragma once

#include <vector>

#include "headlight/interpret/scores.h"
#include "headlight/system/json_output.h"

namespace headlight::run {

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
