#include <fmt/core.h>

#include "app/output/lines.h"
#include "command.h"
#include "headlight/system/run_main.h"

namespace headlight::app {

void add_run(CLI::App& command, std::string& folder) {
  command.add_option("DIR", folder, "Run folder")->required();
}

run::Run chosen_run(const std::string& folder, run::Parts parts) {
  run::Run run = run::read_run(folder, parts | run::Parts::results);
  for (const std::string& text : run.notes) note("Note: {}", text);
  if (run.results.interrupted)
    note("Note: the run '{}' was stopped at step {} of {}. To go on: ./headlight train --resume {}", folder,
         run.results.steps, run.config.train.steps, in_command(folder));
  return run;
}

}  // namespace headlight::app
