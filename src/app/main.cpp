// The `headlight` program: finds the command and reports errors.
#include <fmt/core.h>

#include "commands/command.h"
#include "headlight/core/version.h"
#include "headlight/system/run_main.h"
#include "lines.h"
#include "overview.h"
#include "program/command_line.h"
#include "program/out_of_memory.h"

namespace {

// First, because other files have tables that are made before main.
#ifndef __APPLE__
[[gnu::init_priority(101)]]
#endif
const headlight::program::OutOfMemoryEnd out_of_memory_end;

// --help of the program itself; each command keeps CLI11's.
class Overview : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App*, std::string, CLI::AppFormatMode) const override {
    return headlight::app::overview(headlight::app::text_columns());
  }
};

int run(int argc, char** argv) {
  CLI::App program("Headlight: see how attention works, down to the last derivative.", "./headlight");
  program.set_version_flag("--version", headlight::version());
  program.require_subcommand(0, 1);
  headlight::app::Action chosen;
  headlight::app::add_demo(program, chosen);
  headlight::app::add_train(program, chosen);
  headlight::app::add_task(program, chosen);
  headlight::app::add_runs(program, chosen);
  headlight::app::add_heads(program, chosen);
  headlight::app::add_plot(program, chosen);
  headlight::app::add_ablate(program, chosen);
  headlight::app::add_patch(program, chosen);
  headlight::app::add_circuits(program, chosen);
  headlight::app::add_attribute(program, chosen);
  headlight::app::add_sensitivity(program, chosen);
  headlight::app::add_curves(program, chosen);
  headlight::app::add_periods(program, chosen);
  headlight::app::add_compare(program, chosen);
  headlight::app::add_sweep(program, chosen);
  headlight::app::add_report(program, chosen);
  headlight::app::add_lab(program, chosen);
  headlight::app::add_generate(program, chosen);
  headlight::app::add_export(program, chosen);
  headlight::app::add_certify(program, chosen);
  headlight::app::add_glossary(program, chosen);
  headlight::app::add_bench(program, chosen);
  program.formatter(std::make_shared<Overview>());
  if (!headlight::program::parse(program, argc, argv, headlight::app::command_names())) return 0;
  if (!chosen) {
    fmt::print("{}", headlight::app::overview(headlight::app::text_columns()));
    return 0;
  }
  return chosen(headlight::program::typed_line(argc, argv));
}

}  // namespace

int main(int argc, char** argv) {
  return headlight::run_main([&] { return run(argc, argv); });
}
