// The first screen of a run with an induction circuit: one line, its notes, where the finders look, the
// guesses; with each lamp off, and along training.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "headlight/run/run.h"

namespace headlight::page {

// The head behind the lamp of the control: of the note-writers' layer, outside of the circuit and its
// helpers, that which looks least at the token before; none where there is no such head.
interpret::HeadSet control_of(const interpret::Certificate& c,
                              const std::vector<interpret::HeadScores>& scores);

// Null if the certificate does not name previous-token heads that write into the induction heads' keys, or no
// line shows it. `model` takes the weights of the snapshots, one after the other.
//
//   tokens, predictable, ask   the line, and the position whose next token is asked
//   note_writers, finders, control   numbers of heads
//   lines, shares              over so many lines the part of predictable tokens that are right, by state,
//                              after as many of each line as stand before the asked one
//   others                     the other heads that look at the token before, with their mean weight on
//                              the line, and the part that is right when they are off too; absent without
//                              such heads
//   steps, frames              of the line, snapshot by snapshot
//   fool                       tokens, ask, frames: the same line with one token changed, so that the asked
//                              token has two followers and the model copies the wrong one; absent if no
//                              change does this
//
// A frame of n tokens: n bytes of notes (255 w); for the states 0, 1, 4, 5, 8 the pattern up to its diagonal
// (255 w); for each of the nine states, at each position the most likely token and its probability
// (65535 p), two bytes each, the low one first. States: see minute_line.h.
nlohmann::ordered_json minute_json(const run::Run& run, nn::Transformer& model,
                                   const std::vector<train::Snapshot>& snapshots);

}  // namespace headlight::page
