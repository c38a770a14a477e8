#include "stopped_run.h"

#include "headlight/core/run_main.h"
#include "lines.h"

namespace headlight::inline HEADLIGHT_PRECISION::app {

void tell_stopped(const experiment::RunFolder& run) {
  const std::string folder = run.path.string();
  try {
    const experiment::Results results = experiment::load_results(run);
    if (!results.interrupted) return;
    note("Note: the run '{}' was stopped at step {} of {}. To go on: ./headlight train --resume {}", folder,
         results.steps, experiment::load_config(run).train.steps, in_command(folder));
  } catch (const Error&) {  // the command has said what there was to say
  }
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::app
