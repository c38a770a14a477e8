// What the weights were along training: the model at some forty steps, in one file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "headlight/nn/transformer.h"
#include "headlight/train/weights.h"

namespace headlight::inline HEADLIGHT_PRECISION::train {

// The weights after so many steps.
struct Moment {
  std::int64_t step = 0;
  Weights weights;
};

// Keeps the weights of moments that are offered in the order of their steps: the first, the last, and in
// between at most as many as the capacity allows. When there are too many it drops the one that is missed
// least: the one whose neighbours are closest to each other, in time and in progress. So more are kept where
// the model changes quickly.
class History {
 public:
  // Fewer than `capacity` are kept where they would take more than `max_bytes`, but never less than two.
  // Throws Error for a capacity of 1; 0 keeps nothing.
  explicit History(std::size_t capacity, std::size_t max_bytes = std::size_t{256} << 20);

  // `progress` says how far the model has come (accuracy, head scores; each 0 … 1, always as many).
  void offer(std::int64_t step, const nn::Transformer& model, std::vector<double> progress);

  std::vector<std::int64_t> steps() const;

  // Writes the moments atomically, each array as "step_<step>/<name>". Writes nothing when none was kept.
  void save(const std::filesystem::path& file) const;

  // Goes on from moments that an earlier history saved; `progress` of each as it was offered then.
  void restore(std::vector<Moment> moments, std::vector<std::vector<double>> progress);

 private:
  struct Kept {
    Moment moment;
    std::vector<double> progress;
  };
  double distance(const Kept& a, const Kept& b) const;

  std::size_t capacity_, max_bytes_;
  std::vector<Kept> kept_;
};

// The moments of such a file, in the order of their steps. Throws Error when the file is damaged.
std::vector<Moment> load_moments(const std::filesystem::path& file);

}  // namespace headlight::inline HEADLIGHT_PRECISION::train
