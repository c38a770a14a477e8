// Exercise 14: the matrices of an induction transformer, set by hand.
//
// circuit.h has the parts:
//   Stream s       the subspaces s.token, s.before, s.output (V each), s.position, s.pointer (T each)
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

// Part 1 ★★  look_back
// Set W_Q and W_K of the head: the query at position i looks at the key at position i - distance, whatever
// the tokens are, with a weight above 0.99. Queries with i < distance may look anywhere. The stream has
// one-hot positions in s.position.
//   distance 1, four tokens:  the queries 1, 2, 3 look at the keys 0, 1, 2
void look_back(Head& head, const Stream& s, std::size_t distance) { todo(); }

// Part 2 ★  copy_token
// Set W_V and W_O of the head: it adds the token that it looks at, as a one-hot row, to the subspace `to`. It
// adds nothing anywhere else.
//   The stream that it looks at has the token b, V = 2, and `to` is s.before:
//   adds  token 0 0 | before 0 1 | output 0 0 | …
void copy_token(Head& head, const Stream& s, const Subspace& to) { todo(); }

// Part 3 ★★★  look_at_followers
// Set W_Q and W_K of the head: the query at position i gives all its weight, above 0.99, to the followers of
// the earlier copies of its token. s.token holds the token, s.before the token before. At position 0 there is
// none, and s.before holds the token of position 0 itself (lesson, section 4).
//   tokens a b a:  the query 2 looks at the key 1
void look_at_followers(Head& head, const Stream& s) { todo(); }

// Part 4 ★★  induction_model
// Put the parts together. w.W_E and w.W_pos are set: one-hot rows in the subspaces token and position. All
// else is 0. Set, with parts 1 to 3, w.layer_0[0] (it notes the token before in w.stream.before) and
// w.layer_1[0] (it writes to w.stream.output), and then w.W_U (width,V): the logits. The token that the model
// says must have a probability above 0.99. Leave w.layer_0[1] and w.layer_1[1] at 0.
//   tokens a b a:  at position 2 the model says b
void induction_model(Weights& w) { todo(); }

// Part 5 ★★★  break_one
// w is a whole model, as of part 4, with V = T = 24. Change it, so that the certificate refutes this claim
// and none of the claims before it. For "composition" refute that the keys alone are the way:
//   "matching"      it looks at followers, in segments that come back at random distances
//   "copying"       it raises the token that it looks at
//   "composition"   the matching is lost when earlier heads write to its keys as on other sequences
//   "necessity"     without the circuit the task is lost. The model must still solve the task. Here all
//                   segments have kPeriod = 9 tokens
// Free for you are the heads w.layer_0[1] and w.layer_1[1] and the subspace w.stream.pointer. To change a
// head, set other numbers, or begin anew: w.layer_1[0] = Head(w.stream);
//   For "composition" give the head of w.layer_1[0] a second way, through its queries. This is the model
//   *through queries* of section 7. In w.layer_0[1], a pointer to the earlier copy of the token:
//     W_Q, W_K  token → tokens: looks at the same token
//               position → positions, negative in W_Q: not at itself
//     W_V, W_O  position → positions → pointer: writes where it looks
//   and in w.layer_1[0] a second term:
//     W_Q  pointer → positions, shifted by one: the place after;  W_K  position → positions
//   "matching":  keys that do not hold the token before
void break_one(Weights& w, const std::string& claim) { todo(); }
