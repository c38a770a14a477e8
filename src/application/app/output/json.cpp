#include "json.h"

#include <fmt/core.h>

#include <cstdint>

namespace headlight::app {

ordered_json json_of(const std::string& command, const std::string& run) {
  ordered_json json{{"command", command}};
  if (!run.empty()) json["run"] = run;
  return json;
}

ordered_json curves_json(const std::vector<draw::Chart>& charts) {
  ordered_json curves = ordered_json::array();
  for (const draw::Chart& chart : charts)
    for (const draw::Series& series : chart.series) {
      ordered_json& curve = curves.emplace_back(ordered_json{{"chart", chart.y.label},
                                                             {"curve", series.name},
                                                             {"steps", ordered_json::array()},
                                                             {"values", ordered_json::array()}});
      for (std::size_t i = 0; i < series.x.size(); ++i) {
        curve["steps"].push_back(static_cast<std::int64_t>(series.x[i]));
        curve["values"].push_back(finite(series.y[i], series.name.c_str()));
      }
    }
  return curves;
}

ordered_json pattern_json(const interpret::HeadAt& head, const draw::Heatmap& pattern) {
  ordered_json json{{"stack", interpret::names_of(head.stack).key},
                    {"layer", head.layer},
                    {"head", head.head},
                    {"queries", pattern.queries},
                    {"keys", pattern.keys},
                    {"weights", ordered_json::array()}};
  for (std::size_t query = 0; query < pattern.weights.shape()[0]; ++query) {
    ordered_json& row = json["weights"].emplace_back(ordered_json::array());
    for (std::size_t key = 0; key < pattern.weights.shape()[1]; ++key)
      row.push_back(pattern.weights(query, key));
  }
  return json;
}

void print_json(const ordered_json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, ordered_json::error_handler_t::replace));
}

}  // namespace headlight::app
