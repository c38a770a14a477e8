#pragma once

#include <vector>

#include "headlight/experiment/examples.h"
#include "headlight/nn/transformer.h"
#include "headlight/report/page.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

// Adds page.circuits, and the terms of the first sequences, as many as fit (they are those of `shown`). What
// the library refuses, or what would be too large, is left out, and the page says why.
void add_circuits(report::Page& page, const nn::Transformer& model, const std::vector<Example>& shown);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
