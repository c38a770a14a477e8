#include <fmt/core.h>

#include <filesystem>

#include "app/options/output_option.h"
#include "app/output/json.h"
#include "app/output/lines.h"
#include "commands.h"
#include "headlight/draw/table.h"
#include "headlight/studies/contest.h"
#include "headlight/system/percent.h"
#include "headlight/system/run_main.h"
#include "headlight/system/text.h"
#include "program/exit_status.h"

namespace headlight::app {
namespace {

struct VerifyOptions {
  std::string folder;
  bool by_hand = false, json = false;
};

std::string entry_name(const std::string& folder) {
  const std::filesystem::path path = std::filesystem::weakly_canonical(folder);
  return path.filename().string();
}

ordered_json json_of_result(const VerifyOptions& o, const studies::ContestResult& r) {
  ordered_json json = json_of("verify", o.folder);
  json["parameters"] = r.parameters;
  json["by_hand"] = o.by_hand;
  for (const studies::EdgeCase& each : r.edge_cases)
    json["edge_cases"].push_back({{"case", each.name}, {"right", each.right}});
  json["drawn"] = studies::kDrawnSegments;
  json["drawn_right"] = r.drawn_right;
  json["accuracy"] = r.accuracy();
  json["passed"] = r.passed();
  return json;
}

std::string contest_text(const VerifyOptions& o, const studies::ContestResult& r) {
  draw::Table table{{"edge case", "verdict"}, {}};
  for (const studies::EdgeCase& each : r.edge_cases)
    table.rows.push_back({each.name, each.right ? "✓ right" : "✗ wrong"});
  const std::string name = printable(entry_name(o.folder));
  std::string text =
      fmt::format("{}: {} parameters\n\n{}\n", name, r.parameters, draw::terminal_table(table));
  text += in_lines(fmt::format("Of {} drawn segments, {} are right: {}.", studies::kDrawnSegments,
                               r.drawn_right, percent(r.accuracy(), 2)));
  if (!r.passed())
    return text + in_lines(fmt::format("Not passed: an entry needs every edge case and at least {}.",
                                       percent(studies::kContestAccuracy, 0)));
  return text + in_lines("Passed. Its row of docs/records.md:") +
         fmt::format("| {} | {} | {} | {} |\n", name, r.parameters, o.by_hand ? "set by hand" : "trained",
                     percent(r.accuracy(), 2));
}

int verify(VerifyOptions o) {
  if (std::filesystem::is_regular_file(o.folder))  // model.safetensors itself
    o.folder = std::filesystem::path(o.folder).parent_path().string();
  const run::Run run = run::read_run(o.folder, run::Parts::model);
  for (const std::string& text : run.notes) note("Note: {}", text);
  const studies::ContestResult result = studies::enter_contest(*run.model);
  if (o.json)
    print_json(json_of_result(o, result));
  else
    fmt::print("{}", contest_text(o, result));
  return result.passed() ? kFound : kNotFound;
}

}  // namespace

void add_verify(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command =
      program.add_subcommand("verify", "Whether a model copies: an entry of the contest in docs/records.md");
  command->add_option("DIR", options->folder, "Folder with config.json and model.safetensors, as of a run")
      ->required();
  command->add_flag("--by-hand", options->by_hand, "The row says that the parameters were set, not trained");
  add_json_option(*command, options->json);
  command->footer(
      "\nThe contest: the smallest decoder of 32 tokens and 32 positions that copies a segment of up to 16\n"
      "different tokens again and again. docs/records.md has the rules and the records.\n"
      "\nExamples:\n  ./headlight verify data/records/copy_97 --by-hand\n  ./headlight verify runs/mine\n\n"
      "Exit status: 0 if the model passed, 1 if not, 2 for an error.");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return verify(*options); }; });
}

}  // namespace headlight::app
