// Training over the ranks that a launcher such as mpirun has started: docs/ranks.md.
#pragma once

#include <functional>
#include <vector>

#include "headlight/ranks/rank_exchange.h"
#include "headlight/run/experiment.h"

namespace headlight::app {

struct RankOptions {
  int threads = 0;      // 0: as suits
  double timeout = 60;  // seconds
};

// What a rank trains with. Without a launcher `group` is null.
struct Rank {
  ranks::Group* group = nullptr;
  int threads = 0;

  bool leads() const { return group == nullptr || group->rank() == 0; }
};

// Calls the body in every rank, and returns the exit status: that of the body in rank 0, in the others 0.
// Only rank 0 prints, and what is thrown in one ends all.
int over_ranks(const RankOptions& options, const std::function<int(const Rank&)>& body);

// What must be the same in every rank.
std::vector<ranks::Fact> facts_of(run::Experiment& run);

// Says on standard error how to stop mpirun's ranks so that they save.
void note_how_to_stop();

// The training of a rank that neither prints nor saves.
void train_along(run::Experiment& run, const ranks::RankExchange& exchange);

}  // namespace headlight::app
