// What people write in the place of part 4.
#pragma once

#include "mistakes.h"

namespace mistakes {

using Memory = MemoryGradients (*)(const Tensor&, const Tensor&, const Tensor&, const Tensor&, const Tensor&,
                                   const Tensor&, const Tensor&);

namespace shared {
enum : Flaws {
  W_Q_not_summed = 1,
  W_KV_not_summed = 2,
  M_not_summed = 4,
  X_summed = 8,
  W_Q_mean = 16,
  W_KV_mean = 32,
  M_mean = 64,
  W_KV_by_keys = 128,
  M_by_keys = 256,
  W_KV_by_values = 512,
  M_by_values = 1024,
  half = 2048,
  X_not_transposed = 4096,
  M_not_transposed = 8192,
  W_Q_not_transposed = 1 << 14,
  W_KV_not_transposed = 1 << 15,
  X_for_M = 1 << 16,
  W_Q_in_dM = 1 << 17,
  last_sequence = 1 << 18,
  exchanged = 1 << 19
};
}

template <Flaws f>
MemoryGradients remembered(const Tensor& dQ, const Tensor& dK, const Tensor& dV, const Tensor& X,
                           const Tensor& M, const Tensor& W_Q, const Tensor& W_KV) {
  using namespace shared;
  const Tensor both = f & half ? (dK + dV) / 2 : dK + dV;
  const Tensor for_W = f & W_KV_by_keys ? dK : f & W_KV_by_values ? dV : both;
  const Tensor for_M = f & M_by_keys ? dK : f & M_by_values ? dV : both;
  // Of one term for each sequence, the sum, or what a flaw has in its place.
  const auto joined = [](const Tensor& terms, bool apart, bool averaged) {
    if (apart) return terms;
    if (f & last_sequence) return sum(slice(terms, 0, -1), {0});
    return averaged ? mean(terms, {0}) : sum(terms, {0});
  };
  const Tensor dW_Q =
      joined(matmul(f & X_not_transposed ? X : transpose(X), dQ), f & W_Q_not_summed, f & W_Q_mean);
  const Tensor read = f & M_not_transposed ? M : transpose(M);
  const Tensor dW_KV =
      joined(matmul(f & X_for_M ? transpose(X) : read, for_W), f & W_KV_not_summed, f & W_KV_mean);
  const Tensor dX = matmul(dQ, f & W_Q_not_transposed ? W_Q : transpose(W_Q));
  const Tensor back = f & W_Q_in_dM ? transpose(W_Q) : f & W_KV_not_transposed ? W_KV : transpose(W_KV);
  const Tensor dM = joined(matmul(for_M, back), f & M_not_summed, f & M_mean);
  if (f & exchanged) return {dW_KV, dW_Q, dX, dM};
  return {dW_Q, dW_KV, f & X_summed ? sum(dX, {0}) : dX, dM};
}

inline const std::vector<Mistake<Memory>> kOfSharedMemoryBack = {
    {"batch-in-dW_Q",
     "Your dW_Q still has the axis of the batch. All sequences use the same W_Q, so what comes back from "
     "them adds up: sum over axis 0.",
     kProjections, remembered<shared::W_Q_not_summed>},
    {"batch-in-dW_KV",
     "Your dW_KV still has the axis of the batch. All sequences use the same W_KV: sum over axis 0.",
     kProjections, remembered<shared::W_KV_not_summed>},
    {"batch-in-dM",
     "Your dM still has the axis of the batch, as dX has. But all sequences read the same M, so what "
     "comes "
     "back from them adds up: sum over axis 0.",
     kProjections, remembered<shared::M_not_summed>},
    {"dX-summed-over-the-batch",
     "You added up dX over the sequences. M and the weights are shared. X is not: each sequence has its "
     "own.",
     kProjections, remembered<shared::X_summed>},
    {"mean-in-dW_Q",
     "Your dW_Q is a mean over the sequences. What comes back from several uses of a weight adds up.",
     kProjections, remembered<shared::W_Q_mean>},
    {"mean-in-dW_KV",
     "Your dW_KV is a mean over the sequences. What comes back from several uses of a weight adds up.",
     kProjections, remembered<shared::W_KV_mean>},
    {"mean-in-dM", "Your dM is a mean over the sequences. What comes back from several readers adds up.",
     kProjections, remembered<shared::M_mean>},
    {"dW_KV-by-the-keys-alone",
     "Your dW_KV has what comes back through the keys only. M W_KV is used twice, as keys and as values: "
     "add dK and dV.",
     kProjections, remembered<shared::W_KV_by_keys>},
    {"dM-by-the-keys-alone",
     "Your dM has what comes back through the keys only. M W_KV is used twice, as keys and as values: add "
     "dK and dV.",
     kProjections, remembered<shared::M_by_keys>},
    {"dW_KV-by-the-values-alone",
     "Your dW_KV has what comes back through the values only. M W_KV is used twice: add dK and dV.",
     kProjections, remembered<shared::W_KV_by_values>},
    {"dM-by-the-values-alone",
     "Your dM has what comes back through the values only. M W_KV is used twice: add dK and dV.",
     kProjections, remembered<shared::M_by_values>},
    {"mean-of-keys-and-values", "You took the mean of dK and dV. Each is a use of M W_KV, and uses add up.",
     kProjections, remembered<shared::half>},
    {"X-not-transposed", "You did not transpose X in dW_Q. Row p of W_Q meets column p of X: Xᵀ dQ.",
     kProjections, remembered<shared::X_not_transposed>},
    {"M-not-transposed",
     "You did not transpose M in dW_KV. Row p of W_KV meets column p of M: Mᵀ stands in front.", kProjections,
     remembered<shared::M_not_transposed>},
    {"W_Q-not-transposed",
     "You did not transpose W_Q in dX. In the forward pass X met W_Q; in the backward pass dQ meets W_Qᵀ.",
     kProjections, remembered<shared::W_Q_not_transposed>},
    {"W_KV-not-transposed",
     "You did not transpose W_KV in dM. In the forward pass M met W_KV; on the way back stands W_KVᵀ.",
     kProjections, remembered<shared::W_KV_not_transposed>},
    {"X-for-M", "You used X in dW_KV. Keys and values are made of M, so W_KV meets M: Mᵀ stands in front.",
     kProjections, remembered<shared::X_for_M>},
    {"W_Q-in-dM",
     "You went back to M through W_Q. Keys and values were made by W_KV. The two weights have one shape, "
     "which hides it.",
     kProjections, remembered<shared::W_Q_in_dM>},
    {"last-sequence-only",
     "Only the last sequence counts in what the sequences share, as by = where += belongs.", kProjections,
     remembered<shared::last_sequence>},
    {"W_KV-first", "You returned dW_KV first. The order is dW_Q, dW_KV, dX, dM.", kProjections,
     remembered<shared::exchanged>}};

inline std::vector<Mistake<Memory>> of_shared_memory_back() {
  return with_together<Memory>(
      kOfSharedMemoryBack,
      {{{"batch-in-dW_Q", "batch-in-dW_KV"}, remembered<shared::W_Q_not_summed | shared::W_KV_not_summed>},
       {{"batch-in-dW_KV", "batch-in-dM"}, remembered<shared::W_KV_not_summed | shared::M_not_summed>},
       {{"batch-in-dW_Q", "batch-in-dW_KV", "batch-in-dM"},
        remembered<shared::W_Q_not_summed | shared::W_KV_not_summed | shared::M_not_summed>},
       {{"batch-in-dM", "dX-summed-over-the-batch"}, remembered<shared::M_not_summed | shared::X_summed>},
       {{"mean-in-dW_Q", "mean-in-dW_KV"}, remembered<shared::W_Q_mean | shared::W_KV_mean>},
       {{"mean-in-dW_Q", "mean-in-dW_KV", "mean-in-dM"},
        remembered<shared::W_Q_mean | shared::W_KV_mean | shared::M_mean>},
       {{"dW_KV-by-the-keys-alone", "dM-by-the-keys-alone"},
        remembered<shared::W_KV_by_keys | shared::M_by_keys>},
       {{"dW_KV-by-the-values-alone", "dM-by-the-values-alone"},
        remembered<shared::W_KV_by_values | shared::M_by_values>},
       {{"dW_KV-by-the-keys-alone", "dM-by-the-values-alone"},
        remembered<shared::W_KV_by_keys | shared::M_by_values>},
       {{"dW_KV-by-the-values-alone", "dM-by-the-keys-alone"},
        remembered<shared::W_KV_by_values | shared::M_by_keys>},
       {{"W_Q-not-transposed", "W_KV-not-transposed"},
        remembered<shared::W_Q_not_transposed | shared::W_KV_not_transposed>},
       {{"X-not-transposed", "M-not-transposed"},
        remembered<shared::X_not_transposed | shared::M_not_transposed>},
       {{"batch-in-dM", "mean-of-keys-and-values"}, remembered<shared::M_not_summed | shared::half>}});
}

}  // namespace mistakes
