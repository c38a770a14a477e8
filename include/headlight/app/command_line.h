// The program `headlight` as a function, for a program of your own with your tasks, optimizers and commands.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace headlight::app {

// A command beside those of Headlight. `add` gives the command its options, with CLI11, and returns what it
// does when it is chosen: its value is the program's exit status.
struct OwnCommand {
  std::string name, help;
  std::function<std::function<int()>(CLI::App& command)> add;
};

// Runs the command that the arguments name, and returns the program's exit status. Tasks, optimizers and
// schedules that were added to their registries before are known to every command, as those of Headlight.
// Errors are printed as run_main() does, and 2 is returned. Name the program headlight: its hints call it so.
int run_command_line(int argc, char** argv, const std::vector<OwnCommand>& commands = {});

}  // namespace headlight::app
