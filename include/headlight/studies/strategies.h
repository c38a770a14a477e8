// Which simple strategy a model follows, along training (Edelman et al. 2024, figure 3).
#pragma once

#include <vector>

#include "headlight/core/thread_pool.h"
#include "headlight/draw/chart.h"
#include "headlight/run/run.h"

namespace headlight::studies {

// Two charts along the snapshots of a run. The loss on the last token of a sequence, with a level for each
// strategy: the uniform guess, the task's references, and the best possible predictor. And
//   KL(strategy, model) = Σ_v p(v) (ln p(v) - ln q(v)),
// p of the strategy and q of the model for the last token v; means over sequences as in training, drawn anew,
// in nats. Throws Error for a run without snapshots, and for a task that predicts nothing at its last token
// or that no strategy is known for.
std::vector<draw::Chart> strategy_charts(const run::Run& run, ThreadPool& pool);

}  // namespace headlight::studies
