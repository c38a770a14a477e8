// What was found of every input, in words.
#pragma once

#include <string>

#include "headlight/interpret/all_inputs.h"
#include "headlight/interpret/weights_bound.h"

namespace headlight::studies {

// How many inputs are right, wrong or undecided, with the margin and the first that is not right.
std::string all_inputs_text(const interpret::AllInputs& all, const tasks::Vocabulary& vocabulary,
                            std::size_t columns = 100);

// What is proven from the weights, level by level, and each step of the bound.
std::string weights_bound_text(const interpret::WeightsBound& bound, std::size_t columns = 100);

}  // namespace headlight::studies
