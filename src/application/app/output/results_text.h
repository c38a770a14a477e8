// What a training prints at its end.
#pragma once

#include <string>

#include "headlight/draw/color.h"
#include "headlight/run/results.h"

namespace headlight::app {

// The head table, the metrics, and the verdict.
std::string results_text(const run::Results& results, const tasks::Task& task, draw::ColorMode mode);

}  // namespace headlight::app
