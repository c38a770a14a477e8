// Run: what a training leaves, as a value. A folder holds it as files: read_run() and write_run().
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headlight/optim/optimizer.h"
#include "headlight/run/config.h"
#include "headlight/run/metrics.h"
#include "headlight/run/results.h"
#include "headlight/system/folder.h"
#include "headlight/train/history.h"

namespace headlight::run {

// What a resumed run needs besides its weights.
struct TrainingState {
  std::int64_t steps = 0;
  double seconds = 0;
  double loss_first = 0, loss_last = 0;  // of the batches of the first and the last step
  optim::OptimizerState optimizer;
  Files observers;  // what observers of your own keep
};

struct Run {
  RunConfig config;
  tasks::Task task;
  std::unique_ptr<nn::Transformer> model = nullptr;
  Results results = {};
  std::vector<Metrics> metrics = {};            // along training
  std::vector<double> seconds = {};             // of training, at each of the metrics
  std::vector<train::Snapshot> snapshots = {};  // along training; empty if none were kept
  std::optional<TrainingState> state = {};
  std::vector<std::string> notes = {};  // what read_run() noticed: "… was edited or damaged since …"
};

// The metrics along training. Of an older run, which was not measured at its end on the same sequences, the
// results are the last.
std::vector<Metrics> all_metrics(const Run& run);

// The snapshots along training, with the trained model as the last. Throws Error if none were kept.
std::vector<train::Snapshot> all_snapshots(const Run& run);

// The certificate of the model, with the snapshots along training. Throws Error as interpret::certify does.
interpret::Certificate certify(const Run& run, ThreadPool& pool);

// Replaces the model's weights by those of the snapshot of this step. Throws Error that names the nearest
// steps if there is none.
void rewind(Run& run, std::int64_t step);

// The parts of a run that read_run() reads besides its config and task.
enum class Parts : unsigned { config = 0, results = 1, model = 2, metrics = 4, snapshots = 8, state = 16 };
constexpr Parts operator|(Parts a, Parts b) {
  return static_cast<Parts>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool contains(Parts all, Parts one) {
  return (static_cast<unsigned>(all) & static_cast<unsigned>(one)) != 0;
}
namespace parts {
inline constexpr Parts kTrained = Parts::results | Parts::model;               // what studies take
inline constexpr Parts kShown = kTrained | Parts::metrics | Parts::snapshots;  // what pages take
inline constexpr Parts kAll = kShown | Parts::state;
}  // namespace parts

// Reads each file of the folder at most once. Bytes that are not those that the run wrote, by manifest.json,
// become a note; every number is checked for its range all the same. Throws FileError when a file is missing
// or cannot be read, when numbers are impossible, and when files do not fit each other, as weights another
// model than the config's. Parts that were not asked for are empty; of runs of older versions, too, what they
// lack. Parts::model alone needs no other file than config.json and model.safetensors.
Run read_run(const std::filesystem::path& folder, Parts asked = parts::kAll);

// The files of a run: its name and bytes for each, without pages and manifest.
Files files_of(const Run& run);

// Replaces the run in the folder by this one, with `pages` beside its own files (see replace_folder()). Files
// of the user's stay.
void write_run(const FolderLock& lock, const Run& run, const Files& pages = {});
void write_run(const std::filesystem::path& folder, const Run& run, const Files& pages = {});

}  // namespace headlight::run
