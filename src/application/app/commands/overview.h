// An overview of the commands of ./headlight: those of the `headlight` program, and those that the script
// ./headlight runs itself.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace headlight::app {

// One with a title and no name begins a group.
struct ListedCommand {
  std::string name, arguments, help;
};

// The commands of the program, in their groups; with those of the script if it has one. A command of a
// program of one's own is in a group behind them.
std::vector<ListedCommand> listed_commands(const CLI::App& program, bool has_script);

std::vector<std::string> names_of(const std::vector<ListedCommand>& commands);

// The page that ./headlight and ./headlight --help print, in lines of about `columns`.
std::string overview(const std::vector<ListedCommand>& commands, std::size_t columns);

}  // namespace headlight::app
