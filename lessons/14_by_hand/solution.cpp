// Exercise 14, solved.
#include <string>

#include "circuit.h"
#include "exercise.h"

// Two heads of the lesson, to build on. The score of the right key is 40.
double factor_of(const Head& head) { return 40 * std::sqrt(static_cast<double>(head.d_head())); }

void look_back(Head& head, const Stream& s, std::size_t distance) {
  const std::size_t count = s.position.size - distance;
  put(head.W_Q, s.position.part(distance, count), head.positions.part(0, count), factor_of(head));
  put(head.W_K, s.position, head.positions, 1);
}

void copy_token(Head& head, const Stream& s, const Subspace& to) {
  put(head.W_V, s.token, head.tokens, 1);
  put(head.W_O, head.tokens, to, 1);
}

// The token after position i stands at T - 2 - i too, when the second half is the first one backwards.
void look_mirrored(Head& head, const Stream& s) {
  const std::size_t T = s.position.size;
  for (std::size_t i = 0; i + 1 < T; ++i)
    put(head.W_Q, s.position.part(i, 1), head.positions.part(T - 2 - i, 1), factor_of(head));
  put(head.W_K, s.position, head.positions, 1);
}

void copy_partner(Head& head, const Stream& s, const Subspace& to) {
  for (std::size_t v = 0; v < s.token.size; ++v)
    put(head.W_V, s.token.part(v, 1), head.tokens.part(v ^ 1, 1), 1);
  put(head.W_O, head.tokens, to, 1);
}

// Two terms, each in coordinates of its own: a key with both notes right has twice the score of a key with
// one. No two tokens come before the positions 0 and 1, so a third term hides them.
void match_pairs(Head& head, const Stream& s) {
  const Subspace second = head.positions.part(0, s.token.size), hidden = head.positions.part(s.token.size, 1);
  put(head.W_Q, s.token, head.tokens, factor_of(head));
  put(head.W_K, s.before, head.tokens, 1);
  put(head.W_Q, s.before, second, factor_of(head));
  put(head.W_K, s.two_before, second, 1);
  for (std::size_t i = 0; i < s.position.size; ++i)
    put(head.W_Q, s.position.part(i, 1), hidden, -2 * factor_of(head));
  for (const std::size_t j : {0, 1}) put(head.W_K, s.position.part(j, 1), hidden, 1);
}

void pair_model(Weights& w) {
  const Stream& s = w.stream;
  look_back(w.layer_0[0], s, 1);
  copy_token(w.layer_0[0], s, s.before);
  look_back(w.layer_0[1], s, 2);
  copy_token(w.layer_0[1], s, s.two_before);
  match_pairs(w.layer_1[0], s);
  copy_token(w.layer_1[0], s, s.output);
  put(w.W_U, s.output, {0, s.output.size}, 20);
}

// A second way to the same key: layer 0 writes to the query where the earlier copy of its token stands, and
// layer 1 looks one place further.
void point_too(Weights& w) {
  const Stream& s = w.stream;
  Head &finder = w.layer_0[1], &reader = w.layer_1[0];
  put(finder.W_Q, s.token, finder.tokens, factor_of(finder));
  put(finder.W_K, s.token, finder.tokens, 1);
  put(finder.W_Q, s.position, finder.positions, -2 * factor_of(finder));  // not the query itself
  put(finder.W_K, s.position, finder.positions, 1);
  put(finder.W_V, s.position, finder.positions, 1);
  put(finder.W_O, finder.positions, s.pointer, 1);
  const std::size_t places = s.pointer.size - 1;
  put(reader.W_Q, s.pointer.part(0, places), reader.positions.part(1, places), factor_of(reader));
  put(reader.W_K, s.position, reader.positions, 1);
}

void break_one(Weights& w, const std::string& claim) {
  Head& induction = w.layer_1[0];
  if (claim == "matching") put(induction.W_K, w.stream.before, induction.tokens, 0);
  if (claim == "copying") put(induction.W_V, w.stream.token, induction.tokens, 0);
  if (claim == "composition") point_too(w);
  if (claim == "necessity") {
    look_back(w.layer_1[1], w.stream, kPeriod - 1);
    copy_token(w.layer_1[1], w.stream, w.stream.output);
  }
}

// The smallest S in tenths that gives the follower a weight above 0.9.
double measured(std::size_t T) {
  int tenths = 1;
  while (follower_weight(T, 0.1 * tenths) <= 0.9) ++tenths;
  return 0.1 * tenths;
}

std::vector<Trial> sharpness_needed() {
  return {{16, 5, measured(16)}, {64, 10, measured(64)}, {1024, 40, measured(1024)}};
}
