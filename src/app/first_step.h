// A sign of life while a run takes its first step, which may take minutes for a large model.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

namespace headlight::inline HEADLIGHT_PRECISION::app {

// While it lives and nobody called over(): after two seconds writes, where lines can be redrawn, how long the
// first step has taken, each second anew; elsewhere a single line after ten seconds.
class FirstStep {
 public:
  struct Waits {
    std::chrono::milliseconds quiet{2000}, redraw{1000}, line{10000};
  };
  FirstStep(std::FILE* out, bool redraws) : FirstStep(out, redraws, Waits()) {}
  FirstStep(std::FILE* out, bool redraws, const Waits& waits);

  // The step is done. Nothing is written after the return.
  void over();

 private:
  void watch(const std::stop_token& stop);

  std::FILE* out_;
  Waits waits_;
  bool redraws_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;  // last, so that it ends before what it uses
};

}  // namespace headlight::inline HEADLIGHT_PRECISION::app
