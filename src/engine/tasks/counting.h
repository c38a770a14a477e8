// Predictors that have only counted.
#pragma once

#include <cstdint>
#include <vector>

#include "headlight/tasks/task.h"
#include "headlight/tasks/text.h"

namespace headlight::tasks {

// Four predictors that know how often tokens follow each other in `tokens`. The first two:
//   P(b) = (count(b) + 1) / (tokens + d_vocab),   P(b | a) = (count(ab) + P(b)) / (count(a) + 1)
// The others look at the last n-1 tokens of the sequence, n = 3 and 5, and mix in what fewer of them say
// (Witten and Bell 1991, method C), where h' is h without its first token and T(h) the number of different
// tokens seen after h:
//   P(b | h) = (count(hb) + T(h) P(b | h')) / (count(h) + T(h)),   P(b | no token) = the same with 1/d_vocab
//   for P(b | h')
std::vector<Reference> counting_predictors(const std::vector<std::int32_t>& tokens, std::size_t d_vocab);

}  // namespace headlight::tasks
