#include <nlohmann/json.hpp>

#include "experiment/json.h"
#include "headlight/core/check.h"
#include "headlight/experiment/head_gradients.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {
namespace {

std::string all_digits(double value) { return fmt::format("{}", value); }

std::vector<std::string> cells_of(const interpret::HeadAt& at) {
  return {fmt::format("{}", at.layer), fmt::format("{}", at.head), interpret::names_of(at.stack).key};
}

void append_cells(std::vector<std::string>& row, const std::vector<std::string>& cells) {
  row.insert(row.end(), cells.begin(), cells.end());
}

ordered_json place_json(const interpret::HeadAt& at) {
  ordered_json json = {{"layer", at.layer}, {"head", at.head}};
  if (at.stack != interpret::Stack::self) json["stack"] = interpret::names_of(at.stack).key;
  return json;
}

std::string loss_name(interpret::LossOver over) {
  for (const auto& kind : interpret::loss_kinds().entries())
    if (kind.thing == over) return kind.name;
  fail("[head_gradients] there is no such loss.");
}

ordered_json finite_list(const std::vector<double>& values, const char* what) {
  ordered_json list = ordered_json::array();
  for (const double value : values) list.push_back(finite(value, what));
  return list;
}

std::string text_of(const ordered_json& json) { return json.dump(2) + "\n"; }

}  // namespace

report::Table norms_table(const NormsOfRun& norms) {
  report::Table table{{"step", "loss", "layer", "head", "stack"}, {}};
  for (const interpret::NormKey& key : interpret::kNormKeys) table.head.push_back(key.key);
  for (const interpret::NormsAtStep& moment : norms.moments)
    for (const interpret::HeadNorms& head : moment.heads) {
      std::vector<std::string>& row = table.rows.emplace_back();
      append_cells(row, {fmt::format("{}", moment.step), all_digits(moment.loss)});
      append_cells(row, cells_of(head.at));
      for (const interpret::NormKey& key : interpret::kNormKeys) row.push_back(all_digits(head.*key.value));
    }
  return table;
}

report::Table starts_table(const std::vector<interpret::LearningStart>& starts) {
  report::Table table{{"head", "starts at", "largest norm", "at step"}, {}};
  for (const interpret::LearningStart& start : interpret::by_start(starts))
    table.rows.push_back({interpret::head_code(start.at),
                          start.first_step ? fmt::format("{}", *start.first_step) : "never",
                          fmt::format("{:.6g}", start.largest), fmt::format("{}", start.largest_step)});
  return table;
}

std::string norms_json(const NormsOfRun& norms, double fraction) {
  ordered_json json = {{"loss_over", loss_name(norms.over)},
                       {"sequences", norms.sequences},
                       {"fraction", fraction},
                       {"moments", ordered_json::array()},
                       {"starts", ordered_json::array()}};
  for (const interpret::NormsAtStep& moment : norms.moments) {
    ordered_json heads = ordered_json::array();
    for (const interpret::HeadNorms& head : moment.heads) {
      ordered_json one = place_json(head.at);
      for (const interpret::NormKey& key : interpret::kNormKeys)
        one[key.key] = finite(head.*key.value, key.key);
      heads.push_back(std::move(one));
    }
    json["moments"].push_back(
        {{"step", moment.step}, {"loss", finite(moment.loss, "loss")}, {"heads", std::move(heads)}});
  }
  for (const interpret::LearningStart& start : interpret::learning_starts(norms.moments, fraction)) {
    ordered_json one = place_json(start.at);
    one["first_step"] = or_null(start.first_step);
    one["largest"] = finite(start.largest, "largest");
    one["largest_step"] = start.largest_step;
    json["starts"].push_back(std::move(one));
  }
  return text_of(json);
}

report::Table patches_table(const PatchesOfRun& patches) {
  report::Table table{{"layer", "head", "stack", "position", "estimated", "true"}, {}};
  const auto add_row = [&](const interpret::HeadAt& at, const std::string& position, double estimated,
                           double actual) {
    table.rows.push_back(cells_of(at));
    append_cells(table.rows.back(), {position, all_digits(estimated), all_digits(actual)});
  };
  const auto &estimated = patches.both.estimated.heads, &actual = patches.both.actual.heads;
  for (std::size_t h = 0; h < actual.size(); ++h)
    add_row(actual[h].at, "", estimated[h].effect, actual[h].effect);
  for (std::size_t h = 0; h < actual.size(); ++h)
    for (std::size_t i = 0; i < actual[h].at_position.size(); ++i)
      add_row(actual[h].at, fmt::format("{}", i), estimated[h].at_position[i], actual[h].at_position[i]);
  return table;
}

std::string patches_json(const PatchesOfRun& patches) {
  const interpret::PatchComparison& both = patches.both;
  ordered_json json = {{"loss_over", loss_name(patches.over)},
                       {"sequences", patches.sequences},
                       {"replacement", patches.replacement},
                       {"loss", finite(both.actual.loss, "loss")},
                       {"correlation", or_null(both.correlation, "correlation")},
                       {"position_correlation", or_null(both.position_correlation, "position_correlation")},
                       {"heads", ordered_json::array()}};
  for (std::size_t h = 0; h < both.actual.heads.size(); ++h) {
    const interpret::HeadEffect &estimated = both.estimated.heads[h], &actual = both.actual.heads[h];
    ordered_json one = place_json(actual.at);
    one["estimated"] = finite(estimated.effect, "estimated");
    one["true"] = finite(actual.effect, "true");
    one["estimated_at"] = finite_list(estimated.at_position, "estimated_at");
    if (!actual.at_position.empty()) one["true_at"] = finite_list(actual.at_position, "true_at");
    json["heads"].push_back(std::move(one));
  }
  return text_of(json);
}

report::Table curvature_table(const std::vector<CurvatureOfHead>& heads) {
  report::Table table{
      {"layer", "head", "stack", "largest", "largest_residual", "smallest", "smallest_residual", "converged"},
      {}};
  for (const CurvatureOfHead& one : heads) {
    table.rows.push_back(cells_of(one.head));
    append_cells(table.rows.back(), {all_digits(one.largest.value), all_digits(one.largest.residual),
                                     all_digits(one.smallest.value), all_digits(one.smallest.residual),
                                     one.largest.converged && one.smallest.converged ? "yes" : "no"});
  }
  return table;
}

std::string curvature_json(const std::vector<CurvatureOfHead>& heads) {
  ordered_json list = ordered_json::array();
  for (const CurvatureOfHead& one : heads) {
    ordered_json json = place_json(one.head);
    json["largest"] = finite(one.largest.value, "largest");
    json["largest_residual"] = finite(one.largest.residual, "largest_residual");
    json["smallest"] = finite(one.smallest.value, "smallest");
    json["smallest_residual"] = finite(one.smallest.residual, "smallest_residual");
    json["converged"] = one.largest.converged && one.smallest.converged;
    list.push_back(std::move(json));
  }
  return text_of({{"heads", std::move(list)}});
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
