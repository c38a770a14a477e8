// How far training has come: a bar on a terminal, plain lines anywhere else.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

#include "elapsed_line.h"
#include "headlight/run/experiment.h"

namespace headlight::app {

// Writes to standard error: standard output belongs to results. Redraws a few times a second, or prints about
// twenty lines in all.
class Progress : public run::Observer {
 public:
  explicit Progress(const run::Experiment& run, std::FILE* out = stderr);

  void after(const run::Experiment& run, const train::StepReport& step) override;

  // Draws the last state and ends the line.
  void finish();

 private:
  std::string line() const;
  void draw();

  std::int64_t first_, total_;
  std::size_t tokens_per_step_;
  std::string predictable_;  // what such tokens are called
  std::FILE* out_;
  bool redraws_;
  std::int64_t step_, next_line_;
  double loss_ = 0;
  std::optional<double> accuracy_;  // on predictable positions, when last measured; empty: there are none
  std::chrono::steady_clock::time_point start_, drawn_;
  ElapsedLine first_step_;
};

}  // namespace headlight::app
