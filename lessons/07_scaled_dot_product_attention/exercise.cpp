// Lesson 7: attention, from the scores to the output.
//
// Parts 1, 4 and 5 are made of ops, so that the tape records them: their gradients are compared too. (A
// Tensor made from an Array is a constant, and the tape ends there.) Headlight has softmax,
// log_softmax, visible_keys, scaled_dot_product_attention, attention_scores, attention_pattern and
// attention_output already. Parts 1 to 5 may not call them. Write them yourself with these:
//   matmul(x, y), transpose(x)   the product over the last two axes, and these two axes exchanged
//   exp(x), + - * /              number by number; they broadcast
//   max(x, {-1}, true)           the largest number of each row, its axis kept with length 1; so sum
//   greater(x, y), equal(x, y)   where x > y, where x = y; a condition for where
//   where(condition, x, y)       x where the condition holds, else y; x and y may be single numbers
//   q.length(-1)                 the length of the last axis
//   full_array({n, m}, 0)        an Array of zeros, to be filled by a(i, j) = …; Tensor(a) has its numbers
//   lengths(b), lengths.size()   the numbers of an IntArray, and how many
//   mean(x).item()               the mean of all numbers, as a double
//
// (…,n,d) means: any number of axes before the last two. In a mask 1 means "may look" and 0 "may not".
#include <cmath>
#include <cstdint>

#include "exercise.h"
#include "headlight/core/rng.h"

// Part 1 ★  scaled_scores
// The score of each query for each key, q·k/√d_k.     q (…,n,d_k), k (…,m,d_k) → (…,n,m)
//   q = [[1, 2, 0, 1]],  k = [[2, 1, 1, 0], [0, 1, 5, 4]]   →   [[2, 3]]
Tensor scaled_scores(const Tensor& q, const Tensor& k) { todo(); }

// Part 2 ★★  causal_mask_of
// The mask (n,m) by which no query looks ahead. There are m keys, and the n queries are the last n of these
// m positions (n ≤ m): the last query stands at the last key. A query sees its own position and all earlier
// ones.
//   causal_mask_of(2, 3)   →   [[1, 1, 0], [1, 1, 1]]
Tensor causal_mask_of(std::size_t n, std::size_t m) { todo(); }

// Part 3 ★★  batch_mask_of
// The mask (B,n,m) of a batch of B sequences. The tokens of sequence b are the last lengths(b) of its m keys.
// The keys before them are padding, at which no query looks. Besides, all queries obey part 2. A sequence may
// have no tokens, or as many as keys.
//   batch_mask_of([1, 3], 2, 3)   →   [[[0, 0, 0], [0, 0, 1]],  [[1, 1, 0], [1, 1, 1]]]
Tensor batch_mask_of(const IntArray& lengths, std::size_t n, std::size_t m) { todo(); }

// Part 4 ★★★  masked_softmax
// The softmax of each row over the keys that the mask allows; all other weights are 0. A row in which the
// mask allows nothing is 0 throughout, and so is its gradient. All scores are finite. No NaN, also for scores
// near 1000 and -1000, hidden or not. The gradient of the mask is not asked for. Nothing is
// added to the sum of a row: one that is larger by 1e-10 is wrong.
//   scores (…,n,m), a mask that broadcasts to them   →   (…,n,m)
//   scores = [[1, 1, 7], [5, 5, 5]],  mask = [[1, 1, 0], [0, 0, 0]]   →   [[0.5, 0.5, 0], [0, 0, 0]]
Tensor masked_softmax(const Tensor& scores, const Tensor& mask) { todo(); }

// Part 5 ★★  attention
// The mean of the values that each query gets, weighted with its pattern.
// q (…,n,d_k), k (…,m,d_k), v (…,m,d_v), a mask that broadcasts to (…,n,m) → (…,n,d_v)
//   q = [[1, 0, 0, 0]],  k = [[3, 1, 4, 1], [3, 5, 9, 2]],  v = [[2, 0, 8], [4, 6, 0]],  mask = 1
//     →   [[3, 3, 4]]
Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) { todo(); }

// Part 6 ★★  multiply_adds
// How many multiplications attention does in its two matrix products, q kᵀ and pattern · v, each with the
// addition that follows it counted as one, if it skips every key that the causal mask hides. As in part 2,
// the n queries are the last n of m positions. No loop is needed: the count has a formula.
//   multiply_adds(2, 3, 4, 2)   →   30
std::uint64_t multiply_adds(std::uint64_t n, std::uint64_t m, std::uint64_t d_k, std::uint64_t d_v) {
  todo();
}

// Part 7 ★★  with_more_keys, an experiment of your own
// With 16 random keys, 1/√d_k keeps the largest weight near 0.25, for every d_k. Does it with more keys?
//   Rng rng(7);
//   const Tensor q = randn({200, 64}, rng), k = randn({m, 64}, rng);
// The pattern of these (parts 1 and 4, with the mask 1) has a largest weight in each row. Measure the mean of
// the 200. Choose at least four numbers of keys m from 2 to 4096. Before you run, write down what you expect.
//   return {{m, predicted, measured}, …};
std::vector<Trial> with_more_keys() { todo(); }
