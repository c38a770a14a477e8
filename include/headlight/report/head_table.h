// Head scores as a table.
#pragma once

#include <string>
#include <vector>

#include "headlight/interpret/scores.h"
#include "headlight/report/color.h"

namespace headlight::inline HEADLIGHT_PRECISION::report {

// One line per head, with a bar for its strongest score and the kind of head that this score shows. Where a
// model has several stacks of attention layers, each has its own table, with the scores that its heads have.
std::string head_table(const std::vector<interpret::HeadScores>& scores, ColorMode mode);

// The same numbers unrounded, one line per head: "layer,head,previous_token,…" and then "1,2,0.05,…". Where
// there are several stacks, each line begins with its stack, and a score that a head lacks is empty.
std::string heads_csv(const std::vector<interpret::HeadScores>& scores);

// "L1H2" where there is little room, and "layer 1, head 2" in sentences.
std::string head_name(const interpret::HeadScores& head);
std::string head_words(const interpret::HeadScores& head);

// What a head is by its scores: "induction head, score 0.98", or "no known kind (induction 0.33)".
std::string head_role(const interpret::HeadScores& head);

}  // namespace headlight::inline HEADLIGHT_PRECISION::report
