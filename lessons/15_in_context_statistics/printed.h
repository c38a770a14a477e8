// What the program of lesson 15 prints: rows of numbers, losses, and tables of stages.
#pragma once

#include <string>
#include <vector>

#include "lesson_program.h"
#include "pictures.h"
#include "stages.h"

namespace headlight::lesson {

inline std::string numbers(const Row& row) {
  std::string text;
  for (double x : row) text += fmt::format("{}{:.2f}", text.empty() ? "" : "  ", x);
  return text;
}

inline void show_matrix(const Matrix& matrix) {
  say("A transition matrix, and a walk:");
  say("            to a  to b  to c");
  for (std::size_t i = 0; i < 3; ++i) say("  from {}    {}", "abc"[i], numbers(matrix[i]));
}

inline double mean_of(const Row& row) {
  double total = 0;
  for (double x : row) total += x;
  return total / static_cast<double>(row.size());
}

inline void show_losses(const std::array<Row, 4>& losses) {
  say("\nThe loss after so many letters, mean over 20,000 chains:");
  say("  letters               1      2      4      8     16     32     48   mean");
  for (std::size_t s = 0; s < 4; ++s) {
    std::string line;
    for (std::size_t letters : {1, 2, 4, 8, 16, 32, 48})
      line += fmt::format("  {:.3f}", losses[s][letters - 1]);
    say("  {:<16}  {}  {:.3f}", kWhoPredicts[s], line, mean_of(losses[s]));
  }
  say("\nBy hand, after one letter:");
  say("  uniform           log 3                      {:.3f}", math::log(3));
  say("  unigram           1/3 log 2 + 2/3 log 4      {:.3f}", math::log(2) / 3 + 2 * math::log(4) / 3);
  say("  knows the matrix  1/2 + 1/3                  {:.3f}", 5.0 / 6);
}

inline bool is_fortieth(int step) { return step == 300 || (step <= 200 && step % 40 == 0); }
inline bool is_shown(int step) {
  return is_fortieth(step) || step == 20 || step == 60 || step == 100 || step > 300;
}

inline void show_stages(const std::vector<Stage>& stages) {
  say("                   KL(strategy, model)");
  say("  step    loss     uniform  unigram  bigram   nearest");
  for (const Stage& m : stages)
    if (is_shown(m.step))
      say("  {:4}   {:.3f}      {:.3f}    {:.3f}   {:.3f}   {}", m.step, m.loss, m.from[0], m.from[1],
          m.from[2], kStrategies[m.nearest()]);
}

inline void show_nearest(std::uint64_t seed, const std::vector<Stage>& stages) {
  std::string line;
  for (const Stage& m : stages)
    if (is_fortieth(m.step)) line += fmt::format("{:<{}}", kStrategies[m.nearest()], m.step < 300 ? 9 : 0);
  say("  seed {}    {}", seed, line);
}

inline void show_head_scores(const std::vector<Stage>& stages, const Stage& even) {
  say("          layer 0: weight on    layer 1: weight");
  say("  step    the letter before     on followers");
  for (const Stage& m : stages)
    if (is_shown(m.step))
      say("  {:4}    {:.2f}                  {:.2f}", m.step, m.previous[0], m.follower[1]);
  say("  even    {:.2f}                  {:.2f}", even.previous[0], even.follower[0]);
}

// KL(bigram, model) every 40 steps.
inline void show_return(const std::string& name, const std::vector<Stage>& stages) {
  std::string line;
  for (const Stage& m : stages)
    if (m.step <= 200 && is_fortieth(m.step)) line += fmt::format("   {:.3f}", m.from[2]);
  say("  {:<28}{}", name, line);
}

}  // namespace headlight::lesson
