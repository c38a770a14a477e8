#include "headlight/sweep/sweep_results.h"

#include <algorithm>
#include <functional>
#include <span>

#include "headlight/core/version.h"
#include "headlight/draw/text_page.h"
#include "headlight/studies/comparison.h"
#include "headlight/system/json.h"
#include "headlight/system/json_output.h"
#include "headlight/system/percent.h"

namespace headlight::sweep {
namespace {

// A number of a run's results, in the tables and in JSON.
struct SweepNumber {
  std::string key, heading;
  std::function<std::optional<double>(const run::Results&)> value;
  std::function<std::string(double)> text;
  std::string unit = {};
};

std::vector<SweepNumber> sweep_numbers() {
  const auto percent = [](double x) { return percent_number(x); };
  const auto decimals = [](double x) { return fmt::format("{:.2f}", x); };
  std::vector<SweepNumber> all{
      {"accuracy_predictable", "accuracy",
       [](const run::Results& r) { return r.evaluation.accuracy_predictable; }, percent, " %"},
      {"accuracy_held_out", "held out", [](const run::Results& r) { return r.accuracy_held_out; }, percent,
       " %"},
      {"loss", "loss", [](const run::Results& r) { return std::optional(r.evaluation.loss); },
       [](double x) { return fmt::format("{:.3f}", x); }}};
  for (const auto& kind : interpret::score_kinds())
    if (kind.charted)
      all.push_back({kind.key, kind.column,
                     [key = kind.key](const run::Results& r) -> std::optional<double> {
                       if (!interpret::is_scored(r.heads, key)) return {};
                       return interpret::best_head(r.heads, key)[key];
                     },
                     decimals});
  all.push_back({"train_seconds", "time",
                 [](const run::Results& r) { return std::optional(r.train_seconds); },
                 [](double x) { return fmt::format("{:.1f}", x); }, " s"});
  return all;
}

using Rows = std::span<const SweepRow>;

// The rows of each combination, which stand together.
std::vector<Rows> by_combination(const std::vector<SweepRow>& rows) {
  std::vector<Rows> all;
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    while (end < rows.size() && rows[end].run.combination == rows[begin].run.combination) ++end;
    all.push_back(Rows(rows).subspan(begin, end - begin));
  }
  return all;
}

std::vector<double> values_in(Rows rows, const SweepNumber& number) {
  std::vector<double> values;
  for (const SweepRow& row : rows)
    if (row.results)
      if (const auto value = number.value(*row.results)) values.push_back(*value);
  return values;
}

// The numbers that at least one run has.
std::vector<SweepNumber> measured_numbers(const std::vector<SweepRow>& rows) {
  std::vector<SweepNumber> numbers = sweep_numbers();
  std::erase_if(numbers, [&](const SweepNumber& number) {
    return std::none_of(rows.begin(), rows.end(), [&](const SweepRow& row) {
      return row.results && number.value(*row.results).has_value();
    });
  });
  return numbers;
}

std::string cell_of(const Spread& s, const SweepNumber& number) {
  if (s.count == 0) return "-";
  const std::string median = number.text(s.median) + number.unit;
  return s.count == 1 ? median
                      : fmt::format("{} ({} … {})", median, number.text(s.least), number.text(s.largest));
}

std::string reason_of(const SweepRow& row) {
  if (!row.failure.empty()) return row.failure;
  return row.results && row.results->diverged ? row.results->verdict : "";
}

std::size_t count_in(Rows rows, const std::function<bool(const SweepRow&)>& what) {
  return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), what));
}

bool row_has_results(const SweepRow& row) { return row.results.has_value(); }
bool row_is_solved(const SweepRow& row) { return row.results && row.results->passed; }

ordered_json json_of(const SweepPlan& plan, std::size_t combination) {
  ordered_json json = ordered_json::object();
  const std::vector<std::string> values = combination_values(plan, combination);
  for (std::size_t i = 0; i < values.size(); ++i)
    json[plan.varied[i].setting.part + "." + plan.varied[i].setting.row->key] = values[i];
  return json;
}

ordered_json runs_json(const SweepPlan& plan, const std::vector<SweepRow>& rows) {
  ordered_json runs = ordered_json::array();
  for (const SweepRow& row : rows) {
    ordered_json json{{"folder", row.run.folder},
                      {"settings", json_of(plan, row.run.combination)},
                      {"seed", row.run.seed},
                      {"state", row.results            ? row.results->diverged ? "diverged" : "ended"
                                : !row.failure.empty() ? "failed"
                                                       : "not ended"}};
    if (const std::string reason = reason_of(row); !reason.empty()) json["reason"] = reason;
    if (row.results) {
      json["steps"] = row.results->steps;
      json["passed"] = row.results->passed;
      for (const SweepNumber& number : sweep_numbers())
        json[number.key] = or_null(number.value(*row.results), number.key.c_str());
    }
    runs.push_back(std::move(json));
  }
  return runs;
}

