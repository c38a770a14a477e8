// Lesson 8: multi-head attention.
//
// Write each part with ops of Headlight, so that the tape sees what you compute. The checker multiplies what
// you return with random numbers, adds up, and compares the gradients of this sum too. nn::MultiHeadAttention
// and the ops scaled_dot_product_attention and, in part 5, repeat_interleave may not be called. What you will
// need:
//   reshape(x, {2, -1, 3})        the same numbers in the same order; one length may be -1
//   permute(x, {0, 2, 1})         axis i of the result is axis order[i] of x
//   slice(x, axis, start, stop)   the indices start … stop-1 along an axis; axis -1 is the last one
//   stack({a, b}, axis)           joined along a new axis, which stands at this place in the result
//   concat({a, b}, axis)          joined along an axis that is there already
//   matmul(x, W)                  (B,n,d) times (d,k) → (B,n,k)
//   x.length(k)                   the length of axis k, a std::size_t
// In the place of {a, b}, stack and concat also take a std::vector<Tensor>.
// reshape and slice take int. static_cast<int>(x.length(1)) makes one.
//
// lesson_07::attention(q, k, v, mask) is what you wrote in lesson 7, once you have solved it; before that it
// is our solution. Axes before the last two, such as batch and heads, are kept: q (B,h,n,w), k (B,h,m,w), v
// (B,h,m,w) → (B,h,n,w). It divides the scores by √w itself. mask is (n,m) or (B,1,n,m), 1 where a query may
// look at a key and 0 where it may not, or a single 1.
#include "exercise.h"
#include "07_scaled_dot_product_attention/kept.h"
#include "crowd.h"
#include "multi_head.h"

// Part 1 ★★  split_heads
// x (B,n,d) → (B,h,n,d_head), h = n_heads and d_head = d / h: head i gets, of every token, the columns
// i·d_head … (i+1)·d_head-1.
//   x = [[[0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23]]],  n_heads = 2
//     →  [[[[0, 1], [10, 11], [20, 21]],  [[2, 3], [12, 13], [22, 23]]]]
Tensor split_heads(const Tensor& x, std::size_t n_heads) { todo(); }

// Part 2 ★  merge_heads
// Back to one row per token: z (B,h,n,w) → (B,n,h·w), with the numbers of head 0 first.
//   z = [[[[0, 1], [10, 11], [20, 21]],  [[2, 3], [12, 13], [22, 23]]]]
//     →  [[[0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23]]]
Tensor merge_heads(const Tensor& z) { todo(); }

// Part 3 ★★  multi_head_attention
// The layer. Queries come from x (B,n,d), keys and values from source (B,m,d), which is x in self-attention.
// The members of w are w.W_Q, w.W_K, w.W_V and w.W_O, each (d,d). Split, attend, merge, project by W_O →
// (B,n,d).
//   x = source = [[[2, 4], [6, 8]]],  n_heads = 2,  mask = [[1, 0], [1, 1]],  and in w:
//   W_Q = W_K = [[0, 0], [0, 0]],  W_V = [[1, 0], [0, 1]],  W_O = [[1, 0], [0, 10]]
//     →  [[[2, 40], [4, 60]]]          (all scores are 0, so token 1 takes the mean of both tokens)
Tensor multi_head_attention(const Tensor& x, const Tensor& source, const MultiHeadWeights& w,
                            std::size_t n_heads, const Tensor& mask) {
  todo();
}

// Part 4 ★  parameters_of
// How many numbers W_Q, W_K, W_V and W_O have together. Input and output of the layer have the width d. There
// are n_heads heads of queries and n_kv_heads heads of keys and values. A head's queries and keys have the
// width d_k, its values d_v; all four may be chosen freely. No biases.
//   parameters_of(512, 8, 8, 64, 64)  is  1048576
std::size_t parameters_of(std::size_t d, std::size_t n_heads, std::size_t n_kv_heads, std::size_t d_k,
                          std::size_t d_v) {
  todo();
}

// Part 5 ★★  repeat_kv
// One head of keys for every query head, from fewer: k (B,g,m,w) → (B,h,m,w), h = n_heads. Query head i uses
// head i / (h/g), rounded down. g divides h; if they are equal, nothing changes.
//   k = [[[[1, 2]], [[3, 4]]]], two heads with one key each,  n_heads = 4
//     →  [[[[1, 2]], [[1, 2]], [[3, 4]], [[3, 4]]]]
Tensor repeat_kv(const Tensor& k, std::size_t n_heads) { todo(); }

// Part 6 ★★★  grouped_attention
// The layer as many language models have it: self-attention with grouped queries and one fused matrix.
// x (B,n,d), W_QKV (d, d + 2·g·d_head), W_O (d,d) → (B,n,d), with h = n_heads, g = n_kv_heads, d_head = d /
// h. The columns of W_QKV are first those of W_Q, then those of W_K, then those of W_V, each head by head.
//   x = [[[2, 4, 0, 0], [6, 8, 0, 0]]],  n_heads = 2,  n_kv_heads = 1,  mask = [[1, 0], [1, 1]],
//   W_QKV (4,8) with a 1 in row 0, column 6 and one in row 1, column 7, else 0,
//   W_O (4,4) with 1, 1, 10, 10 on the diagonal, else 0
//     →  [[[2, 4, 20, 40], [4, 6, 40, 60]]]   (both heads read the one value head: [2, 4] and [6, 8])
Tensor grouped_attention(const Tensor& x, const Tensor& W_QKV, const Tensor& W_O, std::size_t n_heads,
                         std::size_t n_kv_heads, const Tensor& mask) {
  todo();
}

// Part 7 ★★  width_trials
// An experiment of your own. A head of width d_head has 64 random keys, keys_of(d_head) (64,d_head), and 4096
// random queries, queries_of(d_head) (4096,d_head). A key is reached if some query gives it the largest of
// its 64 scores. How many of the 64 keys are reached? Choose three or more values of d_head from 1 to 64. For
// each, first write down the number that you predict, then measure it. Return a Trial for each:
// {{d_head, predicted, measured}, …}. A prediction need not be right. With Array a = x.array(), the number in
// row i and column j is a(i, j).
std::vector<Trial> width_trials() { todo(); }
