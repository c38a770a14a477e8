// The commands of the program. Each adds itself to the command line; adding one is a file and a line here.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "headlight/run/run_folder.h"

namespace headlight::app {

// What a chosen command does. It is given the line that was typed, and returns the program's exit status.
using Action = std::function<int(const std::string& typed)>;

void add_demo(CLI::App& program, Action& chosen);
void add_train(CLI::App& program, Action& chosen);
void add_task(CLI::App& program, Action& chosen);
void add_runs(CLI::App& program, Action& chosen);
void add_heads(CLI::App& program, Action& chosen);
void add_plot(CLI::App& program, Action& chosen);
void add_ablate(CLI::App& program, Action& chosen);
void add_patch(CLI::App& program, Action& chosen);
void add_circuits(CLI::App& program, Action& chosen);
void add_attribute(CLI::App& program, Action& chosen);
void add_sensitivity(CLI::App& program, Action& chosen);
void add_curves(CLI::App& program, Action& chosen);
void add_periods(CLI::App& program, Action& chosen);
void add_compare(CLI::App& program, Action& chosen);
void add_sweep(CLI::App& program, Action& chosen);
void add_report(CLI::App& program, Action& chosen);
void add_generate(CLI::App& program, Action& chosen);
void add_export(CLI::App& program, Action& chosen);
void add_certify(CLI::App& program, Action& chosen);
void add_glossary(CLI::App& program, Action& chosen);
void add_bench(CLI::App& program, Action& chosen);

// The run that a command reads: its folder as typed, and whether to read files that the run did not write.
struct ChosenRun {
  std::string folder;
  bool trust = false;

  operator run::RunFolder() const {
    run::RunFolder run(folder, trust);
    run.first = first;  // all that a command reads is of one save
    return run;
  }

 private:
  std::shared_ptr<run::FirstManifest> first = run::no_manifest_yet();
};

// DIR and --trust, or --trust alone.
void add_run(CLI::App& command, ChosenRun& run);
void add_trust(CLI::App& command, bool& trust);

}  // namespace headlight::app
