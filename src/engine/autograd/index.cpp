#include "headlight/autograd/record.h"
#include "headlight/core/rearrange.h"

namespace headlight {
namespace {

Tensor put_back(const Tensor& x, const Shape& shape, std::size_t place);

// index    y = x[i]     x̄ = zeros with ȳ at i
Tensor take(const Tensor& x, std::size_t place) {
  const Shape inner(x.shape().begin() + 1, x.shape().end());
  return record(
      "index", {x}, kernels::reshape(kernels::slice(x.array(), 0, place, 1, 1), inner),
      [from = x.shape(), place](const Tensor& g, const Tensor&) { return put_back(g, from, place); });
}

// unindex  y = zeros with x at i     x̄ = ȳ[i]
Tensor put_back(const Tensor& x, const Shape& shape, std::size_t place) {
  Shape one = shape;
  one[0] = 1;
  return record("unindex", {x}, kernels::unslice(kernels::reshape(x.array(), one), shape, 0, place, 1),
                [place](const Tensor& g, const Tensor&) { return take(g, place); });
}

}  // namespace

Tensor Tensor::operator[](int i) const {
  const auto length = dim() > 0 ? static_cast<int>(shape()[0]) : 0;
  check(dim() > 0, "[x[i]] a scalar has no axis to index.");
  check(i >= -length && i < length, "[x[i]] place {} is outside the first axis of a tensor of shape {}.", i,
        shape());
  return take(*this, static_cast<std::size_t>(i < 0 ? i + length : i));
}

}  // namespace headlight
