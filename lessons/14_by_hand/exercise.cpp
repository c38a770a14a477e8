// Exercise 14: heads and models set by hand. They are not those of the lesson.
//
// circuit.h has the parts:
//   Stream s       the subspaces s.token, s.before, s.two_before, s.output (V each), s.position, s.pointer (T
//                  each)
//   Head head      W_Q, W_K, W_V (width,d_head) and W_O (d_head,width), all 0, and the head's own coordinates
//                  head.tokens (V) and head.positions (T), d_head = head.d_head() = V + T
//   put(W, from, to, factor)         W(from.first + i, to.first + i) = factor: the rows `from` are what W
//                                    reads, the columns `to` where it goes
//   some.size                        how many coordinates a subspace has
//   some.part(skip, count)           `count` coordinates of a subspace, without its first `skip`
// Scores are x W_Q (x W_K)ᵀ/√d_head. A head gets the weights that you put, nothing is trained. The grader
// looks at what your heads do, so other matrices than the solution's may be right.
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

// Part 1 ★★  look_mirrored
// A segment is read forwards and then backwards: a b c d d c b a, T tokens in all. Set W_Q and W_K of the
// head: each query in the second half, but for the last one, looks at the key in the first half whose token
// comes next. Its weight is above 0.99, whatever the tokens are. The other queries may look anywhere.
//   T = 8:  the query 4, the second d, looks at the key 2, c
void look_mirrored(Head& head, const Stream& s) { todo(); }

// Part 2 ★★  copy_partner
// Tokens are pairs, like an opening and its closing bracket: 0 and 1, 2 and 3, … V is even. Set W_V and W_O
// of the head: it adds the PARTNER of the token that it looks at, as a one-hot row, to the subspace `to`. It
// adds nothing anywhere else.
//   The stream that it looks at has the token b, V = 2, and `to` is s.before:
//   adds  token 0 0 | before 1 0 | output 0 0 | …
void copy_partner(Head& head, const Stream& s, const Subspace& to) { todo(); }

// Part 3 ★★★  match_pairs
// In a b a c the token a has two followers. Two tokens together say more. Set W_Q and W_K of the head: a
// query gives all its weight, above 0.99, to the keys that come right after an earlier copy of two tokens:
// the token before the query, and then the query's own. Queries without such a key may look anywhere.
//   s.before holds the token before, s.two_before the one before that. Nothing comes before position 0, and
//   there both hold the token of position 0 itself. At position 1, s.two_before holds a half of each of the
//   first two tokens. T is larger than V.
//   tokens a b c b a b:  the query 5 looks at the key 2, c, and not at the key 4
void match_pairs(Head& head, const Stream& s) { todo(); }

// Part 4 ★★  pair_model
// A model that says what came after the last two tokens. w.W_E and w.W_pos are set: one-hot rows in the
// subspaces token and position. All else is 0. Set the heads w.layer_0[0] and w.layer_0[1] (after layer 0,
// w.stream.before and w.stream.two_before hold what part 3 says), w.layer_1[0] (the token that the model says
// goes to w.stream.output), and w.W_U (width,V): the logits. Where part 3 has a key, the token that comes
// there must have a probability above 0.99. Leave w.layer_1[1] at 0.
//   tokens a b c b a b:  at position 5 the model says c
void pair_model(Weights& w) { todo(); }

// Part 5 ★★★  break_one
// w is the whole model of the lesson, with V = T = 24: w.layer_0[0] notes the token before, w.layer_1[0] is
// the induction head. Change w, so that the certificate refutes this claim and none of the claims before it:
//   "matching"      it looks at followers, in segments that come back at random distances
//   "copying"       it raises the token that it looks at
//   "composition"   one path is the way: most of the matching is lost when earlier heads write to the keys of
//                   the induction head as on other sequences, or when they write so to its queries. It is
//                   refuted if less than half is lost in both cases, and not by a second note in s.before
//   "necessity"     without the induction head the task is lost. The model must still solve the task. Here
//                   all segments have kPeriod = 9 tokens
// Free for you are the heads w.layer_0[1] and w.layer_1[1] and the subspaces pointer and two_before. To
// change a head, set other numbers, or begin anew: w.layer_1[0] = Head(w.stream);
void break_one(Weights& w, const std::string& claim) { todo(); }

// Part 6 ★★  sharpness_needed: an experiment of your own
// A longer text has more wrong keys, each with a bit of the weight. How does the S that the heads need grow
// with the length? In circuit.h, follower_weight(T, S) is the weight on the follower when T/2 different
// tokens come twice. Choose three lengths T or more, even numbers from 8 to 2000, some far apart. Measure for
// each the smallest S = 0.1, 0.2, 0.3, … with a weight above 0.9. Write down what you expect before you run
// it; a prediction need not be right.
//   return {{T, the S that you predict, the S that you measured}, …};
std::vector<Trial> sharpness_needed() { todo(); }
