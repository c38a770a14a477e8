// What the line of `train` asks for.
#pragma once

#include <string>

#include "app/rank_training.h"
#include "settings.h"

namespace headlight::app {

struct TrainOptions {
  std::string config_file, out, resume;
  bool no_color = false, anomaly = false, force = false;
  RankOptions ranks;
  std::int64_t checkpoint_every = 0;
  TypedSettings typed;
};

// The run that the line asks for: a new one, or an old one that goes on. `exchange` is null where one process
// trains.
run::Experiment asked_run(const TrainOptions& options, const std::string& typed, const Rank& rank,
                          train::Exchange* exchange);

}  // namespace headlight::app
