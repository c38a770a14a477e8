// The page of a puzzle's model: what to look at after it is solved.
#pragma once

#include "headlight/run/run.h"
#include "puzzle_model.h"

namespace headlight::puzzles {

// The puzzle's model as a run of the same bits, trained anew for its curves and snapshots.
run::Run run_of(const Puzzle& puzzle);

// The page, which opens from a file.
std::string page_of(const Puzzle& puzzle);

// The part of its address behind "#", at which it shows the puzzle's head at the last position.
std::string place_on_page(const Puzzle& puzzle);

}  // namespace headlight::puzzles
