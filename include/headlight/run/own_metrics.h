// Metrics of your own: numbers that are measured along the training of every run of the program.
#pragma once

#include <functional>

#include "headlight/core/registry.h"

namespace headlight::run {

class Experiment;

// A number of a run as it is now, such as the norm of its weights. It must be finite, and depend only on the
// weights and the config: then a resumed run measures the same.
using MeasureRun = std::function<double(const Experiment& run)>;

// Empty at first. What is added before a run begins is measured with its other metrics, and has a curve in
// `curves`, `compare`, `sweep` and the page, under its name:
//   own_metrics().add({"weight norm", "the norm of all weights", norm_of_weights});
Registry<MeasureRun>& own_metrics();

}  // namespace headlight::run
