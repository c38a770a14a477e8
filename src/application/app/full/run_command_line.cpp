#include "headlight/app/command_line.h"

#include "app/commands/program.h"
#include "commands.h"
#include "headlight/ranks/in_turn.h"
#include "headlight/system/run_main.h"
#include "over_ranks.h"
#include "run_program.h"

namespace headlight::app {
namespace {

int run(int argc, char** argv, const std::vector<OwnCommand>& own, bool has_script) {
  const Program program{.commands = {add_compare, add_sweep, add_verify, add_what_if},
                        .own = own,
                        .over_ranks = over_ranks,
                        .prove = prove,
                        .has_script = has_script};
  return run_main([&] { return ranks::in_turn([&] { return run_commands(argc, argv, program); }); });
}

}  // namespace

int run_command_line(int argc, char** argv, const std::vector<OwnCommand>& commands) {
  return run(argc, argv, commands, false);
}

int run_program(int argc, char** argv, const std::vector<OwnCommand>& commands) {
  return run(argc, argv, commands, true);
}

}  // namespace headlight::app
