// The rows of a sweep as they end, and its progress: what the threads of a worker share.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "headlight/sweep/sweep.h"

namespace headlight::sweep {

class SweepWatch {
 public:
  // `refresh` looks at what other workers have done, and calls end() and see_workers(). Without
  // SweepOptions::look nobody needs it.
  SweepWatch(const std::vector<SweepRow>& rows, const SweepOptions& options, std::function<void()> refresh);

  // A thread of this worker trains the row's run, and has made a step.
  void begin(const SweepRow& row);
  void step();

  // The row's run has ended, here or elsewhere. Does nothing if that is known.
  void end(SweepRow& row, std::optional<run::Results> results, std::string failure);

  bool has_ended(const SweepRow& row);
  bool all_ended();
  void see_workers(std::size_t count);

  // Refreshes and reports when it is time.
  void look();

 private:
  using Clock = std::chrono::steady_clock;
  void report();  // the caller has the mutex

  std::function<void(const SweepProgress&)> look_;
  std::function<void()> refresh_;
  std::mutex refreshing_, mutex_;  // mutex_ is for all below but refreshed_
  std::set<const SweepRow*> begun_here_;
  SweepProgress progress_;
  double steps_ = 0, steps_done_ = 0;  // of runs that had not ended at first
  Clock::time_point began_ = Clock::now(), looked_ = began_, refreshed_{};
};

}  // namespace headlight::sweep
