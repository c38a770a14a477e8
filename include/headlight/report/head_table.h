// Head scores as a table.
#pragma once

#include <string>
#include <vector>

#include "headlight/interpret/scores.h"
#include "headlight/report/color.h"

namespace headlight::inline HEADLIGHT_PRECISION::report {

// One line a head, with a bar for its strongest score and what that makes of it.
std::string head_table(const std::vector<interpret::HeadScores>& scores, ColorMode mode);

// The same numbers unrounded, a line a head: "layer,head,previous_token,…" and then "1,2,0.05,…".
std::string heads_csv(const std::vector<interpret::HeadScores>& scores);

// "1.2": layer 1, head 2.
std::string head_name(const interpret::HeadScores& head);

}  // namespace headlight::inline HEADLIGHT_PRECISION::report
