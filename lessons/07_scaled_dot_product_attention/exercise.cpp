// Lesson 7: attention, from the scores to the output.
//
// Parts 1, 4 and 5 are made of ops, so that the tape records them: their gradients are compared too. (A
// Tensor made from an Array is a constant, and the tape ends there.) Headlight has softmax and attention
// already. The checker sees results only, so it does not mind; but write them yourself with these:
//   matmul(x, y), transpose(x)   the product over the last two axes, and these two axes exchanged
//   exp(x), + - * /              number by number; they broadcast
//   max(x, {-1}, true)           the largest number of each row, its axis kept with length 1; so sum
//   greater(x, y), equal(x, y)   where x > y, where x = y; a condition for where
//   where(condition, x, y)       x where the condition holds, else y; x and y may be single numbers
//   q.length(-1)                 the length of the last axis
//   full_array({n, m}, 0)        an Array of zeros, to be filled by a(i, j) = …; Tensor(a) has its numbers
//   lengths(b), lengths.size()   the numbers of an IntArray, and how many
//
// (…,n,d) means: any number of axes before the last two. In a mask 1 means "may look" and 0 "may not".
#include <cmath>

#include "exercise.h"

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
// The keys before them are padding, at which no query looks. Besides, all queries obey part 2.
//   batch_mask_of([1, 3], 2, 3)   →   [[[0, 0, 0], [0, 0, 1]],  [[1, 1, 0], [1, 1, 1]]]
Tensor batch_mask_of(const IntArray& lengths, std::size_t n, std::size_t m) { todo(); }

// Part 4 ★★★  masked_softmax
// The softmax of each row over the keys that the mask allows; all other weights are 0. A row in which the
// mask allows nothing is 0 throughout, and so is its gradient. No NaN, also for scores near 1000 and -1000,
// hidden or not.     scores (…,n,m), a mask that broadcasts to them → (…,n,m)
//   scores = [[1, 1, 7], [5, 5, 5]],  mask = [[1, 1, 0], [0, 0, 0]]   →   [[0.5, 0.5, 0], [0, 0, 0]]
Tensor masked_softmax(const Tensor& scores, const Tensor& mask) { todo(); }

// Part 5 ★★  attention
// The mean of the values that each query gets, weighted with its pattern.
// q (…,n,d_k), k (…,m,d_k), v (…,m,d_v), a mask that broadcasts to (…,n,m) → (…,n,d_v)
//   q = [[1, 0, 0, 0]],  k = [[3, 1, 4, 1], [3, 5, 9, 2]],  v = [[2, 0, 8], [4, 6, 0]],  mask = 1
//     →   [[3, 3, 4]]
Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) { todo(); }

// Part 6 ★  multiply_adds
// How many multiplications attention does in its two matrix products, q kᵀ and pattern · v, each with the
// addition that follows it counted as one. A mask saves none here.     (n queries, m keys)
//   multiply_adds(2, 3, 4, 2)   →   36
std::size_t multiply_adds(std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v) { todo(); }
