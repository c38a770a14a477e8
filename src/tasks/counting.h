// Predictors that have only counted.
#pragma once

#include <cstdint>
#include <vector>

#include "headlight/tasks/task.h"

namespace headlight::tasks {

// Two predictors that know how often each token, and each pair of neighbours, occurs among `tokens`:
//   P(b) = (count(b) + 1) / (tokens + d_vocab),   P(b | a) = (count(ab) + P(b)) / (count(a) + 1)
std::vector<Reference> counting_predictors(const std::vector<std::int32_t>& tokens, std::size_t d_vocab);

}  // namespace headlight::tasks
