// The settings of a transformer, as rows. Vocabulary and context are settings of the task.
#pragma once

#include "headlight/core/setting.h"
#include "headlight/nn/transformer.h"

namespace headlight::nn {

// A row for each, in the order of the command line's help.
const std::vector<Setting<TransformerConfig>>& settings();

}  // namespace headlight::nn
