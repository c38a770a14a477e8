// Exercise 6: from tokens to rows, and what tells their positions.
//
// The base of all waves and turns is 10000. d is even. Tokens, positions, rows and columns count from 0.
// "(…,n,d)" means: any number of axes before the last two. What you will need, besides + - * /:
//   matmul(x, y), transpose(x)           the matrix product; slice(x, 0, i, i + 1) is row i of x
//   concat({a, b}, -1)                   joined along the last axis
//   reshape(x, {-1, 3}), reshape_to(x, shape)    the same numbers; -1 is computed from the others
//   x.shape(), x.length(-1), x.size()    all lengths, that of the last axis, the count of the numbers
//   Array a(Shape{2, 3}, 0.0);  a(1, 2) = 5;  Tensor(a)     zeros of a shape, one number set, as a tensor.
//                                        (It is a constant: the tape ends there, and no gradient passes.)
//   x.array().data()[k]                  a number of any x, in the order of memory
//   tokens.data()[k], tokens.size(), tokens.shape()         of an IntArray, in the order of memory
//   math::sin(a), math::cos(a), math::power(b, e)           as in <cmath>; e is a double
//   sum(x * y).item()                    the dot product of two tensors, as a double
// Mind whole numbers in C++: 2 * i / d is 0 if i and d are whole and 2 * i < d. Write 2.0 * i / d. And a
// std::size_t has no sign: -2 * i / d and -first become huge positive numbers.
#include "exercise.h"
#include "headlight/core/math.h"

// Part 1 ★  embed
// For each token its row of the table (V,d): tokens (…) → (…,d). The gradient of the table is compared too,
// so use ops that the tape records, such as matmul, concat, slice and reshape: numbers copied into an Array
// have left the tape. Do not call embedding().
//   table = [[1, 2], [3, 4], [5, 6]],  tokens = [2, 0, 2]   →   [[5, 6], [1, 2], [5, 6]]
Tensor embed(const Tensor& table, const IntArray& tokens) { todo(); }

// Part 2 ★★  embed_vjp
// The backward pass of part 1: the cotangent of the table, of shape (vocabulary,d). g (…,d) is the cotangent
// of the result. You may loop over arrays. Do not call add_rows(), scatter_add() or
// backward().
//   g = [[1, 2], [10, 20], [100, 200]],  tokens = [2, 0, 2],  vocabulary = 3
//     →   [[10, 20], [0, 0], [101, 202]]
Tensor embed_vjp(const Tensor& g, const IntArray& tokens, std::size_t vocabulary) { todo(); }

// Part 3 ★★  sinusoidal_table
// The table (n,d) with, in row p,
//   sin(p · w_i) in column 2i,    cos(p · w_i) in column 2i + 1,    w_i = 10000^(-2i/d),    i = 0 … d/2 - 1
//   n = 2,  d = 4   →   [[0, 1, 0, 1], [0.8415, 0.5403, 0.0100, 1.0000]]     (sin 1, cos 1, sin 0.01, cos
//   0.01)
Tensor sinusoidal_table(std::size_t n, std::size_t d) { todo(); }

// Part 4 ★★★  shift_matrix
// The matrix M (d,d) that moves every row of part 3 on by k positions: row p times M is row p + k, for each
// p. There is only one such matrix. Derive it from what a step does to one pair of columns.
//   d = 2,  k = 3   →   [[-0.9900, -0.1411], [0.1411, -0.9900]]
Tensor shift_matrix(std::size_t d, std::size_t k) { todo(); }

// Part 5 ★★★  rotate
// Rotary positions: row r of x (…,n,d) stands at position p = first + r. Its pairs (a, b), with a in column i
// and b in column i + d/2, turn by the angle p w_i, w_i = 10000^(-2i/d), as in section 6.
//   x = [[1, 0], [1, 0], [0, 1]],  first = 0   →   [[1, 0], [cos 1, sin 1], [-sin 2, cos 2]]
//                                               =   [[1, 0], [0.5403, 0.8415], [-0.9093, -0.4161]]
// Only the result is compared, not its gradient: you may loop over arrays. Part 6 is the backward pass.
// Neither may call rotary(), nor part 6 backward().
Tensor rotate(const Tensor& x, std::size_t first) { todo(); }

// Part 6 ★★  rotate_back
// The backward pass of part 5: g (…,n,d) is the cotangent of rotate(x, first), the result that of x. A
// function that both parts call, with a sign as a parameter, saves work. You may write it above part 5.
//   g = [[0, 1]],  first = 1   →   [[sin 1, cos 1]] = [[0.8415, 0.5403]]
Tensor rotate_back(const Tensor& g, std::size_t first) { todo(); }

// Part 7 ★★  most_alike, an experiment of your own
// In the table of part 3, which position from 1 to 1000 looks most like position 0? That is the one whose row
// has the largest dot product with row 0. Take sinusoidal_table(1001, 2 * pairs), and choose at least four
// numbers of pairs from 1 to 32. Before you run, write down which position you expect for each.
//   return {{pairs, predicted, measured}, …};
std::vector<Trial> most_alike() { todo(); }
