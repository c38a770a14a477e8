// A crew of workers whose time is computed, so that every run takes the same course.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "headlight/core/check.h"

namespace headlight {

// What a shard of a batch gives.
struct ShardGradient {
  std::size_t shard = 0;         // its number
  std::vector<double> gradient;  // of the sum of its losses
  std::size_t targets = 0;       // how many losses this sum has
};

// Workers that compute gradients of shards side by side. They stand for threads.
class Crew {
 public:
  // Shard s takes seconds[s] and gives gradients[s].
  Crew(std::size_t workers, std::vector<double> seconds, std::vector<ShardGradient> gradients)
      : tasks_(workers), seconds_(std::move(seconds)), gradients_(std::move(gradients)) {}

  // Workers have the numbers 0 … workers()-1, shards 0 … shards()-1. There is at least one of each.
  std::size_t workers() const { return tasks_.size(); }
  std::size_t shards() const { return seconds_.size(); }

  // The worker begins with this shard. Returns at once: no time passes. Throws Error for a worker or a shard
  // that does not exist, and for a worker that is still busy.
  void start(std::size_t worker, std::size_t shard) {
    check(worker < workers(), "[start] there is no worker {}: they are 0 … {}.", worker, workers() - 1);
    check(shard < shards(), "[start] there is no shard {}: they are 0 … {}.", shard, shards() - 1);
    check(!tasks_[worker], "[start] worker {} is still busy. Hint: wait() says who has finished.", worker);
    tasks_[worker] = Task{shard, now_ + seconds_[shard]};
  }

  struct Finished {
    std::size_t worker;
    ShardGradient result;
  };

  // Waits until the next worker finishes. Returns its number and what it has computed. It is then free, and
  // does nothing until it is started again. Of several that finish at the same moment, the one with the
  // lowest number comes first. Throws Error when no worker is busy.
  Finished wait() {
    std::size_t first = workers();
    for (std::size_t w = 0; w < workers(); ++w)
      if (tasks_[w] && (first == workers() || tasks_[w]->end < tasks_[first]->end)) first = w;
    check(first < workers(), "[wait] no worker is busy, so there is nothing to wait for.");
    const Task task = *std::exchange(tasks_[first], {});
    now_ = task.end;
    return {first, gradients_[task.shard]};
  }

  // How much time has passed.
  double seconds() const { return now_; }

 private:
  struct Task {
    std::size_t shard;
    double end;
  };
  std::vector<std::optional<Task>> tasks_;  // of each worker
  std::vector<double> seconds_;             // of each shard
  std::vector<ShardGradient> gradients_;
  double now_ = 0;
};

}  // namespace headlight
