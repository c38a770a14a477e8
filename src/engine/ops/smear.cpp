#include "headlight/ops/smear.h"

#include <algorithm>

#include "headlight/autograd/record_fused.h"
#include "headlight/core/check.h"
#include "headlight/core/kernels.h"
#include "headlight/core/row_kernels.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/elementwise.h"
#include "headlight/ops/rearrange.h"

namespace headlight {
namespace {

// Calls body(offset of a head's vector, head, position), sequence by sequence.
template <class Body>
void each_vector(const Shape& shape, std::size_t heads, Body body) {
  const std::size_t n = shape[1], d = shape[2] / heads;
  for (std::size_t row = 0; row < shape[0] * n; ++row)
    for (std::size_t h = 0; h < heads; ++h) body(row * shape[2] + h * d, h, row % n);
}

void check_smear(const Tensor& k, const Tensor& alpha) {
  check(k.dim() == 3 && alpha.dim() == 1, "[smear] expected k (B,n,H·d) and alpha (H), got {} and {}.",
        k.shape(), alpha.shape());
  check(alpha.size() > 0 && k.length(2) % alpha.size() == 0,
        "[smear] a width of {} cannot be divided among {} heads.", k.length(2), alpha.size());
}

// The cotangents of k and alpha for the cotangent g.
std::vector<Tensor> smear_vjp(const Array& k, const Array& gate, const Array& g) {
  const Shape& shape = k.shape();
  const std::size_t heads = gate.size(), width = shape[2], d = width / heads;
  Array dk = empty_array(shape), dalpha = full_array({heads}, 0);
  each_vector(shape, heads, [&](std::size_t at, std::size_t h, std::size_t t) {
    const Real a = gate.data()[h], *here = g.data() + at, *next = here + width;
    const bool last = t + 1 == shape[1];
    for (std::size_t c = 0; c < d; ++c)
      dk.data()[at + c] = (t == 0 ? here[c] : a * here[c]) + (last ? 0 : (1 - a) * next[c]);
    if (t == 0) return;
    const Real* key = k.data() + at;
    const Real slope = kernels::dot_row(here, key, d) - kernels::dot_row(here, key - width, d);
    dalpha.data()[h] += a * (1 - a) * slope;
  });
  return {Tensor(std::move(dk)), Tensor(std::move(dalpha))};
}

}  // namespace

// smear   y_t = a k_t + (1-a) k_{t-1}, a = σ(α)     k̄_t = a ȳ_t + (1-a) ȳ_{t+1}, ᾱ = a(1-a) Σ ȳ_t·(k_t -
// k_{t-1})
Tensor smear(const Tensor& k, const Tensor& alpha) {
  check_smear(k, alpha);
  const std::size_t width = k.length(2), heads = alpha.size(), d = width / heads;
  const Array gate = kernels::sigmoid(alpha.array());
  Array y = empty_array(k.shape());
  each_vector(k.shape(), heads, [&](std::size_t at, std::size_t h, std::size_t t) {
    const Real* key = k.array().data() + at;
    if (t == 0)
      std::copy_n(key, d, y.data() + at);
    else
      kernels::mix_row(key, key - width, gate.data()[h], y.data() + at, d);
  });
  return record_fused(
      "smear", defined({k, alpha}), std::move(y),
      [gate](std::span<const Input> in, const Tensor& g, const Tensor&) {
        return smear_vjp(in[0].tensor.array(), gate, g.array());
      },
      [](const std::vector<Tensor>& in) { return reference::smear(in[0], in[1]); });
}

Tensor reference::smear(const Tensor& k, const Tensor& alpha) {
  check_smear(k, alpha);
  const std::size_t batch = k.length(0), n = k.length(1), heads = alpha.size(), d = k.length(2) / heads;
  const Tensor apart = reshape_to(k, {batch, n, heads, d}), a = reshape_to(sigmoid(alpha), {heads, 1});
  const Tensor mixed = a * slice(apart, 1, 1) + (1 - a) * slice(apart, 1, 0, -1);
  return reshape_to(concat({slice(apart, 1, 0, 1), mixed}, 1), k.shape());
}

}  // namespace headlight
