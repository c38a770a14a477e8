// `train`, in one process or as one of several ranks.
#pragma once

#include <functional>
#include <string>

#include "app/options/settings.h"
#include "command.h"
#include "headlight/system/interrupt.h"

namespace headlight::app {

struct RankOptions {
  int threads = 0;      // 0: as suits
  double timeout = 60;  // seconds
};

// What a process trains with: alone, or as one of the ranks that a launcher such as mpirun has started.
struct Rank {
  int threads = 0;
  bool leads = true;                                 // it prints and saves
  train::Exchange* exchange = nullptr;               // null: alone
  std::function<void(run::Experiment&)> begin = {};  // before the first step, if it is there
  std::function<bool()> stopping = InterruptScope::requested;
};

// Calls the body in every rank, and returns the exit status.
using OverRanks = std::function<int(const RankOptions&, const std::function<int(const Rank&)>& body)>;

struct TrainOptions {
  std::string config_file, out, resume;
  bool no_color = false, anomaly = false, force = false;
  RankOptions ranks;
  std::int64_t checkpoint_every = 0;
  TypedSettings typed;
};

// The run that the line asks for: a new one, or an old one that goes on.
run::Experiment asked_run(const TrainOptions& options, const std::string& typed, const Rank& rank);

void add_train(CLI::App& program, Action& chosen, const OverRanks& over_ranks);

}  // namespace headlight::app
