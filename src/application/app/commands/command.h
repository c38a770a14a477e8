// The commands of the program. Each adds itself to the command line; adding one is a file and a line here.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "headlight/run/run.h"

namespace headlight::app {

// What a chosen command does. It is given the line that was typed, and returns the program's exit status.
using Action = std::function<int(const std::string& typed)>;

void add_demo(CLI::App& program, Action& chosen);
void add_task(CLI::App& program, Action& chosen);
void add_runs(CLI::App& program, Action& chosen);
void add_heads(CLI::App& program, Action& chosen);
void add_plot(CLI::App& program, Action& chosen);
void add_ablate(CLI::App& program, Action& chosen);
void add_patch(CLI::App& program, Action& chosen);
void add_circuits(CLI::App& program, Action& chosen);
void add_attribute(CLI::App& program, Action& chosen);
void add_lens(CLI::App& program, Action& chosen);
void add_sensitivity(CLI::App& program, Action& chosen);
void add_curves(CLI::App& program, Action& chosen);
void add_periods(CLI::App& program, Action& chosen);
void add_report(CLI::App& program, Action& chosen);
void add_lab(CLI::App& program, Action& chosen);
void add_generate(CLI::App& program, Action& chosen);
void add_export(CLI::App& program, Action& chosen);
void add_glossary(CLI::App& program, Action& chosen);

// DIR, the folder of a run.
void add_run(CLI::App& command, std::string& folder);

// The run in the folder, with results and other parts. A note on standard error says when a file was edited
// or damaged since the run was saved, and when the run was stopped before its last step.
run::Run chosen_run(const std::string& folder, run::Parts parts = run::parts::kTrained);

}  // namespace headlight::app
