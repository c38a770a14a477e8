// What if: from one step on a run is trained twice, unchanged and with one thing changed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "headlight/draw/figure.h"
#include "headlight/interpret/attention_layers.h"
#include "headlight/run/run.h"
#include "headlight/studies/study.h"

namespace headlight::studies {

// What is changed from a step on; nothing, if all is empty.
struct TrainingChange {
  // These heads keep the weights that they have at the step: their parts of W_Q, W_K, W_V and W_O, their
  // biases, sinks and relative biases; of grouped heads the keys and values of the group. The rest goes on
  // learning. (Singh et al. 2024 clamp activations of a subcircuit; what feeds this head may still change.)
  interpret::HeadSet clamped = {};
  interpret::HeadSet zeroed = {};  // these heads write nothing from the step on: their part of W_O stays 0
  // The batch of this step, a later one, is left out, and the next takes its place.
  std::optional<std::int64_t> without_batch = {};
  std::optional<std::uint64_t> data_seed = {};  // the sequences from the step on come from another seed
  std::vector<std::pair<run::NamedSetting, SettingValue>> settings = {};  // of the training, from the step on
};

// "L0H1 keeps its weights of step 240"; "nothing is changed" for an empty one.
std::string change_words(const TrainingChange& change, std::int64_t at);

struct WhatIf {
  std::int64_t at = 0;
  std::string change;  // change_words()
  run::Run unchanged, changed;
  // The first step whose loss is not the same number in both; absent if all are.
  std::optional<std::int64_t> first_other_loss = {};
  bool same_weights = false;          // at the end, bit for bit
  std::optional<bool> as_saved = {};  // whether the unchanged training gives the run's weights, bit for bit;
                                      // absent where the run was trained for another number of steps
  std::optional<std::string> diverged = {};  // the error that ended the changed training
};

struct WhatIfOptions {
  int threads = 0;
  std::string command = {};         // for the results of both runs
  std::function<bool()> stop = {};  // asked before each step
};

// Trains to step `at` from the run's config, which gives the run's own bits, and from there on twice to the
// config's last step. Throws Error for a step outside 1 … steps - 1, for heads and batches that are not
// there, for held heads of a run with a moving average, and when it was stopped.
WhatIf what_if(const run::Run& run, std::int64_t at, const TrainingChange& change,
               const WhatIfOptions& options = {});

// Tables "partings" (the first measured step at which accuracy or a head score differs) and "heads" (of each
// score that a head reaches in either: which head has it at the end, and the first measured step at which one
// had it).
Study what_if_study(const WhatIf& both, const std::string& name);

// Loss, accuracy and best induction score of both, in one figure.
draw::Figure what_if_figure(const WhatIf& both);

// All of this on a page in one file.
std::string what_if_page(const WhatIf& both, const std::string& name);

}  // namespace headlight::studies