ordered_json combinations_json(const SweepPlan& plan, const std::vector<SweepRow>& rows) {
  ordered_json combinations = ordered_json::array();
  const std::vector<SweepNumber> numbers = sweep_numbers();
  for (const Rows& own : by_combination(rows)) {
    ordered_json json{{"settings", json_of(plan, own.front().run.combination)},
                      {"runs", count_in(own, row_has_results)},
                      {"solved", count_in(own, row_is_solved)}};
    for (const SweepNumber& number : numbers)
      if (const Spread s = spread_of(values_in(own, number)); s.count > 0)
        json[number.key] = {{"median", finite(s.median, number.key.c_str())},
                            {"least", finite(s.least, number.key.c_str())},
                            {"largest", finite(s.largest, number.key.c_str())}};
    combinations.push_back(std::move(json));
  }
  return combinations;
}

}  // namespace

Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return {n, (values[(n - 1) / 2] + values[n / 2]) / 2, values.front(), values.back()};
}

draw::Table combinations_table(const SweepPlan& plan, const std::vector<SweepRow>& rows) {
  draw::Table table;
  for (const VariedSetting& varied : plan.varied) table.head.push_back(studies::short_name(varied.setting));
  table.keys = plan.varied.size();
  table.head.insert(table.head.end(), {"runs", "solved"});
  const std::vector<SweepNumber> shown = measured_numbers(rows);
  for (const SweepNumber& number : shown) table.head.push_back(number.heading);
  for (const Rows& own : by_combination(rows)) {
    table.rows.push_back(combination_values(plan, own.front().run.combination));
    std::vector<std::string>& row = table.rows.back();
    row.push_back(fmt::format("{}/{}", count_in(own, row_has_results), plan.seeds.size()));
    row.push_back(fmt::format("{}", count_in(own, row_is_solved)));
    for (const SweepNumber& number : shown) row.push_back(cell_of(spread_of(values_in(own, number)), number));
  }
  return table;
}

draw::Table runs_table(const SweepPlan& plan, const std::vector<SweepRow>& rows) {
  draw::Table table{{"folder"}, {}};
  for (const VariedSetting& varied : plan.varied)
    table.head.push_back(varied.setting.part + "." + varied.setting.row->key);
  table.head.insert(table.head.end(), {"seed", "steps", "passed"});
  for (const SweepNumber& number : sweep_numbers()) table.head.push_back(number.key);
  table.head.emplace_back("reason");
  for (const SweepRow& row : rows) {
    table.rows.push_back({row.run.folder});
    std::vector<std::string>& cells = table.rows.back();
    for (std::string& value : combination_values(plan, row.run.combination))
      cells.push_back(std::move(value));
    cells.push_back(fmt::format("{}", row.run.seed));
    cells.push_back(row.results ? fmt::format("{}", row.results->steps) : "");
    cells.push_back(row.results ? fmt::format("{}", row.results->passed) : "");
    for (const SweepNumber& number : sweep_numbers()) {
      const auto value = row.results ? number.value(*row.results) : std::nullopt;
      cells.push_back(value ? fmt::format("{}", *value) : "");
    }
    cells.push_back(reason_of(row));
  }
  return table;
}

draw::Table failures_table(const std::vector<SweepRow>& rows) {
  draw::Table table{{"run", "reason"}, {}};
  for (const SweepRow& row : rows)
    if (const std::string reason = reason_of(row); !reason.empty())
      table.rows.push_back({row.run.folder, reason});
  return table;
}

std::string sweep_page(const SweepPlan& plan, const std::vector<SweepRow>& rows, const std::string& svg) {
  std::vector<run::RunConfig> configs;
  for (const SweepRow& row : rows) configs.push_back(row.run.config);
  std::vector<draw::PageSection> sections{
      {"Results",
       {fmt::format("Median over the seeds, with the least and the largest value in brackets. Accuracy is on "
                    "{} tokens; held out: on sequences of a kind not used in training. Loss in nats, over "
                    "all targets.",
                    accuracy_tokens(configs))},
       combinations_table(plan, rows)}};
  if (!svg.empty())
    sections.push_back(
        {"Curves", {"Thin: the runs. Bold: the median of the runs with the same settings."}, {}, svg});
  if (draw::Table failures = failures_table(rows); !failures.rows.empty())
    sections.push_back({"Runs that failed or diverged", {}, std::move(failures)});
  return draw::text_page(fmt::format("Headlight: a sweep of {} runs", rows.size()), sections);
}

std::string to_json(const SweepPlan& plan, const std::vector<SweepRow>& rows, const std::string& texts) {
  ordered_json json{{"version", version()}, {"plan", json_from<ordered_json>(to_json(plan))}};
  if (!texts.empty()) json["texts"] = texts;
  json["combinations"] = combinations_json(plan, rows);
  json["runs"] = runs_json(plan, rows);
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace headlight::sweep
