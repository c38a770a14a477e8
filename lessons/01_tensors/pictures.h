// The figures of lesson 1.
#pragma once

#include "headlight/draw/diagram.h"
#include "headlight/ops/ops.h"
#include "lesson_program.h"

namespace headlight::lesson {

// Walks through the buffer of x.
inline void draw_walks(const Pictures& pictures, const std::string& file, const std::string& title,
                       const Tensor& x, const std::vector<draw::BufferWalk>& walks) {
  std::vector<draw::Cell> cells;
  for (const Real number : x.array()) cells.push_back({fmt::format("{}", number)});
  pictures.write(file, draw::svg_buffer(title, cells, walks));
}

inline void draw_readings(const Pictures& pictures, const Tensor& x, const Tensor& transposed,
                          const Tensor& reshaped) {
  pictures.write("transpose_and_reshape.svg",
                 draw::svg_matrices("One buffer, read in three ways",
                                    {draw::matrix_of("", "x", x.array()),
                                     draw::matrix_of("", "transpose(x)", transposed.array()),
                                     draw::matrix_of("", "reshape(x, {3, 2})", reshaped.array())}));
}

// The matrix of x broadcast to `shape`, with all that is only repeated hatched.
inline draw::DrawnMatrix drawn_broadcast(const std::string& before, const std::string& name, const Tensor& x,
                                         const Shape& shape) {
  draw::DrawnMatrix matrix = draw::matrix_of(before, name, broadcast_to(x, shape).array());
  const std::size_t rows = x.dim() == 2 ? x.length(0) : 1;
  for (std::size_t i = 0; i < shape[0]; ++i)
    for (std::size_t j = 0; j < shape[1]; ++j)
      if (i >= rows || j >= x.length(-1)) matrix.rows[i][j].style = draw::CellStyle::copied;
  matrix.note = fmt::format("{} read as {}", x.shape(), shape);
  return matrix;
}

inline void draw_sum(const Pictures& pictures, const Tensor& x, const Tensor& y) {
  const Tensor sum = x + y;
  pictures.write(
      "broadcasting.svg",
      draw::svg_matrices("Broadcasting: hatched numbers are read again, not stored",
                         {drawn_broadcast("", "x", x, sum.shape()), drawn_broadcast("+", "y", y, sum.shape()),
                          draw::matrix_of("=", "x + y", sum.array(), 0, draw::CellStyle::strong)}));
}

inline void draw_summing_back(const Pictures& pictures, const Tensor& b, const Tensor& u) {
  pictures.write("summing_back.svg",
                 draw::svg_matrix_lines("Forward, copying; backward, summing",
                                        {{draw::matrix_of("", "b", b.array()),
                                          drawn_broadcast("→ copies →", "broadcast(b)", b, u.shape())},
                                         {draw::matrix_of("", "sum_to(u, (3))", sum_to(u, b.shape()).array()),
                                          draw::matrix_of("← adds up ←", "u", u.array())}}));
}

}  // namespace headlight::lesson
