#pragma once

#include <vector>

#include "headlight/nn/transformer.h"
#include "headlight/page/page.h"
#include "headlight/run/examples.h"

namespace headlight::page {

// Adds page.circuits, and the terms of the first sequences, as many as fit (they are those of `shown`). What
// the library refuses, or what would be too large, is left out, and the page says why.
void add_circuits(Page& page, const nn::Transformer& model, const std::vector<run::Example>& shown);

}  // namespace headlight::page
