// The program behind ./headlight puzzle: with a learner's file it is my_puzzle_N, which scores that file, and
// without one headlight_puzzle, which shows models.
#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "headlight/core/check.h"
#include "headlight/system/run_main.h"
#include "program/command_line.h"
#include "program/exit_status.h"
#include "puzzle_text.h"

namespace headlight::puzzles {
namespace {

struct Asked {
  int number = 0, hint = 0;
  std::string folder = ".";  // of the weights
  std::vector<std::string> look, swap;
  std::vector<int> solved;
  bool score = false, shipped = false;
};

int run(int argc, char** argv) {
  Asked asked;
  CLI::App program("Puzzles", "headlight_puzzle");
  program.add_option("NUMBER", asked.number);  // without: the list
  program.add_option("--folder", asked.folder);
  program.add_option("--look", asked.look)->expected(1, -1);
  program.add_option("--swap", asked.swap)->expected(2);
  program.add_option("--hint", asked.hint);
  program.add_option("--solved", asked.solved)->expected(0, -1);
  program.add_flag("--score", asked.score);
  program.add_flag("--shipped", asked.shipped);
  if (!program::parse(program, argc, argv)) return 0;
  if (program.get_option("NUMBER")->count() == 0) return fmt::print("{}", list_text(asked.solved)), 0;
  const Puzzle& puzzle = puzzles::puzzle(asked.number);
  if (asked.shipped) return fmt::print("{}", shipped_file(puzzle)), 0;
  if (asked.hint > 0) {
    check(asked.hint <= static_cast<int>(puzzle.hints.size()), "puzzle {} has {} hints.", puzzle.number,
          puzzle.hints.size());
    return fmt::print("{}\n", puzzle.hints[static_cast<std::size_t>(asked.hint - 1)]), 0;
  }
  const PuzzleModel model(puzzle, asked.folder);
  for (const std::string& input : asked.look)
    fmt::print("{}", look_text(puzzle, model, input_from(puzzle, input)));
  if (!asked.swap.empty())
    fmt::print(
        "{}", swap_text(puzzle, model, input_from(puzzle, asked.swap[0]), input_from(puzzle, asked.swap[1])));
  if (!asked.score) return 0;
  const Score score = score_of(puzzle, model, {heads(), looks_at, carries, answer});
  fmt::print("{}\n{}", question_text(puzzle), score_text(puzzle, score));
  return score.solved() ? kFound : kNotFound;
}

}  // namespace
}  // namespace headlight::puzzles

int main(int argc, char** argv) {
  return headlight::run_main([&] { return headlight::puzzles::run(argc, argv); });
}
