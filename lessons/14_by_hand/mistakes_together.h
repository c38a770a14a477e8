// Mistakes that people make together in parts 1 to 4 of exercise 14.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "mistakes_model.h"

namespace mistakes {

using grader::Together;

// ---- Part 1: a wrong shift, and scores that are too small ----

inline std::vector<Together<LookBack>> together_in_look_back() {
  return {{{"always-one-back", "too-small"},
           [](Head& head, const Stream& s, std::size_t) { back_by(head, s, 1, 1); }}};
}

// ---- Part 2: what is read, where it goes, and by which factor ----

inline std::vector<Together<CopyToken>> together_in_copy_token() {
  return {{{"copies-the-token-before", "sharp-values"},
           [](Head& head, const Stream& s, const Subspace& to) {
             copy(head, s.before, to, solution::factor_of(head));
           }},
          {{"over-the-token", "sharp-values"},
           [](Head& head, const Stream& s, const Subspace&) {
             copy(head, s.token, s.token, solution::factor_of(head));
           }},
          {{"always-into-before", "sharp-values"},
           [](Head& head, const Stream& s, const Subspace&) {
             copy(head, s.token, s.before, solution::factor_of(head));
           }},
          {{"copies-the-token-before", "always-into-before"},
           [](Head& head, const Stream& s, const Subspace&) { copy(head, s.before, s.before); }},
          {{"copies-the-token-before", "over-the-token"},
           [](Head& head, const Stream& s, const Subspace&) { copy(head, s.before, s.token); }}};
}

// ---- Part 3: what queries and keys read, by which factor, and the score of position 0 ----

enum class Hidden { yes, no, wins };

template <Subspace Stream::*query, Subspace Stream::*key, bool sharp, Hidden hidden>
void look_with(Head& head, const Stream& s) {
  const double factor = sharp ? solution::factor_of(head) : 1;
  meet(head, s.*query, s.*key, head.tokens, factor);
  if (hidden != Hidden::no) score_position_0(head, s, hidden == Hidden::yes ? -2 * factor : 2 * factor);
}

inline std::vector<Together<LookAtFollowers>> together_in_followers() {
  constexpr auto token = &Stream::token, before = &Stream::before, output = &Stream::output;
  using enum Hidden;
  return {{{"matches-the-token-itself", "position-0-not-hidden"}, look_with<token, token, true, no>},
          {{"Q-and-K-swapped", "position-0-not-hidden"}, look_with<before, token, true, no>},
          {{"before-with-before", "position-0-not-hidden"}, look_with<before, before, true, no>},
          {{"nothing-matches", "position-0-not-hidden"}, look_with<token, output, true, no>},
          {{"too-small", "position-0-not-hidden"}, look_with<token, before, false, no>},
          {{"matches-the-token-itself", "too-small"}, look_with<token, token, false, yes>},
          {{"Q-and-K-swapped", "too-small"}, look_with<before, token, false, yes>},
          {{"matches-the-token-itself", "too-small", "position-0-not-hidden"},
           look_with<token, token, false, no>},
          {{"Q-and-K-swapped", "too-small", "position-0-not-hidden"}, look_with<before, token, false, no>}};
}

// ---- Part 4: another mistake of the bank, and logits that are too close ----

template <std::size_t k>
void flat_too(Weights& w) {
  kOfInductionModel.at(k).function(w);
  for (Real& weight : w.W_U) weight /= 20;
}

template <std::size_t... k>
std::vector<Together<InductionModel>> flat_of(std::index_sequence<k...>) {
  return {{{kOfInductionModel.at(k).name, "flat"}, flat_too<k>}...};
}
inline std::vector<Together<InductionModel>> together_in_model() {
  return flat_of(std::index_sequence<0, 1>());
}

}  // namespace mistakes
