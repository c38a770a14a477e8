// The metrics along training whose curves are drawn for several runs in one figure.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "headlight/experiment/config.h"
#include "headlight/experiment/metrics.h"
#include "headlight/experiment/results.h"
#include "headlight/report/figure.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

struct ComparedCurve {
  report::Axis y;
  std::function<std::optional<double>(const Metrics&)> value;  // if a measurement has it
  bool loss = false;
};
const std::vector<ComparedCurve>& compared_curves();

// The level of the best possible loss, over the steps of these series, where all runs have it: their tasks
// are the same then. It is drawn only beside losses.
std::optional<report::Series> best_level(const ComparedCurve& curve, const std::vector<const Results*>& runs,
                                         const std::vector<report::Series>& series);

// Losses of different tasks or vocabularies are not comparable. Their chart is left out, unless it is
// the only one, and the figure's title says so.
void leave_out_losses(report::Figure& figure, const std::vector<RunConfig>& configs);

// The points of a run's curve; without points if no measurement has the value.
report::Series series_of(const std::string& name, const std::vector<Metrics>& metrics,
                         const ComparedCurve& curve);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
