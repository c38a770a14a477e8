// What the program of lesson 14 prints: rows of the stream, patterns, scores, logits and heads.
#pragma once

#include <algorithm>
#include <string>

#include "circuit.h"
#include "headlight/interpret/circuits.h"
#include "headlight/interpret/scores.h"
#include "lesson_program.h"
#include "pictures.h"

namespace headlight::lesson {

// "0 1 0 0", the coordinates of a subspace, in multiples of the unit.
inline std::string coordinates(const Array& x, std::size_t row, const Subspace& s, double unit = 1) {
  std::string line;
  for (std::size_t i = 0; i < s.size; ++i)
    line += fmt::format("{}{:.0f}", i == 0 ? "" : " ", x(row, s.first + i) / unit);
  return line;
}

// Rows 0, 3 and 4 of a stream.
inline void show_stream(const Stream& s, const Array& x) {
  say("          token    |  before   |  output   |  position");
  for (const std::size_t i : {0u, 3u, 4u})
    say("  {}   {}  |  {}  |  {}  |  {}  |  {}", i, kLetters[kSequence[i]], coordinates(x, i, s.token),
        coordinates(x, i, s.before), coordinates(x, i, s.output), coordinates(x, i, s.position));
}

// The pattern as a table, with the tokens at both sides.
inline void show_pattern(const Array& p, std::size_t first_row, std::size_t end) {
  std::string head = "     query";
  for (std::size_t j = 0; j < end; ++j) head += fmt::format("     {}", kLetters[kSequence[j]]);
  say("{}", head);
  for (std::size_t i = first_row; i < end; ++i) {
    std::string line = fmt::format("  {:>4} {}   ", i, kLetters[kSequence[i]]);
    for (std::size_t j = 0; j < end; ++j) line += j > i ? "     ·" : fmt::format("  {:.2f}", p(i, j));
    say("{}", line);
  }
}

inline void show_query_and_key(const Head& head, const Array& x, double factor) {
  say("Of query 4 and key 3, the coordinates for positions:");
  say("  query           {}   times {:.1f} = 40 · √12",
      coordinates(product(x, head.W_Q), 4, head.positions, factor), factor);
  say("  key             {}", coordinates(product(x, head.W_K), 3, head.positions));
}

// The scores of query 4 for the keys 0 to 4.
inline void show_scores(const std::string& name, const Array& s) {
  std::string line;
  for (std::size_t j = 0; j < 5; ++j) line += fmt::format("  {:4.0f}", s(4, j));
  say("  {:<24}{}", name, line);
}

inline void show_logits(const Array& logits) {
  const Array p = probabilities_of(logits);
  say("  position   token   logits of a, b, c, d        probability of the right token");
  for (const std::size_t i : {1u, 3u, 4u, 5u, 6u}) {
    std::string line;
    for (std::size_t v = 0; v < logits.shape()[1]; ++v) line += fmt::format("  {:5.2f}", logits(i, v));
    const auto right = static_cast<std::size_t>(kSequence[i + 1]);
    say("  {:>8}   {:>5}   {}   {} {:.4f}", i, kLetters[kSequence[i]], line, kLetters[right], p(i, right));
  }
}

// How many numbers are not 0.
inline std::size_t set_numbers(const Array& W) {
  return static_cast<std::size_t>(std::count_if(W.begin(), W.end(), [](Real x) { return x != 0; }));
}

inline void show_counts(const Weights& w) {
  std::size_t all = w.W_E.size() + w.W_pos.size() + w.W_U.size(),
              set = set_numbers(w.W_E) + set_numbers(w.W_pos) + set_numbers(w.W_U);
  for (const Head* head : {&w.layer_0[0], &w.layer_1[0]})
    for (const Array* W : {&head->W_Q, &head->W_K, &head->W_V, &head->W_O})
      all += W->size(), set += set_numbers(*W);
  say("\nThe tables and both heads have {} numbers. {} of them are not 0.", all, set);
}

inline void show_head_scores(const nn::Transformer& model, const tasks::Batch& batch) {
  const auto heads = interpret::score_heads(model, batch);
  const auto circuits = interpret::circuits_of(model);
  say("\nThe scores of all heads:");
  say("         previous-token   prefix-matching   copying");
  for (std::size_t i = 0; i < heads.size(); ++i)
    say("  {}      {:11.2f}   {:15.2f}   {:>7}", interpret::head_code(heads[i].at()),
        heads[i][interpret::kPreviousToken], heads[i][interpret::kInduction],
        circuits[i].copying_olsson ? fmt::format("{:.2f}", *circuits[i].copying_olsson) : "–");
}

inline void show_composition(const interpret::Composition& whole, const interpret::Composition& open) {
  say("\nComposition of L0H0 and L1H0 through the keys:");
  say("  whole                        {:.2f}", whole.ratio.k);
  say("  without hiding position 0    {:.2f}", open.ratio.k);
  say("  random matrices              {:.2f}", whole.baseline.k);
}

}  // namespace headlight::lesson
