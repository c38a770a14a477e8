// The command line that all programs share: headlight, headlight_full, and a program of one's own.
#pragma once

#include <functional>
#include <vector>

#include "command.h"
#include "headlight/app/command_line.h"
#include "prove.h"
#include "train.h"

namespace headlight::app {

// What a program adds to the commands in this folder. The first program adds nothing, so that it is built
// sooner.
struct Program {
  std::vector<std::function<void(CLI::App&, Action&)>> commands = {};
  std::vector<OwnCommand> own = {};
  OverRanks over_ranks = {};  // without it, `train` trains in one process
  Prove prove = {};           // without it, `certify` refuses to prove
  bool has_script = true;     // the overview then has the commands of the script ./headlight too
};

// Runs the command that the arguments name, and returns the program's exit status.
int run_commands(int argc, char** argv, const Program& program);

}  // namespace headlight::app
