// What the command puzzle prints.
#pragma once

#include "puzzle_score.h"

namespace headlight::puzzles {

// A line a puzzle, with a mark for those of these numbers.
std::string list_text(const std::vector<int>& solved);

// "Puzzle 3 ★  The model has one head." with what it reads, and what is asked.
std::string question_text(const Puzzle& puzzle);

// The file in my/ to begin with.
std::string shipped_file(const Puzzle& puzzle);

// The three shares in words, the first pair that fails, and, when it is solved, the explanation.
std::string score_text(const Puzzle& puzzle, const Score& score);

// The answer on an input, and how each head divides its attention: in the last layer from the last position,
// where the answer is read, and in an earlier one from every position.
std::string look_text(const Puzzle& puzzle, const PuzzleModel& model, const Numbers& input);

// What the answer becomes when heads write what they write on another input: each by itself and all, at the
// last position, and those of an earlier layer also everywhere.
std::string swap_text(const Puzzle& puzzle, const PuzzleModel& model, const Numbers& input,
                      const Numbers& from);

// "0 3 1 2" as an input of the puzzle. Throws Error for another length, or a number that no input has.
Numbers input_from(const Puzzle& puzzle, const std::string& text);

}  // namespace headlight::puzzles
