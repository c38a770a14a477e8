#include <fmt/core.h>

#include "app/options/output_option.h"
#include "app/output/json.h"
#include "command.h"
#include "headlight/core/check.h"
#include "headlight/run/evaluation_sets.h"
#include "headlight/run/run.h"
#include "headlight/studies/head_table.h"

namespace headlight::app {
namespace {

struct HeadsOptions {
  std::string folder;
  bool no_color = false, csv = false, json = false;
};

ordered_json rows_of(const std::vector<interpret::HeadScores>& scores) {
  ordered_json rows = ordered_json::array();
  for (const interpret::HeadScores& s : scores) {
    ordered_json& row = rows.emplace_back(
        ordered_json{{"stack", interpret::names_of(s.stack).key}, {"layer", s.layer}, {"head", s.head}});
    for (const interpret::ScoreKind* kind : interpret::measured_kinds(scores))
      row[kind->key] = s.has(kind->key) ? ordered_json(finite(s[kind->key], kind->key)) : ordered_json();
  }
  return rows;
}

int heads(const HeadsOptions& options) {
  const run::Run run = chosen_run(options.folder);
  ThreadPool pool;
  const auto scores =
      run::EvaluationSets(run.task, run.config.train.seed).score_heads(*run.model, pool, run::Extent::full);
  check(!scores.empty(),
        "heads have no scores on the task '{}': it has no sequences to score them on (Task::scored), or does "
        "not say where its answers stand.",
        run.task.config.name);
  if (options.json) {
    ordered_json json = json_of("heads", options.folder);
    json["heads"] = rows_of(scores);
    print_json(json);
    return 0;
  }
  fmt::print("{}", options.csv ? studies::heads_csv(scores)
                               : studies::head_table(scores, draw::color_mode(!options.no_color)));
  return 0;
}

}  // namespace

void add_heads(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<HeadsOptions>();
  CLI::App* command = program.add_subcommand("heads", "The head scores of a run");
  add_run(*command, options->folder);
  command->add_flag("--csv", options->csv, "Unrounded, as comma-separated values");
  add_json_option(*command, options->json);
  command->add_flag("--no-color", options->no_color, "Draw in plain text");
  command->footer(
      "\nExamples:\n  ./headlight heads runs/demo\n  ./headlight heads runs/demo --csv > heads.csv");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return heads(*options); }; });
}

}  // namespace headlight::app
