// How lesson 9 prints what it computes.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "layer.h"
#include "lesson_program.h"

namespace headlight::lesson {

// "dV = [[1, 2],", and the other rows below the first.
inline void show_matrix(const std::string& name, const Tensor& x, int decimals) {
  const std::string before = name + " = ", below = "\n" + std::string(before.size(), ' ');
  std::string lines = before + to_string(tidy(x), decimals);
  for (auto at = lines.find('\n'); at != std::string::npos; at = lines.find('\n', at + 1))
    lines.replace(at, 1, below);
  show(lines);
}

inline std::string numbers(const std::vector<double>& row, int decimals) {
  return to_string(tidy(tensor(row)), decimals);
}
inline std::string numbers(const Tensor& x, int decimals) {
  return to_string(tidy(reshape(x, {-1})), decimals);
}

struct LedgerRow {
  std::string name, formula;
};

inline void print_ledger_head() {
  say("  {:<9} {:<28} {:<10} {:>6}  {:<11}  {}", "gradient", "formula", "shape", "size", "hand = tape",
      "tape = measured");
}
inline void print_ledger_row(const LedgerRow& row, const Tensor& hand, const Tensor& tape,
                             const Tensor& measured) {
  say("  d{:<8} {:<28} {:<10} {:>6.2f}  {:<11}  {}", row.name, row.formula, fmt::format("{}", tape.shape()),
      std::sqrt(dot(tape, tape)), difference(hand, tape) < 1e-12 ? "yes" : "NO",
      difference(tape, measured) < 1e-7 ? "yes" : "NO");
}

// Which gradients are wrong after each slip.
inline void print_wrong_rows(const std::vector<LedgerRow>& ledger, const Named& right,
                             const std::vector<std::pair<std::string, Named>>& slips) {
  std::string head;
  for (const LedgerRow& row : ledger) head += fmt::format(" {:>4}", "d" + row.name);
  say("  {:<34}{}", "", head);
  for (const auto& [what, wrong] : slips) {
    std::string line;
    for (const LedgerRow& row : ledger)
      line += fmt::format(" {:>4}", difference(wrong.at(row.name), right.at(row.name)) < 1e-12 ? "·" : "×");
    say("  {:<34}{}", what, line);
  }
}

}  // namespace headlight::lesson
