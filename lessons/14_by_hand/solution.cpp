// Exercise 14, solved.
#include <string>

#include "circuit.h"
#include "exercise.h"

constexpr double kScore = 40;  // of a key that is meant

double factor_of(const Head& head) { return kScore * std::sqrt(static_cast<double>(head.d_head())); }

void look_back(Head& head, const Stream& s, std::size_t distance) {
  const std::size_t reached = s.position.size - distance;
  put(head.W_Q, s.position.part(distance, reached), head.positions.part(0, reached), factor_of(head));
  put(head.W_K, s.position, head.positions, 1);
}

void copy_token(Head& head, const Stream& s, const Subspace& to) {
  put(head.W_V, s.token, head.tokens, 1);
  put(head.W_O, head.tokens, to, 1);
}

void look_at_followers(Head& head, const Stream& s) {
  put(head.W_Q, s.token, head.tokens, factor_of(head));
  put(head.W_K, s.before, head.tokens, 1);
  const Subspace hidden = head.positions.part(0, 1);
  for (std::size_t i = 0; i < s.position.size; ++i)
    put(head.W_Q, s.position.part(i, 1), hidden, -2 * factor_of(head));
  put(head.W_K, s.position.part(0, 1), hidden, 1);
}

void induction_model(Weights& w) {
  look_back(w.layer_0[0], w.stream, 1);
  copy_token(w.layer_0[0], w.stream, w.stream.before);
  look_at_followers(w.layer_1[0], w.stream);
  copy_token(w.layer_1[0], w.stream, w.stream.output);
  put(w.W_U, w.stream.output, {0, w.stream.output.size}, 20);
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
