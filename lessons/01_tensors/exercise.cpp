// Exercise 1: read a buffer in ways that the lesson does not show, and sum back through all of them.
//
// view.h has `View`: where a view starts in the buffer, its shape and its strides, which may be negative.
// `Shape` is a list of lengths (std::size_t): its size() is the number of axes, s[k] is entry k, and it has
// push_back. `Strides` is such a list of signed numbers (std::ptrdiff_t). The stride of an axis of length 1
// is never used, so any number is right there; the checker shows it as 0.
#include "exercise.h"
#include "view.h"

// Part 1 ★  strides_in_order
// The strides of a buffer that holds all elements of a tensor of this shape, in an order of your choice. The
// index along axis order[0] changes slowest, the index along the last entry of `order` fastest. `order` names
// each axis once. Row-major is the order {0, 1, 2, …}.
//   strides_in_order({2, 3, 4}, {1, 2, 0})  is  (1,8,2)
Strides strides_in_order(const Shape& shape, const std::vector<std::size_t>& order) { todo(); }

// Part 2 ★★  sliced
// The view that keeps some elements along one axis: those at the indices first, first + step, first + 2·step
// and so on, `length` of them. `step` may be negative. The other axes stay as they are. The view that you
// get has any start and any strides.
//   sliced({0, {2, 3}, {3, 1}}, 1, 2, -1, 3)  starts at 2 and has the shape (2,3) and the strides (3,-1):
//   it reads each row from right to left.
View sliced(const View& view, std::size_t axis, std::size_t first, std::ptrdiff_t step, std::size_t length) {
  todo();
}

// Part 3 ★★  windows
// The view of all windows of `length` neighbours along one axis. Window w begins at element w, so windows
// overlap; only whole windows count, and `length` is at most that of the axis. Afterwards this axis counts
// the windows, and a new axis, behind all others, goes through a window.
//   For 10 11 12 13 14 15, windows({0, {6}, {1}}, 0, 3) reads
//   [[10, 11, 12], [11, 12, 13], [12, 13, 14], [13, 14, 15]]
View windows(const View& view, std::size_t axis, std::size_t length) { todo(); }

// Part 4 ★★  broadcast_view
// The view read as if it had this shape, by the rule of broadcasting. The view need not be row-major. If it
// does not broadcast to exactly this shape, raise an error:  throw Error("it does not broadcast");
//   broadcast_view({1, {2, 1}, {3, 1}}, {4, 2, 3})  starts at 1 and has the strides (0,3,0)
View broadcast_view(const View& view, const Shape& shape) { todo(); }

// Part 5 ★★★  sum_back
// The backward pass of reading. A view read a buffer of `size` numbers; u has the shape of the view. Each
// number of the result, of shape (size), is the sum of all numbers of u that stand where the view read that
// number of the buffer. What was never read gets 0. Array(Shape{size}, 0.0) makes zeros, u.data()[i] is
// number i of u, row by row, and unravel_index(i, u.shape()) is its index.
//   For u = [[1, 2, 3], [4, 5, 6]] and a row of 3 that was broadcast to two rows:
//   sum_back(u, {0, {2, 3}, {0, 1}}, 3)  is  [5, 7, 9]
Array sum_back(const Array& u, const View& view, std::size_t size) { todo(); }

// Part 6 ★  gradient_sizes
// An experiment of your own: how large is the gradient of a bias that is added in n rows? Let u hold random
// signs: random_signs(n) of view.h has the shape (n,256). The gradient is u, summed back through the
// broadcast of a row of 256 numbers to n rows. Its size is the square root of the mean of its squared
// numbers. With one row it is 1. Choose at least three numbers of rows from 1 to 1000. Write down what you
// expect for each, and only then measure. Return a Trial for each: {rows, predicted, measured}.
std::vector<Trial> gradient_sizes() { todo(); }
