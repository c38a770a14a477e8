#include "page_scores.h"

#include "headlight/system/json_output.h"

namespace headlight::page {

ScoreKinds kinds_on_page(const std::vector<interpret::HeadScores>& heads) {
  ScoreKinds kinds;
  for (const auto& kind : interpret::score_kinds())
    if (kind.on == interpret::Scored::one_sequence || kind.on == interpret::Scored::earlier_tokens ||
        interpret::is_scored(heads, kind.key))
      kinds.push_back(&kind);
  return kinds;
}

ordered_json score_table_json(const ScoreKinds& kinds) {
  ordered_json list = ordered_json::array();
  for (const auto* kind : kinds)
    list.push_back({{"key", kind->key},
                    {"name", kind->name},
                    {"brief", kind->column},
                    {"role", kind->role},
                    {"help", kind->help},
                    {"drawing", kind->drawing},
                    {"charted", kind->charted}});
  return list;
}

ordered_json heads_json(const std::vector<interpret::HeadScores>& heads, const ScoreKinds& kinds) {
  ordered_json list = ordered_json::array();
  for (const auto& head : heads) {
    ordered_json values = ordered_json::array();
    for (const auto* kind : kinds)
      values.push_back(head.has(kind->key) ? ordered_json(head[kind->key]) : ordered_json());
    while (!values.empty() && values.back().is_null()) values.erase(values.size() - 1);
    list.push_back(std::move(values));
  }
  return list;
}

}  // namespace headlight::page
