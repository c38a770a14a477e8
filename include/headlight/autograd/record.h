// The tape: an op records its result and its derivatives here.
#pragma once

#include <concepts>
#include <initializer_list>
#include <span>
#include <vector>

#include "headlight/autograd/node.h"
#include "headlight/autograd/observer.h"
#include "headlight/autograd/recording.h"
#include "headlight/core/check.h"

namespace headlight {

template <class F>
concept VjpFunction = std::invocable<F, const Tensor&, const Tensor&>;

// A constant for `value`, computed by `op` from `inputs`.
Tensor make_constant(const char* op, std::span<const Tensor> inputs, Array value);

// Records an op with one vjp per input. A vjp whose input requires no gradient is dropped at once, together
// with its captures. As the others below, throws Error for a derivative that is an empty function.
//   return record("mul", {x, y}, kernels::mul(x.array(), y.array()),
//                 [y](const Tensor& g, const Tensor&) { return g * y; },
//                 [x](const Tensor& g, const Tensor&) { return g * x; });
template <VjpFunction... F>
Tensor record(const char* op, std::initializer_list<Tensor> inputs, Array value, F... vjp) {
  check(sizeof...(F) == inputs.size(), "[record] op '{}' has {} inputs but {} derivatives.", op,
        inputs.size(), sizeof...(F));
  const std::span<const Tensor> in(inputs.begin(), inputs.size());
  for (OpObserver* observer : observers()) observer->computed(op, in, value);
  if (!must_record(in)) return make_constant(op, in, std::move(value));
  std::vector<Vjp> vjps;
  vjps.reserve(sizeof...(F));
  const Tensor* input = inputs.begin();
  ((vjps.push_back((input++)->requires_grad() ? Vjp(std::move(vjp)) : Vjp())), ...);
  return make_node(op, in, std::move(value), std::move(vjps), {});
}

// Records an op whose derivatives are computed together.
Tensor record_joint(const char* op, std::span<const Tensor> inputs, Array value, JointVjp joint);

}  // namespace headlight
