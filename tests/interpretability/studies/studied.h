// A small run for studies, and what a study says without its rows.
#pragma once

#include <fmt/core.h>

#include <string>

#include "catch.h"
#include "headlight/run/experiment.h"
#include "headlight/studies/study.h"
#include "run/small_config.h"

namespace headlight::studies {

// Two layers of two heads, trained for some steps, so that all numbers differ.
inline const run::Run& small_run() {
  static const run::Run run = [] {
    run::RunConfig config = run::small_config();
    config.model.d_mlp = 0;
    config.train.steps = 60, config.train.history = 4;
    config.train.learning_rate = 0.03, config.train.warmup = 1;
    run::Experiment experiment(config, {.threads = 1});
    experiment.run_until(60);
    return experiment.measure();
  }();
  return run;
}

inline std::string fact_text(const StudyCell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *whole);
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{:.4f}", *number);
  return "-";
}

inline std::string outline(const StudyTable& table) {
  std::string out = fmt::format("[{}] {}\n", table.key, table.title);
  for (const StudyColumn& c : table.columns)
    out += fmt::format("  {}: \"{}\" {}{}{}\n", c.key, c.head, c.decimals, c.sign ? " signed" : "",
                       c.shown ? "" : " hidden");
  if (table.most_rows > 0) out += fmt::format("  the first {} rows\n", table.most_rows);
  if (table.largest_first) out += "  the largest rows\n";
  for (const std::string& sentence : table.sentences) out += sentence + "\n";
  return out;
}

// Everything that a reader sees of a study but rows and pictures' numbers, a line each.
inline std::string outline(const Study& study) {
  std::string out = study.key + "\n";
  for (const auto& [key, value] : study.facts) out += fmt::format("{} = {}\n", key, fact_text(value));
  for (const std::string& sentence : study.sentences) out += sentence + "\n";
  for (const StudyTable& table : study.tables) out += outline(table);
  if (const auto* map = std::get_if<draw::SignedMap>(&study.picture))
    out += fmt::format("map {}: {} x {}, {} {}{}{}\n", map->title, map->row_name, map->column_name, map->unit,
                       map->decimals, map->numbers ? " numbers" : "", map->magnitudes ? " magnitudes" : "");
  if (const auto* chart = std::get_if<draw::Chart>(&study.picture)) {
    out += fmt::format("chart {}: {} over {}\n", chart->title, chart->y.label, chart->x.label);
    for (const draw::Series& series : chart->series) out += fmt::format("  {}\n", series.name);
  }
  if (const auto* bars = std::get_if<draw::Bars>(&study.picture))
    out += fmt::format("bars {}: {} {}\n", bars->title, bars->unit, bars->decimals);
  return out;
}

inline double number(const StudyCell& cell) { return std::get<double>(cell); }
inline const std::string& text(const StudyCell& cell) { return std::get<std::string>(cell); }

}  // namespace headlight::studies
