// A run: train a model, measure it, write everything that a run folder holds.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headlight/interpret/scores.h"
#include "headlight/report/heatmap.h"
#include "headlight/train/checkpoint.h"
#include "headlight/train/trainer.h"

namespace headlight::app {

// What summary.json says.
struct Summary {
  std::string command, version;  // what was typed, and into what
  std::string task;
  std::uint64_t seed = 0;
  std::int64_t steps = 0;  // done
  double train_seconds = 0, tokens_per_second = 0;
  std::optional<std::int64_t> formed_at_step;  // first evaluated step with predictable accuracy of 0.5
  std::optional<double> formed_at_seconds;
  double accuracy_predictable = 0, accuracy_held_out = 0;
  double loss_first = 0, loss_last = 0, loss_predictable = 0, loss_unpredictable = 0;
  std::vector<interpret::HeadScores> heads;
  bool passed = false;  // an induction head was found by its score
  bool interrupted = false;
};

struct RunOptions {
  std::filesystem::path folder;
  int threads = 0;      // 0: all cores
  std::string command;  // what was typed
  std::string opening;  // printed once all settings have been checked and training is about to start
};

// Trains what the config says and writes config.json, model.safetensors, history.safetensors, metrics.jsonl,
// summary.json, induction_head.svg and report.html (not without a history) to the folder. Progress goes to
// standard error. Ctrl-C ends training early; what was trained is measured and written all the same.
Summary train_run(const train::RunConfig& config, const RunOptions& options);

// The repetition of random tokens, with a task's vocabulary and lengths.
std::unique_ptr<tasks::Task> repetition(const tasks::Task& task);

// Fresh sequences to measure heads on, the same for a run while it trains and after it was loaded: repeated
// random tokens whatever the task, as the scores are defined on, with periods never trained on. On a task
// with a fixed offset, a head that always looks equally far back would otherwise score as an induction head.
tasks::Batch scoring_batch(const tasks::Task& task, std::uint64_t seed, std::size_t count = 32);

// The pattern of one head on one sequence, labelled. Throws Error for a layer or head that is not there.
report::Heatmap pattern_map(nn::Transformer& model, const tasks::Task& task,
                            const std::vector<std::int32_t>& tokens, std::size_t layer, std::size_t head,
                            const std::string& title);

// "Head 1.2, induction 0.98"
std::string pattern_title(const std::vector<interpret::HeadScores>& scores, std::size_t layer,
                          std::size_t head);

}  // namespace headlight::app
