// What the page's own measurements may cost.
#pragma once

#include "headlight/nn/transformer.h"

namespace headlight::page {

constexpr double kPageOperations = 40e9;  // multiplications and additions of each measurement: about a second

// Of one forward pass over n tokens: two for each parameter and token, and the attention itself.
double operations_of(const nn::Transformer& model, std::size_t n);

}  // namespace headlight::page
