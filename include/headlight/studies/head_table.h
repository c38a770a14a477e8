// Head scores as a table.
#pragma once

#include <string>
#include <vector>

#include "headlight/draw/color.h"
#include "headlight/interpret/scores.h"

namespace headlight::studies {

// One line per head, with a bar for its strongest score and the kind of head that this score shows. Where a
// model has several stacks of attention layers, each has its own table, with the scores that its heads have.
std::string head_table(const std::vector<interpret::HeadScores>& scores, draw::ColorMode mode);

// The same numbers unrounded, one line per head: "layer,head,previous_token,…" and then "1,2,0.05,…". Where
// there are several stacks, each line begins with its stack, and a score that a head lacks is empty.
std::string heads_csv(const std::vector<interpret::HeadScores>& scores);

}  // namespace headlight::studies
