// A run's model, measured: along training, and as the results at its end.
#pragma once

#include <vector>

#include "headlight/run/evaluation_sets.h"
#include "headlight/run/metrics.h"
#include "headlight/run/run.h"

namespace headlight::run {

// What a model is after `step` steps, on few sequences. Throws Error when its loss is not finite.
Metrics measured(std::int64_t step, const nn::Transformer& model, const RunConfig& config,
                 const EvaluationSets& sets, ThreadPool& pool);

// What train::History keeps snapshots by: accuracy and head scores.
std::vector<double> progress_of(const Metrics& metrics);

// Fills in run.results, of its model on many sequences, with a certificate if its task has one, and of its
// state, metrics and snapshots. Throws Error for a run without state, and when its loss is not finite.
void measure_results(Run& run, const EvaluationSets& sets, ThreadPool& pool);

}  // namespace headlight::run
