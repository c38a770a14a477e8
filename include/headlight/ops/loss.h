// Losses. That of class numbers is cross_entropy in softmax.h, the squared error in reduce.h.
#pragma once

#include "headlight/autograd/tensor.h"
#include "headlight/ops/softmax.h"

namespace headlight {

// -Σ p ⊙ log softmax(logits) over the last axis, for targets that are probabilities: logits and p (…,V). The
// mean is over positions. A p of 0 does not count, also where its logit is -∞. Throws Error when the shapes
// differ.
Tensor cross_entropy(const Tensor& logits, const Tensor& p, Reduction reduction = Reduction::mean);

// -t log σ(x) - (1-t) log(1 - σ(x)) of each logit x with its target t in [0, 1], without overflow. A logit of
// ∞ is certain: the loss of a target 1 is 0, that of a target 0 is ∞. Throws Error when the shapes differ.
Tensor binary_cross_entropy_with_logits(const Tensor& logits, const Tensor& targets,
                                        Reduction reduction = Reduction::mean);

// KL(p‖q) = Σ p (log p - log q) over the last axis, from logarithms of probabilities (…,V), such as
// log_softmax gives. The mean is over positions. A log p of -∞ adds nothing. Throws Error when the shapes
// differ. (PyTorch's kl_div(log_q, log_p, log_target=True) has them the other way round, and its mean is over
// all elements unless reduction="batchmean".)
Tensor kl_divergence(const Tensor& log_p, const Tensor& log_q, Reduction reduction = Reduction::mean);

// ½(x - y)² where |x - y| ≤ δ, else δ(|x - y| - ½δ) (Huber 1964): the squared error near the target, with a
// slope of at most δ far from it. Throws Error when the shapes differ, and unless δ > 0.
Tensor huber_loss(const Tensor& x, const Tensor& y, double delta = 1, Reduction reduction = Reduction::mean);

}  // namespace headlight
