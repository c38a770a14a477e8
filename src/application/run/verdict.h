// The words of a verdict that results need too.
#pragma once

#include <string>
#include <vector>

#include "headlight/interpret/scores.h"

namespace headlight::run {

// Which head is an induction head by its score, and the previous-token head before it.
std::string induction_verdict(const std::vector<interpret::HeadScores>& heads);

}  // namespace headlight::run
