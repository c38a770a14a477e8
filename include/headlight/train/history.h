// What the weights were along training: the model at some forty steps, in one file of a run folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "headlight/nn/transformer.h"
#include "headlight/train/checkpoint.h"

namespace headlight::train {

// The weights after so many steps.
struct Moment {
  std::int64_t step = 0;
  Weights weights;
};

// Keeps the weights of moments that are offered in the order of their steps: the first, the last, and in
// between at most as many as the capacity allows. When there are too many it drops the one that is missed
// least: the one whose neighbours are closest to each other, in time and in figures. So more are kept where
// the model changes quickly.
class History {
 public:
  // Fewer than `capacity` are kept where they would take more than `max_bytes`, but never less than two.
  // Throws Error for a capacity of 1; 0 keeps nothing.
  explicit History(std::size_t capacity, std::size_t max_bytes = std::size_t{256} << 20);

  // `figures` say how far the model has come (accuracy, head scores; each 0 … 1, always as many).
  void offer(std::int64_t step, nn::Transformer& model, const std::vector<double>& figures);

  std::vector<std::int64_t> steps() const;

  // Writes history.safetensors atomically: each array as "step_<step>/<name>". Removes the file when nothing
  // was kept.
  void save(const std::filesystem::path& folder) const;

 private:
  struct Kept {
    Moment moment;
    std::vector<double> figures;
  };
  double distance(const Kept& a, const Kept& b) const;

  std::size_t capacity_, max_bytes_;
  std::vector<Kept> kept_;
};

// The moments of a run folder, in the order of their steps. Throws Error when the run has none or the file is
// damaged.
std::vector<Moment> load_history(const std::filesystem::path& folder);

// The run as it was after `step` steps. Throws Error, naming the nearest steps, when that one was not kept.
Checkpoint load_checkpoint_at(const std::filesystem::path& folder, std::int64_t step);

}  // namespace headlight::train
