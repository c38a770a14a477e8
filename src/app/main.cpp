// The `headlight` program: finds the command and reports errors.
#include <fmt/core.h>

#include "commands/command.h"
#include "headlight/core/version.h"
#include "headlight/system/run_main.h"
#include "lines.h"
#include "overview.h"
#include "program/command_line.h"
#include "program/out_of_memory.h"
#include "stopped_run.h"

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

// A note on each run that the command read and that was stopped early. The list of runs says so itself.
void tell_stopped_runs(const CLI::App& command) {
  const CLI::Option* folders = command.get_option_no_throw("DIR");
  if (folders == nullptr || command.get_name() == "runs") return;
  const CLI::Option* trust = command.get_option_no_throw("--trust");
  for (const std::string& folder : folders->results())
    headlight::app::tell_stopped({folder, trust != nullptr && trust->count() > 0});
}

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
  const int status = chosen(headlight::program::typed_line(argc, argv));
  tell_stopped_runs(*program.get_subcommands().front());
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  return headlight::run_main([&] { return run(argc, argv); });
}
