// Whether training failed altogether, and what to try then.
#pragma once

#include <string>

#include "headlight/run/config.h"
#include "headlight/run/results.h"

namespace headlight::run {

// The loss of a model that takes all tokens of the vocabulary for equally likely: ln d_vocab, in nats.
double loss_of_guessing(const RunConfig& config);

// Whether training has diverged: the loss at its end is more than 1.5 times the loss of the first step, and
// more than 1.5 times that of guessing. A run that learns too little, or nothing, has not diverged: its loss
// stays near that of guessing.
bool diverged(const Results& results, const RunConfig& config);

// What is wrong, and a hint, for a run that diverged or whose model predicts hardly better than guessing: its
// loss is within 1 % of that, and less than a twentieth of the way to the best possible loss. Nothing for any
// other run.
std::string advice(const Results& results, const RunConfig& config);

// Throws train::Diverged, which names the step, for a loss that is not finite.
void check_finite(const train::Evaluation& evaluation, std::int64_t step, const RunConfig& config);

}  // namespace headlight::run
