// headlight_puzzle_page NUMBER FILE: writes the page of a puzzle's model, and prints its place on the page.
#include <fmt/core.h>

#include "headlight/core/check.h"
#include "headlight/core/numbers.h"
#include "headlight/system/files.h"
#include "headlight/system/run_main.h"
#include "puzzle_page.h"

int main(int argc, char** argv) {
  using namespace headlight;
  return run_main([&] {
    check(argc == 3, "headlight_puzzle_page takes a number and a file.");
    const puzzles::Puzzle& puzzle = puzzles::puzzle(number_from_text<int>(argv[1]));
    write_file(argv[2], puzzles::page_of(puzzle));
    fmt::print("{}\n", puzzles::place_on_page(puzzle));
    return 0;
  });
}
