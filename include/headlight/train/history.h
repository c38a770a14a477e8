// The history of a run: snapshots of the weights along training, in one file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "headlight/nn/transformer.h"
#include "headlight/train/safetensors.h"
#include "headlight/train/weights.h"

namespace headlight::train {

// A snapshot: the weights after `step` steps.
struct Snapshot {
  std::int64_t step = 0;
  Weights weights;
};

// Keeps snapshots, which must be offered in the order of their steps: the first, the last, and others up to
// the capacity. When there are too many, it drops the snapshot whose neighbours are closest to each other, in
// time and in progress. So it keeps more snapshots where the model changes quickly.
class History {
 public:
  static constexpr std::size_t kMaxBytes = std::size_t{256} << 20;

  // Keeps fewer than `capacity` snapshots if they would take more than `max_bytes`, but at least two. Throws
  // Error for a capacity of 1; 0 keeps nothing.
  explicit History(std::size_t capacity, std::size_t max_bytes = kMaxBytes);

  // How many snapshots of so many bytes it keeps at most.
  static std::size_t most_kept(std::size_t capacity, double bytes_of_each, std::size_t max_bytes = kMaxBytes);

  // `progress` measures what the model has learned (accuracy, head scores), by the same number of values in
  // 0 … 1 each time.
  void offer(std::int64_t step, const nn::Transformer& model, std::vector<double> progress);

  std::vector<std::int64_t> steps() const;
  std::vector<Snapshot> snapshots() const;

  // Continues from the snapshots that an earlier history saved, with the `progress` offered for each.
  void restore(std::vector<Snapshot> snapshots, std::vector<std::vector<double>> progress);

 private:
  struct Kept {
    Snapshot snapshot;
    std::vector<double> progress;
  };
  double distance(const Kept& a, const Kept& b) const;

  std::size_t capacity_, max_bytes_;
  std::vector<Kept> kept_;
};

// The bytes of a safetensors file of snapshots, each array as "step_<step>/<name>".
std::string to_safetensors(const std::vector<Snapshot>& snapshots);

// The snapshots of such a file, in the order of their steps. Messages call it `file`. Throws FileError when
// it is damaged.
std::vector<Snapshot> snapshots_from(SafetensorsFile content, const std::string& file);

}  // namespace headlight::train
