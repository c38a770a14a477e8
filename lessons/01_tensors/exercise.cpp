// Exercise 1: write what broadcasting is made of.
//
// `Shape` is a list of whole numbers (std::size_t): the lengths of the axes, or strides, or an index. Its
// size() is the number of axes, s[k] is entry k, Shape(n, 1) makes n ones, and == compares. `Array` holds the
// numbers of a tensor: a.shape() is its shape, and a.data()[i] the number at offset i of its row-major
// buffer.
#include "exercise.h"

// Part 1 ★  row_major_strides
// The distance in the buffer between two neighbours along each axis, when the buffer is filled row by row.
// The last axis has stride 1; each axis before it has the stride of its right neighbour times that one's
// length.
//   row_major_strides({2, 3, 4})  is  (12,4,1)
Shape row_major_strides(const Shape& shape) { todo(); }

// Part 2 ★  element_at
// The element of x at this index, read through the strides: at offset  Σ index[k] · strides[k]  of the
// buffer.
//   For x = [[10, 11, 12], [13, 14, 15]]:
//   element_at(x, {1, 2}, {3, 1})  is  15
double element_at(const Array& x, const Shape& index, const Shape& strides) { todo(); }

// Part 3 ★★  broadcast_shape
// The shape of x + y for x of shape `a` and y of shape `b`. Shapes are aligned at their last axis. At each
// axis the lengths are equal, or one of them is 1, or missing; the result has the other one. Shapes that do
// not fit raise an error:  throw Error("they do not broadcast");
//   broadcast_shape({3, 1}, {4})  is  (3,4)
Shape broadcast_shape(const Shape& a, const Shape& b) { todo(); }

// Part 4 ★★  broadcast_strides
// The strides that read an array of shape `from` as if it had the larger shape `to`. Where an axis of `from`
// is missing, or has length 1 and is repeated, the stride is 0. The other axes keep their row-major stride.
// `from` broadcasts to `to`. Where an axis has length 1 in both, no step along it is ever taken: any stride
// is right.
//   broadcast_strides({3, 1}, {3, 4})  is  (1,0)
Shape broadcast_strides(const Shape& from, const Shape& to) { todo(); }

// Part 5 ★★★  sum_back
// The transpose of broadcasting. u has the shape that an array of shape `to` was broadcast to. Each number of
// the result is the sum of all numbers of u that stand where its copies stood. Array(to, 0.0) makes an array
// of zeros. One loop over the numbers of u is enough: the index of number i of u along axis k is
//   i / row_major_strides(u.shape())[k] % u.shape()[k]
//   For u = [[1, 2, 3], [4, 5, 6]]:
//   sum_back(u, {3})  is  [5, 7, 9]
Array sum_back(const Array& u, const Shape& to) { todo(); }
