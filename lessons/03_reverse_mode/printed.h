// How lesson 3 prints tensors.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "headlight/ops/ops.h"
#include "lesson_program.h"

namespace headlight::lesson {

// A line of text, and below it these tensors.
inline void show_below(const std::string& text, const std::vector<Tensor>& tensors) {
  say("{}", text);
  for (const Tensor& each : tensors) show(to_string(each, 0));
}

// A line for each tensor, behind its label.
inline void show_beside(const std::vector<std::string>& labels, const std::vector<Tensor>& tensors,
                        int decimals) {
  for (std::size_t i = 0; i < labels.size(); ++i) say("  {} {}", labels[i], to_string(tensors[i], decimals));
}

inline std::string in_a_row(const Tensor& x) { return to_string(reshape(x, {-1}), 0); }

inline const char* same(const Tensor& a, const Tensor& b) { return yes(max(abs(a - b)).item() == 0); }

// 0 for what only rounding has left of 0.
inline double tidy(double number) { return std::abs(number) < 1e-8 ? 0 : number; }

}  // namespace headlight::lesson
