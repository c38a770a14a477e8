// The metrics along training whose curves are drawn for several runs in one figure.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "headlight/draw/figure.h"
#include "headlight/run/config.h"
#include "headlight/run/metrics.h"
#include "headlight/run/results.h"

namespace headlight::studies {

// A metric, its axis and how to read it. compared_curves() has all that are drawn.
struct ComparedCurve {
  draw::Axis y;
  std::function<std::optional<double>(const run::Metrics&)> value;  // if a measurement has it
  bool loss = false;      // comparable between runs of one task and vocabulary only
  bool has_best = false;  // the best possible loss is a level of its chart
};
// Those of every run, and one for each own metric of these.
std::vector<ComparedCurve> compared_curves(const std::vector<const std::vector<run::Metrics>*>& runs);

// The level of the best possible loss, over the steps of these series, where all runs have it: their tasks
// are the same then. It is drawn only where the curve has it.
std::optional<draw::Series> best_level(const ComparedCurve& curve,
                                       const std::vector<const run::Results*>& runs,
                                       const std::vector<draw::Series>& series);

// Losses of different tasks or vocabularies are not comparable. Their charts are left out, unless there are
// no others, and the figure's title says so.
void leave_out_losses(draw::Figure& figure, const std::vector<run::RunConfig>& configs);

// The points of a run's curve; without points if no measurement has the value.
draw::Series series_of(const std::string& name, const std::vector<run::Metrics>& metrics,
                       const ComparedCurve& curve);

}  // namespace headlight::studies
