// Scores of heads on the page.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "headlight/interpret/scores.h"

namespace headlight::page {

using ScoreKinds = std::vector<const interpret::ScoreKind*>;

// The kinds of scores that can occur on a page: those of one sequence always, others where a head has them.
ScoreKinds kinds_on_page(const std::vector<interpret::HeadScores>& heads);

// The table of scores: the texts of each kind, and the order of a head's values.
nlohmann::ordered_json score_table_json(const ScoreKinds& kinds);

// Each head's scores in the order of this table; null where a score is not defined. They are not rounded,
// because the page rounds for the screen, and rounding twice may give a wrong digit.
nlohmann::ordered_json heads_json(const std::vector<interpret::HeadScores>& heads, const ScoreKinds& kinds);

}  // namespace headlight::page
