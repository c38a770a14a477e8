// How much of a model a claim explains.
#pragma once

#include <optional>

#include "puzzle_model.h"

namespace headlight::puzzles {

// A claim: the functions of puzzle.h.
struct Claim {
  std::string heads;
  std::function<int(const Numbers&)> looks_at, carries;
  std::function<int(const Numbers&, int)> answer;
};

// The first pair of inputs on which a claim fails.
struct Failure {
  Numbers input, from;
  int said = 0, found = 0;  // answers
};

// Shares from 0 to 1.
struct Score {
  double outputs = 0;  // of the inputs on which answer(x, carries(x)) is the model's answer
  // Of those on which the head looks where the claim says; nothing where that does not count. Another
  // position with the same number counts, and for kNowhere no position may get three quarters.
  std::optional<double> looks;
  // Of the pairs (x, y) where, with the heads' output of y, the model answers answer(x, carries(y)). They are
  // of two kinds, which count alike: those of which the claim says that nothing changes, and the others. A
  // claim that has one kind alone is scored by that.
  double interventions = 0;
  std::size_t inputs = 0, same_pairs = 0, other_pairs = 0;
  double same = 0, other = 0;
  std::optional<Failure> failure,
      output_failure;                    // of a pair; of an input, which is then both of `input` and `from`
  std::optional<Numbers> looks_failure;  // the first input on which the head looks elsewhere
  std::string not_needed;  // where heads are asked for, one without which the claim holds too; "" for none

  // outputs ≥ .99, looks ≥ .9, interventions ≥ .95, and no head too many
  bool solved() const;
};

// On every input that is asked, and on 10,000 pairs of them. Throws Error for heads that the model lacks, and
// for others than the puzzle's where those are given.
Score score_of(const Puzzle& puzzle, const PuzzleModel& model, const Claim& claim);

}  // namespace headlight::puzzles
