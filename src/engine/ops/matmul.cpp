#include "headlight/ops/matmul.h"

#include <algorithm>

#include "headlight/autograd/record.h"
#include "headlight/autograd/record_fused.h"
#include "headlight/core/gemm.h"
#include "headlight/core/kernels.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/rearrange.h"

namespace headlight {
namespace {

// The matrices in the last two axes of an array.
struct Stack {
  const Real* data;
  std::size_t rows, cols;
  bool transposed;
  Shape batch;

  Stack(const Array& x, bool transpose)
      : data(x.data()),
        rows(*(x.shape().end() - 2)),
        cols(x.shape().back()),
        transposed(transpose),
        batch(x.shape().begin(), x.shape().end() - 2) {}

  std::size_t height() const { return transposed ? cols : rows; }
  std::size_t width() const { return transposed ? rows : cols; }
  ConstMatrixView matrix(std::size_t i) const {
    return {data + i * rows * cols, rows, cols, cols, transposed};
  }
};

// For each matrix of the broadcast result, which matrix of `batch` it comes from.
std::vector<std::size_t> sources(const Shape& batch, const Shape& result) {
  std::vector<std::size_t> source(size_of(result));
  for (std::size_t i = 0; i < source.size(); ++i) {
    std::size_t rest = i, step = 1;
    for (std::size_t axis = result.size(), own = batch.size(); axis > 0 && own > 0;) {
      --axis, --own;
      if (batch[own] != 1) source[i] += rest % result[axis] * step;
      rest /= result[axis];
      step *= batch[own];
    }
  }
  return source;
}

const char* hint(const Stack& a, const Stack& b) {
  if (a.width() == b.width()) return "Did you mean transpose(y)?";
  if (a.height() == b.height()) return "Did you mean transpose(x)?";
  return "Check the order of the factors.";
}

Array product(const Array& x, const Array& y, const MatmulOptions& options) {
  const Stack a(x, options.transpose_x), b(y, options.transpose_y);
  check(a.width() == b.height(), "[matmul] inner dimensions differ: {}{} x {}{}. {}", x.shape(),
        options.transpose_x ? "ᵀ" : "", y.shape(), options.transpose_y ? "ᵀ" : "", hint(a, b));
  const Shape batch = broadcast_shapes(a.batch, b.batch, "matmul");
  Shape shape = batch;
  shape.push_back(a.height());
  shape.push_back(b.width());
  Array z = empty_array(shape);
  if (b.batch.empty() && !a.transposed) {  // all rows of x at once
    const std::size_t rows = size_of(a.batch) * a.rows;
    gemm({x.data(), rows, a.cols, a.cols}, b.matrix(0), {z.data(), rows, b.width(), b.width()});
    return z;
  }
  const auto from_x = sources(a.batch, batch), from_y = sources(b.batch, batch);
  for (std::size_t i = 0; i < from_x.size(); ++i) {
    Real* out = z.data() + i * a.height() * b.width();
    gemm(a.matrix(from_x[i]), b.matrix(from_y[i]), {out, a.height(), b.width(), b.width()});
  }
  return z;
}

// z = op(x) op(y), op a transposition or nothing. With z̄ the cotangent:
//   x not transposed: x̄ = z̄ op(y)ᵀ      transposed: x̄ = op(y) z̄ᵀ
//   y not transposed: ȳ = op(x)ᵀ z̄      transposed: ȳ = z̄ᵀ op(x)
Tensor matrix_product(const Tensor& x, const Tensor& y, const MatmulOptions& options) {
  const bool tx = options.transpose_x, ty = options.transpose_y;
  return record(
      "matmul", {x, y}, product(x.array(), y.array(), options),
      [y, tx, ty](const Tensor& g, const Tensor&) {
        return tx ? matrix_product(y, g, {.transpose_x = ty, .transpose_y = true})
                  : matrix_product(g, y, {.transpose_x = false, .transpose_y = !ty});
      },
      [x, tx, ty](const Tensor& g, const Tensor&) {
        return ty ? matrix_product(g, x, {.transpose_x = true, .transpose_y = tx})
                  : matrix_product(x, g, {.transpose_x = !tx, .transpose_y = false});
      });
}

// x (…,in) as a matrix with one row for each vector.
ConstMatrixView rows_of(const Array& x) {
  const std::size_t width = x.shape().back();
  const std::size_t rows = size_of(Shape(x.shape().begin(), x.shape().end() - 1));
  return {x.data(), rows, width, width};
}

Array linear_forward(const Array& x, const Array& W, const Array* b) {
  Shape shape = x.shape();
  shape.back() = W.shape()[1];
  Array y = empty_array(shape);
  const ConstMatrixView in = rows_of(x), weight = rows_of(W);
  const MatrixView out{y.data(), in.rows, weight.cols, weight.cols};
  if (b != nullptr)
    for (std::size_t i = 0; i < out.rows; ++i) std::copy_n(b->data(), out.cols, out.data + i * out.cols);
  gemm(in, weight, out, 1, b != nullptr ? 1 : 0);
  return y;
}

std::vector<Tensor> linear_vjp(std::span<const Input> inputs, const Tensor& g, const Tensor&) {
  const Tensor &x = inputs[0].tensor, &W = inputs[1].tensor;
  std::vector<Tensor> cotangents(inputs.size());
  const ConstMatrixView in = rows_of(x.array()), weight = rows_of(W.array()), dout = rows_of(g.array());
  if (x.requires_grad()) {
    Array dx = empty_array(x.shape());
    gemm(dout, weight.t(), {dx.data(), in.rows, in.cols, in.cols});
    cotangents[0] = Tensor(std::move(dx));
  }
  if (W.requires_grad()) {
    Array dW = empty_array(W.shape());
    gemm(in.t(), dout, {dW.data(), weight.rows, weight.cols, weight.cols});
    cotangents[1] = Tensor(std::move(dW));
  }
  if (inputs.size() > 2 && inputs[2].tensor.requires_grad())
    cotangents[2] = Tensor(kernels::sum_to(g.array(), inputs[2].tensor.shape()));
  return cotangents;
}

// The length of the last axis of x, or of the one before when it is transposed; a vector has one axis.
std::size_t inner(const Tensor& x, bool transposed) {
  return x.dim() > 1 && transposed ? x.length(-2) : x.length(-1);
}

}  // namespace

Tensor matmul(const Tensor& x, const Tensor& y, const MatmulOptions& options) {
  check(x.dim() >= 1 && y.dim() >= 1, "[matmul] expected vectors or matrices, got {} x {}.", x.shape(),
        y.shape());
  if (x.dim() == 1 || y.dim() == 1)
    check(inner(x, options.transpose_x) == inner(y, !options.transpose_y),
          "[matmul] inner dimensions differ: {} x {}. Hint: a vector is a row on the left and a column on "
          "the right.",
          x.shape(), y.shape());
  const Tensor left = x.dim() == 1 ? reshape(x, {1, -1}) : x;
  const Tensor right = y.dim() == 1 ? reshape(y, {-1, 1}) : y;
  const Tensor z = matrix_product(
      left, right,
      {.transpose_x = options.transpose_x && x.dim() > 1, .transpose_y = options.transpose_y && y.dim() > 1});
  if (x.dim() > 1 && y.dim() > 1) return z;
  std::vector<std::size_t> shape(z.shape().begin(), z.shape().end());
  if (y.dim() == 1) shape.pop_back();
  if (x.dim() == 1) shape.erase(shape.end() - (y.dim() == 1 ? 1 : 2));
  return reshape_to(z, Shape(shape.begin(), shape.end()));
}

// linear   y = x W + b     x̄ = ȳ Wᵀ     W̄ = xᵀ ȳ, all rows together     b̄ = Σ_rows ȳ
Tensor linear(const Tensor& x, const Tensor& W, const Tensor& b) {
  check(W.dim() == 2 && x.dim() >= 1, "[linear] expected x (…,in) and W (in,out), got {} and {}.", x.shape(),
        W.shape());
  check(x.shape().back() == W.shape()[0],
        "[linear] expected x (…,in) and W (in,out), got {} and {}. Hint: the last axis of x has "
        "length {}, W takes {}.",
        x.shape(), W.shape(), x.shape().back(), W.shape()[0]);
  check(!b.defined() || b.shape() == Shape{W.shape()[1]}, "[linear] expected a bias of shape ({}), got {}.",
        W.shape()[1], b.defined() ? b.shape() : Shape{});
  Array y = linear_forward(x.array(), W.array(), b.defined() ? &b.array() : nullptr);
  return record_fused("linear", defined({x, W, b}), std::move(y), linear_vjp,
                      [](const std::vector<Tensor>& in) {
                        return reference::linear(in[0], in[1], in.size() > 2 ? in[2] : Tensor());
                      });
}

Tensor reference::linear(const Tensor& x, const Tensor& W, const Tensor& b) {
  const Tensor y = matmul(x, W);
  return b.defined() ? y + b : y;
}

}  // namespace headlight
