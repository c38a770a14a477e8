#include "stopped_run.h"

#include "headlight/system/run_main.h"
#include "lines.h"

namespace headlight::app {

void tell_stopped(const run::RunFolder& run) {
  const std::string folder = run.path.string();
  try {
    const run::Results results = run::load_results(run);
    if (!results.interrupted) return;
    note("Note: the run '{}' was stopped at step {} of {}. To go on: ./headlight train --resume {}", folder,
         results.steps, run::load_config(run).train.steps, in_command(folder));
  } catch (const Error&) {  // the command has said what there was to say
  }
}

}  // namespace headlight::app
