// Softmax and the cross-entropy that follows it.
#pragma once

#include "headlight/autograd/tensor.h"

namespace headlight {

// e^x / Σ e^x along an axis. A slice that is -∞ throughout (all masked) gives zeros, not NaN.
Tensor softmax(const Tensor& x, int axis = -1);

// x - log Σ e^x along an axis. A slice that is -∞ throughout gives NaN, because it has no probabilities.
Tensor log_softmax(const Tensor& x, int axis = -1);

enum class Reduction { none, mean, sum };

struct CrossEntropyOptions {
  std::int32_t ignore_index = -100;       // positions with this target are left out of sum and mean
  Reduction reduction = Reduction::mean;  // over all other positions; none gives one loss per position
  double label_smoothing = 0;  // ε in 0 … 1: the target's probability is 1-ε, and ε/V is added to all
};

// -log softmax(logits)[target] in nats; with label smoothing ε (Szegedy et al. 2015)
// -(1-ε) log softmax(logits)[target] - ε/V Σ log softmax(logits). logits (…,V), targets (…) in 0 … V-1 or
// ignore_index. Throws Error for a mean over no positions, and for an ε outside of 0 … 1.
Tensor cross_entropy(const Tensor& logits, const IntArray& targets, const CrossEntropyOptions& options = {});

// The same, composed of simple ops.
namespace reference {
Tensor softmax(const Tensor& x, int axis = -1);
Tensor log_softmax(const Tensor& x, int axis = -1);
Tensor cross_entropy(const Tensor& logits, const IntArray& targets, const CrossEntropyOptions& options = {});
}  // namespace reference

}  // namespace headlight
