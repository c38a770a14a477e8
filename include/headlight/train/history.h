// What the weights were along training: the model at some forty steps, in one file of a run folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "headlight/nn/transformer.h"
#include "headlight/train/checkpoint.h"
#include "headlight/train/safetensors.h"

namespace headlight::train {

// The weights after so many steps.
struct Moment {
  std::int64_t step = 0;
  NamedArrays weights;
};

// Keeps the weights of moments offered one after the other, at most `capacity` of them and the first and last
// always. When there are too many it drops the one that is missed least: that whose neighbours are closest,
// in time and in figures. So more are kept where the model changes quickly.
class History {
 public:
  // Capacity at least 2; less is kept when the weights would take more than `max_bytes`.
  explicit History(std::size_t capacity, std::size_t max_bytes = 256u << 20);

  // `figures` say how far the model has come (accuracy, head scores: each 0 … 1).
  void offer(std::int64_t step, nn::Transformer& model, const std::vector<double>& figures);

  std::vector<std::int64_t> steps() const;

  // Writes history.safetensors, atomically. An empty history removes the file.
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

// The moments of a run folder, in the order of their steps. Throws Error when there are none (a run of before
// 0.2, or one trained with --history 0), or when the file is damaged.
std::vector<Moment> load_history(const std::filesystem::path& folder);

// The run as it was after `step` steps. Throws Error, naming the steps nearest, when that one was not kept.
Checkpoint load_checkpoint_at(const std::filesystem::path& folder, std::int64_t step);

// Puts the weights into the model. Throws Error, naming `origin`, when they are not those of such a model.
void set_weights(nn::Transformer& model, NamedArrays weights, const std::string& origin);

}  // namespace headlight::train
