// Metrics along training on a run's page.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "headlight/run/metrics.h"
#include "headlight/studies/curves.h"
#include "headlight/tasks/task.h"
#include "page/page_scores.h"

namespace headlight::page {

// [{step, values, scores}]: values by the keys of the charts. A metric that was not measured is absent.
nlohmann::ordered_json metrics_json(const std::vector<run::Metrics>& metrics,
                                    const std::vector<studies::LossLine>& lines, const ScoreKinds& kinds);

// [{title, share, curves}], where values of a share are parts of 1: its axis ends at 1, and the page shows
// them in %. A curve is {key, name, brief, level_of}: brief is for places with little room, level_of the key
// of the curve that this level is compared with, which is drawn dashed in its colour. The page leaves out
// steps and curves without metrics.
nlohmann::ordered_json charts_json(const tasks::TokenKinds& kinds, const std::vector<run::Metrics>& metrics,
                                   const std::vector<studies::LossLine>& lines);

}  // namespace headlight::page
