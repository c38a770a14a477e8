// A bar on the terminal while a lesson computes for seconds.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace headlight::lesson {

// "━━━┈┈┈┈┈┈┈ training 5 models, 12 s left" on standard error, gone at the end. Prints nothing where standard
// error is no terminal, so what a lesson prints is the same everywhere.
//   Progress progress("training 5 models", 5 * steps);
//   … progress.step();
class Progress {
 public:
  Progress(std::string what, std::size_t all);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step();

 private:
  std::string what_;
  std::size_t all_, done_ = 0;
  bool redraws_;
  std::chrono::steady_clock::time_point start_, drawn_;
};

}  // namespace headlight::lesson
