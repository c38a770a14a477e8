// Exercise 11: the copy task, a fair test of it, a score for heads, and two ways to solve it without
// matching.
//
// Of the library: tasks::Sequence has .tokens, .targets and .predictable, three vectors of one length.
//   rng.below(n)          one of 0 … n-1
//   rng.distinct(k, V)    k different numbers out of 0 … V-1, in random order
//   softmax(x, axis)      matmul(x, y)
// Of lesson 7: lesson_07::causal_mask_of(n, n)   (n,n), 1 where a query may look, 0 where it may not
#include "exercise.h"
#include "07_scaled_dot_product_attention/kept.h"
#include "headlight/core/rng.h"
#include "headlight/tasks/task.h"

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

// Part 2 ★★  fair_periods
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

// Part 3 ★  previous_token_score
// pattern (n,n), n ≥ 2, a row for each query → the mean weight of a query on the key before it. Query 0 has
// none and does not count.
//   [[1, 0, 0], [0.8, 0.2, 0], [0.1, 0.4, 0.5]]  →  (0.8 + 0.4) / 2 = 0.6
double previous_token_score(const Tensor& pattern) { todo(); }

// Part 4 ★★★  counting_head
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

// Part 5 ★★  unseen_for_longest
// For each position i: of the different tokens among 0 … i, the one that was last seen longest ago.
//   0 1 2 0 1  →  0 0 0 1 2        at position 3: 0 is there now, 2 was at position 2, 1 at position 1
std::vector<std::int32_t> unseen_for_longest(const std::vector<std::int32_t>& tokens) { todo(); }
