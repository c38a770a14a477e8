// A line that shows how long something has taken that may take minutes for a large model, such as a run's
// first step.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "headlight/system/background_thread.h"

namespace headlight::app {

// While it lives and nobody called over(): after two seconds writes, where lines can be redrawn, how long
// `what` has taken, each second anew; elsewhere a single line after ten seconds.
//   "the first step has taken 12 s so far"
class ElapsedLine {
 public:
  struct Waits {
    std::chrono::milliseconds quiet{2000}, redraw{1000}, line{10000};
  };
  ElapsedLine(std::string what, std::FILE* out, bool redraws)
      : ElapsedLine(std::move(what), out, redraws, Waits()) {}
  ElapsedLine(std::string what, std::FILE* out, bool redraws, const Waits& waits);

  // It is done. A line that was redrawn is empty again, and nothing is written after the return.
  void over() { thread_.stop(); }

 private:
  void watch(BackgroundThread& thread);

  std::string what_;
  std::FILE* out_;
  Waits waits_;
  bool redraws_;
  BackgroundThread thread_;  // last, so that it ends before what it uses
};

}  // namespace headlight::app
