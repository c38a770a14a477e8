// Mistakes that people make together in parts 1 to 4 of exercise 14.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "mistakes_model.h"

namespace mistakes {

using grader::Together;

// ---- Part 1: a wrong place, and scores that are too small ----

inline std::vector<Together<LookMirrored>> together_in_look_mirrored() {
  return {{{"looks-at-its-own-copy", "too-small"},
           [](Head& head, const Stream& s) { mirror(head, s, s.position.size - 1, 1); }},
          {{"one-too-far", "too-small"},
           [](Head& head, const Stream& s) { mirror(head, s, s.position.size - 3, 1); }}};
}

// ---- Part 2: what is read, where it goes, and by which factor ----

inline std::vector<Together<CopyPartner>> together_in_copy_partner() {
  return {{{"the-token-itself", "sharp-values"},
           [](Head& head, const Stream& s, const Subspace& to) {
             put(head.W_V, s.token, head.tokens, solution::factor_of(head));
             put(head.W_O, head.tokens, to, 1);
           }},
          {{"over-the-token", "sharp-values"},
           [](Head& head, const Stream& s, const Subspace&) {
             copy(head, s.token, s.token, solution::factor_of(head));
           }},
          {{"the-token-itself", "W_V-straight-into-the-stream"},
           [](Head& head, const Stream& s, const Subspace& to) {
             put(head.W_V, s.token, to, 1);
             put(head.W_O, head.tokens, to, 1);
           }},
          {{"the-token-itself", "always-into-before"},
           [](Head& head, const Stream& s, const Subspace&) { solution::copy_token(head, s, s.before); }},
          {{"the-token-itself", "over-the-token"},
           [](Head& head, const Stream& s, const Subspace&) { solution::copy_token(head, s, s.token); }}};
}

// ---- Part 3: what queries and keys read, by which factor, and the score of the positions 0 and 1 ----

inline std::vector<Together<MatchPairs>> together_in_match_pairs() {
  constexpr const char *none = "positions-0-and-1-not-hidden", *one = "position-1-not-hidden";
  return {{{"one-token-only", none},
           [](Head& head, const Stream& s) { look_with(head, s, with_hidden(kOneToken, 0)); }},
          {{"one-token-only", "too-small"},
           [](Head& head, const Stream& s) { look_with(head, s, with_small(kOneToken)); }},
          {{"tokens-exchanged", none},
           [](Head& head, const Stream& s) { look_with(head, s, with_hidden(kExchanged, 0)); }},
          {{"tokens-exchanged", one},
           [](Head& head, const Stream& s) { look_with(head, s, with_hidden(kExchanged, 1)); }},
          {{"matches-the-two-tokens-themselves", none},
           [](Head& head, const Stream& s) { look_with(head, s, with_hidden(kItself, 0)); }},
          {{"too-small", none},
           [](Head& head, const Stream& s) { look_with(head, s, with_small(with_hidden({}, 0))); }}};
}

// ---- Part 4: another mistake of the bank, and logits that are too close ----

template <std::size_t k>
void flat_too(Weights& w) {
  kOfPairModel.at(k).function(w);
  for (Real& weight : w.W_U) weight /= 20;
}

template <std::size_t... k>
std::vector<Together<PairModel>> flat_of(std::index_sequence<k...>) {
  return {{{kOfPairModel.at(k).name, "flat"}, flat_too<k>}...};
}
inline std::vector<Together<PairModel>> together_in_model() { return flat_of(std::index_sequence<0, 1>()); }

}  // namespace mistakes
