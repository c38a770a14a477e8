// What people write in the place of part 4.
#pragma once

#include "mistakes.h"

namespace mistakes {

using Memory = std::function<MemoryGradients(const Tensor&, const Tensor&, const Tensor&, const Tensor&,
                                             const Tensor&, const Tensor&, const Tensor&)>;

// Of one term for each sequence, what `gradient` has.
inline Tensor joined(const Made& made, const Tensor& terms, const std::string& gradient) {
  if (made("batch-in-all") || made("batch-in-" + gradient)) return terms;
  if (made("last-sequence-only")) return sum(slice(terms, 0, -1), {0});
  if (made("first-sequence-only-in-" + gradient)) return sum(slice(terms, 0, 0, 1), {0});
  if (made("last-sequence-only-in-" + gradient)) return sum(slice(terms, 0, -1), {0});
  if (made("first-sequence-only")) return sum(slice(terms, 0, 0, 1), {0});
  return made("mean-in-all") || made("mean-in-" + gradient) ? mean(terms, {0}) : sum(terms, {0});
}

// What comes back to M W_KV, as `gradient` takes it.
inline Tensor of_keys_and_values(const Made& made, const Tensor& dK, const Tensor& dV,
                                 const std::string& gradient) {
  if (made("keys-alone")) return dK;
  if (made("values-alone")) return dV;
  if (made(gradient + "-by-the-keys-alone")) return dK;
  if (made(gradient + "-by-the-values-alone")) return dV;
  if (made("values-subtracted")) return dK - dV;
  if (made("keys-subtracted")) return dV - dK;
  if (made("multiplied")) return dK * dV;
  return made("mean-of-keys-and-values") ? (dK + dV) / 2 : dK + dV;
}

inline MemoryGradients remembered(const Made& made, const Tensor& dQ, const Tensor& dK, const Tensor& dV,
                                  const Tensor& X, const Tensor& M, const Tensor& W_Q, const Tensor& W_KV) {
  const Tensor for_W = of_keys_and_values(made, dK, dV, "dW_KV"),
               for_M = of_keys_and_values(made, dK, dV, "dM");
  const Tensor of_queries = made("X-not-transposed") ? X : transpose(made("M-for-X") ? M : X),
               of_keys = made("M-not-transposed") ? M : transpose(made("X-for-M") ? X : M);
  Tensor dW_Q = made("summed-before-the-product") ? matmul(sum(of_queries, {0}), sum(dQ, {0}))
                                                  : joined(made, matmul(of_queries, dQ), "dW_Q");
  const auto back = [&](const Tensor& right, bool bare, const Tensor& other, bool exchanged) {
    return exchanged ? transpose(other) : bare ? right : transpose(right);
  };
  Tensor dX = matmul(dQ, back(W_Q, made("W_Q-not-transposed"), W_KV, made("W_KV-in-dX")));
  const Tensor to_M = matmul(for_M, back(W_KV, made("W_KV-not-transposed"), W_Q, made("W_Q-in-dM")));
  if (made("dX-by-the-memory-too")) dX = dX + to_M;
  if (made("dX-summed-over-the-batch")) dX = sum(dX, {0});
  const Tensor dM = joined(made, to_M, "dM");
  Tensor dW_KV = joined(made, matmul(of_keys, for_W), "dW_KV");
  if (made("dW_Q-transposed")) dW_Q = transpose(dW_Q);
  if (made("dW_KV-transposed")) dW_KV = transpose(dW_KV);
  if (made("W_KV-first")) return {dW_KV, dW_Q, dX, dM};
  return {dW_Q, dW_KV, dX, dM};
}

inline const std::vector<Slip> kSlipsOfSharedMemoryBack = {
    {"batch-in-dW_Q",
     "Your dW_Q still has the axis of the batch. All sequences use the same W_Q, so what comes back from "
     "them adds up: sum over axis 0.",
     kProjections},
    {"batch-in-dW_KV",
     "Your dW_KV still has the axis of the batch. All sequences use the same W_KV: sum over axis 0.",
     kProjections},
    {"batch-in-dM",
     "Your dM still has the axis of the batch, as dX has. But all sequences read the same M, so what "
     "comes back from them adds up: sum over axis 0.",
     kProjections},
    {"batch-in-all",
     "Your dW_Q, dW_KV and dM still have the axis of the batch. All sequences use the same weights and "
     "the same memory, so what comes back from them adds up: sum over axis 0.",
     kProjections},
    {"dX-summed-over-the-batch",
     "You added up dX over the sequences. M and the weights are shared. X is not: each sequence has its "
     "own.",
     kProjections},
    {"mean-in-dW_Q",
     "Your dW_Q is a mean over the sequences. What comes back from several uses of a weight adds up.",
     kProjections},
    {"mean-in-dW_KV",
     "Your dW_KV is a mean over the sequences. What comes back from several uses of a weight adds up.",
     kProjections},
    {"mean-in-dM", "Your dM is a mean over the sequences. What comes back from several readers adds up.",
     kProjections},
    {"mean-in-all",
     "Your dW_Q, dW_KV and dM are means over the sequences. What comes back from several uses adds up.",
     kProjections},
    {"summed-before-the-product",
     "You added up X and dQ over the sequences before you multiplied them, so that the X of one sequence "
     "meets the dQ of another. Multiply first: the sum over the sequences of Xᵀ dQ.",
     kProjections},
    {"dW_KV-by-the-keys-alone",
     "Your dW_KV has what comes back through the keys only. M W_KV is used twice, as keys and as values: "
     "add dK and dV.",
     kProjections},
    {"dM-by-the-keys-alone",
     "Your dM has what comes back through the keys only. M W_KV is used twice, as keys and as values: add "
     "dK and dV.",
     kProjections},
    {"keys-alone",
     "Your dW_KV and dM have what comes back through the keys only. M W_KV is used twice, as keys and as "
     "values: add dK and dV.",
     kProjections},
    {"dW_KV-by-the-values-alone",
     "Your dW_KV has what comes back through the values only. M W_KV is used twice: add dK and dV.",
     kProjections},
    {"dM-by-the-values-alone",
     "Your dM has what comes back through the values only. M W_KV is used twice: add dK and dV.",
     kProjections},
    {"values-alone",
     "Your dW_KV and dM have what comes back through the values only. M W_KV is used twice, as keys and "
     "as values: add dK and dV.",
     kProjections},
    {"mean-of-keys-and-values", "You took the mean of dK and dV. Each is a use of M W_KV, and uses add up.",
     kProjections},
    {"values-subtracted", "You subtracted dV from dK. Each is a use of M W_KV, and uses add up.",
     kProjections},
    {"keys-subtracted", "You subtracted dK from dV. Each is a use of M W_KV, and uses add up.", kProjections},
    {"multiplied", "You multiplied dK by dV. Each is a use of M W_KV, and uses add up.", kProjections},
    {"X-not-transposed", "You did not transpose X in dW_Q. Row p of W_Q meets column p of X: Xᵀ dQ.",
     kProjections},
    {"M-not-transposed",
     "You did not transpose M in dW_KV. Row p of W_KV meets column p of M: Mᵀ stands in front.",
     kProjections},
    {"dW_Q-transposed", "Your dW_Q is transposed: dQᵀ X. Row p of W_Q meets column p of X, so it is Xᵀ dQ.",
     kProjections},
    {"dW_KV-transposed",
     "Your dW_KV is transposed. Row p of W_KV meets column p of M, so Mᵀ stands in front.", kProjections},
    {"W_Q-not-transposed",
     "You did not transpose W_Q in dX. In the forward pass X met W_Q; in the backward pass dQ meets W_Qᵀ.",
     kProjections},
    {"W_KV-not-transposed",
     "You did not transpose W_KV in dM. In the forward pass M met W_KV; on the way back stands W_KVᵀ.",
     kProjections},
    {"X-for-M", "You used X in dW_KV. Keys and values are made of M, so W_KV meets M: Mᵀ stands in front.",
     kProjections},
    {"M-for-X", "You used M in dW_Q. Queries are made of X, so W_Q meets X: Xᵀ stands in front.",
     kProjections},
    {"W_Q-in-dM",
     "You went back to M through W_Q. Keys and values were made by W_KV. The two weights have one shape, "
     "which hides it.",
     kProjections},
    {"W_KV-in-dX",
     "You went back to X through W_KV. The queries were made by W_Q. The two weights have one shape, "
     "which hides it.",
     kProjections},
    {"dX-by-the-memory-too",
     "You added what comes back through the keys and values to dX. In cross-attention these are made of "
     "M, and X makes the queries only.",
     kProjections},
    {"last-sequence-only",
     "Only the last sequence counts in what the sequences share, as by = where += belongs.", kProjections},
    {"first-sequence-only",
     "Only the first sequence counts in what the sequences share. What comes back from all of them adds "
     "up.",
     kProjections},
    {"first-sequence-only-in-dW_Q",
     "Only the first sequence counts in your dW_Q. All sequences use the same W_Q: add up.", kProjections},
    {"first-sequence-only-in-dW_KV",
     "Only the first sequence counts in your dW_KV. All sequences use the same W_KV: add up.", kProjections},
    {"first-sequence-only-in-dM",
     "Only the first sequence counts in your dM. All sequences read the same M: add up.", kProjections},
    {"last-sequence-only-in-dW_Q",
     "Only the last sequence counts in your dW_Q, as by = where += belongs. All use the same W_Q: add up.",
     kProjections},
    {"last-sequence-only-in-dW_KV",
     "Only the last sequence counts in your dW_KV, as by = where += belongs. All use the same W_KV: add up.",
     kProjections},
    {"last-sequence-only-in-dM",
     "Only the last sequence counts in your dM, as by = where += belongs. All read the same M: add up.",
     kProjections},
    {"W_KV-first", "You returned dW_KV first. The order is dW_Q, dW_KV, dX, dM.", kProjections}};

inline std::vector<Mistake<Memory>> of_shared_memory_back() {
  return slips_of<Memory>(remembered, kSlipsOfSharedMemoryBack);
}

}  // namespace mistakes
