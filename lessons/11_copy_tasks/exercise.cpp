// Exercise 11: the copy task, its best reachable loss, a fair test of it, two ways to solve it without
// matching, and an experiment.
//
// Of the library: tasks::Sequence has .tokens, .targets and .predictable, three vectors of one length.
//   rng.below(n)          one of 0 … n-1
//   rng.distinct(k, V)    k different numbers out of 0 … V-1, in random order
//   softmax(x, axis)      matmul(x, y)      math::log(x)
// Of lesson 7: lesson_07::causal_mask_of(n, n)   (n,n), 1 where a query may look, 0 where it may not
#include "exercise.h"
#include "07_scaled_dot_product_attention/kept.h"
#include "headlight/core/math.h"
#include "headlight/core/rng.h"
#include "headlight/tasks/task.h"
#include "two_periods.h"

// Part 1 ★★  repeated_sequence
// A sequence whose period nobody knows beforehand. Draw in this order:
//   1. the period: one of `periods`, all equally likely, by rng.below(…) as index
//   2. the segment: `period` different tokens, by rng.distinct(period, V)
// Token i is segment[i % period]. Return n tokens and their n targets; target i is token i + 1, and it exists
// for the last position too. predictable[i] is true where target i follows from the tokens 0 … i, whatever
// the period is: see section 1.
//   If the period is 3 and the segment 4 0 2, then for n = 6
//   tokens 4 0 2 4 0 2,  targets 0 2 4 0 2 4,  predictable 0 0 0 1 1 1
tasks::Sequence repeated_sequence(std::size_t n, std::size_t V, const std::vector<std::size_t>& periods,
                                  Rng& rng) {
  todo();
}

// Part 2 ★★★  best_losses
// Section 2 computes the loss of the best predictor for a whole sequence. Where in the sequence does it
// arise? The predictor knows V and `periods`, all equally likely and all different. It does not know the
// period of this sequence. It reads tokens 0 … i and gives each token that can come next its probability.
// Return for each i = 0 … n-1 the loss -log p of target i, if this sequence has the period `period`.
//   n = 4, V = 4, periods = {2, 3}, period = 3
//   after one token: 3 others can follow                                    → p = 1/3, loss 1.099
//   after two: the segment ends here or not, and if not, 2 tokens can follow → p = 1/2 · 1/2, loss 1.386
//   after three: only the first token can follow, and then the second        → losses 0 and 0
std::vector<double> best_losses(std::size_t n, std::size_t V, const std::vector<std::size_t>& periods,
                                std::size_t period) {
  todo();
}

// Part 3 ★★  fair_periods
// On which periods shall a model be tested that was trained on `trained`, with n tokens a sequence and V
// different tokens? Return, in order, all periods P ≥ 1 for which all of this holds:
//   - a segment of P different tokens exists
//   - at least one of the n targets is predictable, as in part 1
//   - no head that counts would pass. A period T in training can be solved by looking k·T - 1 back, for each
//     whole number k ≥ 1 with k·T ≤ n. Such a head is right at P too if P divides k·T.
//   trained = {5}, n = 12, V = 10: such heads count 4 or 9 back, and solve 1, 5, 2 and 10
//   → {3, 4, 6, 7, 8, 9}
std::vector<std::size_t> fair_periods(const std::vector<std::size_t>& trained, std::size_t n, std::size_t V) {
  todo();
}

// Part 4 ★★  counting_head
// Set a head by hand that copies at one period, without looking at any token.
//   scores (n,n): query i predicts token i + 1. 20 at the key one period before that token, if there is
//                 such a key; else 0
//   pattern (n,n): the softmax of each row over the keys that the causal mask allows
//   the head writes pattern · E, where row j of E (n,V) is the one-hot row of token j
// Return (n,V): for each position how much of each token the head found.
//   tokens 1 0 1, V = 2, period = 2. Query 2 predicts token 3, a period after token 1, and looks at key 1:
//   scores [[0, 0, 0], [20, 0, 0], [0, 20, 0]]  →  about [[0, 1], [0, 1], [1, 0]]
//   (The third row is off by 4e-9.)
Tensor counting_head(const std::vector<std::int32_t>& tokens, std::size_t V, std::size_t period) { todo(); }

// Part 5 ★★★  fading_pattern
// How can one layer say the token that was not seen for longest? Its pattern may depend on positions alone.
// Return a pattern (n,n) for n ≤ 16, made before any token is read. Row i has weights of 0 or more on the
// keys 0 … i, which add up to 1, and 0 on later keys. The head lowers the logit of each token by the weight
// that it gives to this token, at all places together. So it says, of the tokens among 0 … i, the one with
// the least weight. Choose weights by which this is always the token that was last seen longest ago, whatever
// the tokens are and however often each of them came.
//   tokens 0 1 1 2: at the end it must say 0, so the weight on key 0 must be the least. If the tokens are
//   0 0 0 1, it must say 0 as well, and three keys together must have less weight than the last.
Tensor fading_pattern(std::size_t n) { todo(); }

// Part 6 ★★  two_periods
// An experiment of your own. A model that is trained on period 8 alone counts. How different must a second
// period be for the model to match instead? accuracy_with_gaps(p) trains a layer with smeared keys on the
// periods 8 and p, in a second or more. Only matching is right with gaps.
// Choose three values of p or more, from 8 to 16. Before you run anything, write down for each the accuracy
// that you expect. Return the trials {p, expected, measured}: any prediction passes, and the verdict shows
// where you were farthest off.
std::vector<Trial> two_periods() { todo(); }
