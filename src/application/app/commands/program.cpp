#include "program.h"

#include <fmt/core.h>

#include "app/output/lines.h"
#include "app/run_first.h"
#include "headlight/core/version.h"
#include "headlight/system/run_main.h"
#include "overview.h"
#include "program/command_line.h"
#include "program/out_of_memory.h"

namespace headlight::app {
namespace {

// First, because other files have tables that are made before main.
#ifndef __APPLE__
[[gnu::init_priority(101)]]
#endif
const program::OutOfMemoryEnd out_of_memory_end;

// --help of the program itself; each command keeps CLI11's.
class OverviewHelp : public CLI::Formatter {
 public:
  explicit OverviewHelp(std::string text) : text_(std::move(text)) {}
  std::string make_help(const CLI::App*, std::string, CLI::AppFormatMode) const override { return text_; }

 private:
  std::string text_;
};

void add_commands(CLI::App& program, Action& chosen, const Program& with) {
  add_demo(program, chosen);
  add_train(program, chosen, with.over_ranks);
  add_task(program, chosen);
  add_runs(program, chosen);
  add_heads(program, chosen);
  add_plot(program, chosen);
  add_ablate(program, chosen);
  add_patch(program, chosen);
  add_circuits(program, chosen);
  add_attribute(program, chosen);
  add_lens(program, chosen);
  add_sensitivity(program, chosen);
  add_curves(program, chosen);
  add_periods(program, chosen);
  add_report(program, chosen);
  add_lab(program, chosen);
  add_generate(program, chosen);
  add_export(program, chosen);
  add_certify(program, chosen, with.prove);
  add_glossary(program, chosen);
  for (const auto& add : with.commands) add(program, chosen);
}

}  // namespace

int run_commands(int argc, char** argv, const Program& with) {
  CLI::App program("Headlight: how attention works, to the last derivative.", "./headlight");
  program.set_version_flag("--version", version());
  program.require_subcommand(0, 1);
  Action chosen;
  add_commands(program, chosen, with);
  for (const OwnCommand& each : with.own) {
    CLI::App* command = program.add_subcommand(each.name, each.help);
    command->callback(
        [&chosen, does = each.add(*command)] { chosen = [does](const std::string&) { return does(); }; });
  }
  const std::vector<ListedCommand> listed = listed_commands(program, with.has_script);
  const std::string text = overview(listed, text_columns());
  program.formatter(std::make_shared<OverviewHelp>(text));
  if (!program::parse(program, argc, argv, names_of(listed))) return 0;
  if (chosen) return chosen(program::typed_line(argc, argv));
  fmt::print("{}", text);
  return 0;
}

int run_first(int argc, char** argv) {
  return run_main([&] { return run_commands(argc, argv, {}); });
}

}  // namespace headlight::app
