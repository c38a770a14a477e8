// Exercise 18: count a whole block of a transformer, keep a running softmax, merge two, attend in blocks
// under a mask, and an experiment.
//
// A std::vector x has x.size() numbers, from x[0] on. An Array has a(i, j), a.shape()[0] rows and
// a.shape()[1] columns. Useful:
//   std::exp(x), std::log(x), std::max(x, y), std::min(x, y), INFINITY
//   x.length(0)                        the number of rows of a Tensor
//   slice(x, 0, first, end)            its rows first … end-1, as a Tensor; first and end are int
//   x.array(), Tensor(a)               the Array of a Tensor, the Tensor of an Array
//   Array a = zeros({n, k}).array();   n rows of k zeros
#include "exercise.h"
#include <algorithm>
#include <cmath>
#include "blocks.h"

// Part 1 ★  block_cost
// A block of a transformer (lesson 10) reads n tokens of width d. It has self-attention with h heads of width
// d/h, with W_Q, W_K, W_V and W_O, and an MLP with two matrices, (d,w) and (w,d). The mask is causal, and
// nothing is computed for a key that a query does not see: neither its score nor its part in the mean. Count
// the multiply-adds of matrix products for all n tokens; no softmax, norm, or bias. Return {per_token,
// per_pair, pattern, crossing}; blocks.h says what they are. The patterns are kept whole, n·n numbers each,
// with a 0 for each hidden key.
//   block_cost(4, 8, 2, 32)  →  {3072, 160, 32, 95}
BlockCost block_cost(std::size_t n, std::size_t d, std::size_t h, std::size_t w) { todo(); }

// Part 2 ★★  add_block
// One step of a running softmax. `before` is what is known of a query after some keys, scores[j] and row j of
// values (keys,d_v) belong to one more block of keys. Return what is known after them: {m, l, o}, as
// blocks.h defines them, with o not yet divided by l. A hidden key has the score -INFINITY and must not
// count. If no key has counted so far, m is -INFINITY, and l and o are 0. No result is NaN, and none
// overflows for scores near 1000 or -1000.
//   before = {0, 2, [4, 6]}, scores = [log 4, -INFINITY], values = [[1, 3], [5, 5]]
//   →  {log 4, 1.5, [2, 4.5]}
Running add_block(const Running& before, const std::vector<double>& scores, const Array& values) { todo(); }

// Part 3 ★★  merged
// Two programs have attended for the same query: one to some of its keys, which gave a, the other to the
// rest, which gave b. Return what one program would have after all keys. One of them, or both, may
// have seen no key. The demands of part 2 hold here too.
//   a = {0, 2, [4]}, b = {log 4, 1.5, [3]}  →  {log 4, 2, [4]}
Running merged(const Running& a, const Running& b) { todo(); }

// Part 4 ★★★  windowed_attention
// Attention of one head, in tiles. Q (n,d_k), K (m,d_k), V (m,d_v), n ≤ m. The n queries are the last n of
// the m positions, as in lesson 7: query i stands at position p = i + (m - n). It sees only the last `window`
// keys up to its own: those with p - window < j ≤ p. Its scores are q·k/√d_k. A tile has `rows` queries and
// `columns` keys. Tiles start at query 0 and key 0, and the last ones may be smaller. A tile is computed if
// at least one of its queries sees at least one of its keys, and is skipped otherwise. Return {O, log_sums,
// tiles}: the result (n,d_v), for each query the logarithm of Σ e^S over the keys that it sees (n,1), which
// the backward pass needs (lesson 9), and how many tiles were computed. window, rows and columns are at least
// 1. Hold no table with a number for each query and each key. Part 2 does most of the work; the ops softmax,
// scaled_dot_product_attention, attention_scores, attention_pattern and attention_output may not be called.
//   Q = [[0], [0]], K = [[7], [8], [9]], V = [[2], [4], [6]], window = 2, rows = 1, columns = 2
//   →  O = [[3], [5]], log_sums = [[log 2], [log 2]], tiles = 3     (of 4)
InBlocks windowed_attention(const Tensor& Q, const Tensor& K, const Tensor& V, std::size_t window,
                            std::size_t rows, std::size_t columns) {
  todo();
}

// Part 5 ★★  new_maxima: an experiment of your own
// A running softmax multiplies o only when the maximum grows. How often is that? Let the keys of a query come
// one at a time, with random scores. random_rows(keys) in blocks.h gives 400 rows of scores. In a row, count
// the scores that are larger than all scores before them; the first score does not count. Measure the mean
// count of the 400 rows. Choose at least four numbers of keys from 2 to 4096. Before you run, write down what
// you expect.
//   return {{keys, predicted, measured}, …};
std::vector<Trial> new_maxima() { todo(); }
