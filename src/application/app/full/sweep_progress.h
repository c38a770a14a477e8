// How far a sweep has come: one moving line on a terminal, a line per run anywhere else.
#pragma once

#include <cstdio>

#include "headlight/sweep/sweep.h"

namespace headlight::app {

// Writes to standard error: standard output belongs to results.
class SweepLine {
 public:
  explicit SweepLine(std::FILE* out = stderr);

  void show(const sweep::SweepProgress& progress);
  void finish() const;  // ends the moving line

 private:
  std::FILE* out_;
  bool redraws_;
  std::size_t printed_ = 0;  // runs that were done when a line was last printed
};

}  // namespace headlight::app
