// How far training has come: a bar on a terminal, plain lines anywhere else.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace headlight::train {

struct ProgressFigures {
  std::int64_t step = 0;
  double loss = 0;
  double accuracy = 0;  // on predictable positions, when last evaluated
};

// Writes to standard error: standard output belongs to results.
class Progress {
 public:
  Progress(std::int64_t total_steps, std::size_t tokens_per_step, std::FILE* out = stderr);

  // To be called after every step; redraws a few times a second, or prints about twenty lines in all.
  void update(const ProgressFigures& figures);

  // Draws the last state and ends the line.
  void finish();

  double seconds() const;
  double tokens_per_second() const;

 private:
  std::string line() const;
  void draw();

  std::int64_t total_;
  std::size_t tokens_per_step_;
  std::FILE* out_;
  bool is_terminal_;
  ProgressFigures figures_;
  std::int64_t next_line_ = 1;
  std::chrono::steady_clock::time_point start_, drawn_;
};

}  // namespace headlight::train
