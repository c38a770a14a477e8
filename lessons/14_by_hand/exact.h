// The exact weights of lesson 14.
#pragma once

#include <cmath>

#include "circuit.h"

namespace headlight::lesson {

inline constexpr double kSharp = 40;  // the score of a key that is meant, less that of the others

// Queries shift their position by `distance`, so that they fit the position of an earlier key.
inline void look_back(Head& head, const Stream& s, std::size_t distance, double sharp = kSharp) {
  const double factor = sharp * std::sqrt(static_cast<double>(head.d_head()));
  const std::size_t reached = s.position.size - distance;
  put(head.W_Q, s.position.part(distance, reached), head.positions.part(0, reached), factor);
  put(head.W_K, s.position, head.positions, 1);
}

// The token that is looked at goes into the subspace `to`.
inline void copy_token(Head& head, const Stream& s, const Subspace& to) {
  put(head.W_V, s.token, head.tokens, 1);
  put(head.W_O, head.tokens, to, 1);
}

// Queries show their token, keys the token before them.
inline void match_followers(Head& head, const Stream& s, double sharp = kSharp) {
  put(head.W_Q, s.token, head.tokens, sharp * std::sqrt(static_cast<double>(head.d_head())));
  put(head.W_K, s.before, head.tokens, 1);
}

// Every query gives the key at position 0 a score of -2 · sharp.
inline void hide_position_0(Head& head, const Stream& s, double sharp = kSharp) {
  for (std::size_t i = 0; i < s.position.size; ++i)
    put(head.W_Q, s.position.part(i, 1), head.positions.part(0, 1),
        -2 * sharp * std::sqrt(static_cast<double>(head.d_head())));
  put(head.W_K, s.position.part(0, 1), head.positions.part(0, 1), 1);
}

struct Exact {
  double sharp = kSharp;  // S
  bool hides_position_0 = true;
  double logit = 20;  // of the token that is said
};

// The tables before and behind the heads.
inline Weights tables(const Stream& s, double logit = 20) {
  Weights w(s);
  put(w.W_E, {0, s.token.size}, s.token, 1);
  put(w.W_pos, {0, s.position.size}, s.position, 1);
  put(w.W_U, s.output, {0, s.token.size}, logit);
  return w;
}

// The whole model.
inline Weights exact_weights(std::size_t V, std::size_t T, const Exact& with = {}) {
  Weights w = tables(Stream(V, T, false), with.logit);
  look_back(w.layer_0[0], w.stream, 1, with.sharp);
  copy_token(w.layer_0[0], w.stream, w.stream.before);
  match_followers(w.layer_1[0], w.stream, with.sharp);
  if (with.hides_position_0) hide_position_0(w.layer_1[0], w.stream, with.sharp);
  copy_token(w.layer_1[0], w.stream, w.stream.output);
  return w;
}

}  // namespace headlight::lesson
