#include "command.h"

namespace headlight::app {

void add_trust(CLI::App& command, bool& trust) {
  command.add_flag("--trust", trust, "Read files of the run that were changed after the run wrote them");
}

void add_run(CLI::App& command, ChosenRun& run) {
  command.add_option("DIR", run.folder, "Run folder")->required();
  add_trust(command, run.trust);
}

}  // namespace headlight::app
