#include "stopped_run.h"

#include "headlight/core/run_main.h"
#include "headlight/experiment/run_folder.h"
#include "lines.h"

namespace headlight::inline HEADLIGHT_PRECISION::app {

void tell_stopped(const std::string& folder) {
  try {
    const experiment::Results results = experiment::load_results(folder);
    if (!results.interrupted) return;
    note("Note: the run '{}' was stopped at step {} of {}. To go on: ./headlight train --resume {}", folder,
         results.steps, experiment::load_config(folder).train.steps, in_command(folder));
  } catch (const Error&) {  // the command has said what there was to say
  }
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::app
