// What people write in the place of part 6.
#pragma once

#include "mistakes.h"

namespace mistakes {

using Whole = AttentionGradients (*)(const Tensor&, const Tensor&, const MultiQueryWeights&, std::size_t);

namespace layer {
enum : Flaws {
  no_mask_Z = 1,
  no_mask_back = 2,
  mask_turned_round = 4,
  strict_mask = 8,
  mask_after = 16,
  no_row_sum = 32,
  S_unscaled = 64,
  unscaled = 128,
  full_width = 256,
  cut_apart = 512,
  cut_together = 1024,
  dS_not_transposed = 2048,
  P_not_transposed = 4096,
  dK_per_head = 8192,
  dV_per_head = 1 << 14,
  dK_mean = 1 << 15,
  dV_mean = 1 << 16,
  last_head = 1 << 17,
  queries_only = 1 << 18,
  without_values = 1 << 19,
  without_W_O = 1 << 20,
  W_O_not_transposed = 1 << 21,
  dW_O_transposed = 1 << 22,
  dW_O_from_X = 1 << 23,
  dW_O_from_dZ = 1 << 24,
  P_twice = 1 << 25,
  batch = 1 << 26,
  W_O_last = 1 << 27
};
}

// The layer's sizes, and how a flaw takes the heads apart and puts them together again.
template <Flaws f>
struct Heads {
  std::size_t n, d, H;

  Tensor apart(const Tensor& x) const {  // (n,d) → (H,n,d/H)
    return f & layer::cut_apart ? reshape_to(x, {H, n, d / H})
                                : permute(reshape_to(x, {n, H, d / H}), {1, 0, 2});
  }
  Tensor together(const Tensor& x) const {
    return reshape_to(f & layer::cut_together ? x : permute(x, {1, 0, 2}), {n, d});
  }
  Tensor pattern(const Tensor& S) const {
    const BoolArray seen = visible_keys(n, n, {.causal = true});
    const Tensor key = reshape_to(arange(n), {1, n}), query = reshape_to(arange(n), {n, 1});
    if (f & layer::mask_turned_round) return softmax(masked_fill(S, seen, -INFINITY));
    if (f & layer::mask_after) return softmax(S) * where(seen, 1, 0);
    if (f & layer::strict_mask) return softmax(masked_fill(S, greater(key + 1, query), -INFINITY));
    return softmax(masked_fill(S, !seen, -INFINITY));
  }
  // What the heads send back to something that they share.
  Tensor collected(const Tensor& x, bool of_each, bool averaged) const {
    if (of_each) return x;
    if (f & layer::last_head) return sum(slice(x, 0, -1), {0});
    return averaged ? mean(x, {0}) : sum(x, {0});
  }
};

template <Flaws f>
AttentionGradients whole(const Tensor& dY, const Tensor& X, const MultiQueryWeights& w, std::size_t n_heads) {
  using namespace layer;
  const Heads<f> heads{X.length(0), X.length(1), n_heads};
  const double root = root_of(f & full_width ? heads.d : heads.d / n_heads), back = f & unscaled ? 1 : root;
  const Tensor Q = heads.apart(matmul(X, w.W_Q)), K = matmul(X, w.W_K), V = matmul(X, w.W_V);
  const Tensor S = matmul(Q, transpose(K)) / (f & S_unscaled ? 1 : root);
  const Tensor Z = heads.together(matmul(f & no_mask_Z ? softmax(S) : heads.pattern(S), V));
  const Tensor P = f & no_mask_back ? softmax(S) : heads.pattern(S);

  Tensor to_Z = matmul(dY, f & W_O_not_transposed ? w.W_O : transpose(w.W_O));
  if (f & without_W_O) to_Z = dY;
  const Tensor dZ = heads.apart(to_Z), dP = matmul(dZ, transpose(V));
  Tensor dS = f & no_row_sum ? P * dP : P * (dP - row_sum(P * dP));
  if (f & P_twice) dS = P * dS;
  const Tensor dQ = heads.together(matmul(dS, K) / back);
  const Tensor dK = heads.collected(matmul(f & dS_not_transposed ? dS : transpose(dS), Q) / back,
                                    f & dK_per_head, f & dK_mean);
  const Tensor dV =
      heads.collected(matmul(f & P_not_transposed ? P : transpose(P), dZ), f & dV_per_head, f & dV_mean);

  Tensor dX = matmul(dQ, transpose(w.W_Q));
  if (!(f & queries_only)) dX = dX + matmul(dK, transpose(w.W_K));
  if (!(f & (queries_only | without_values))) dX = dX + matmul(dV, transpose(w.W_V));
  if (f & batch) dX = reshape_to(dX, {1, heads.n, heads.d});
  const auto to = [&](const Tensor& g) { return matmul(transpose(X), g); };
  Tensor dW_O = matmul(transpose(f & dW_O_from_X ? X : Z), f & dW_O_from_dZ ? to_Z : dY);
  if (f & dW_O_transposed) dW_O = transpose(dW_O);
  if (f & W_O_last) return {to(dQ), to(dK), to(dV), dW_O, dX};
  return {dW_O, to(dQ), to(dK), to(dV), dX};
}

inline const std::vector<Mistake<Whole>> kOfMultiQueryBackward = {
    {"no-mask-in-Z",
     "You left the causal mask out of the pattern that makes Z, and so out of dW_O. The forward pass needs "
     "it too.",
     kSoftmax, whole<layer::no_mask_Z>},
    {"no-mask-on-the-way-back",
     "Your Z is masked, but in the backward pass you computed P again without the causal mask: dV and dS "
     "need the P of the forward pass.",
     kSoftmax, whole<layer::no_mask_back>},
    {"no-mask",
     "You left the causal mask out of the pattern, in the forward pass and in the backward pass. A query "
     "sees no later key.",
     kSoftmax, whole<layer::no_mask_Z | layer::no_mask_back>},
    {"mask-turned-round",
     "You hid the keys that are visible. visible_keys() is true where a query sees a key, so masked_fill "
     "needs !visible_keys(…).",
     kSoftmax, whole<layer::mask_turned_round>},
    {"strict-mask",
     "Your mask hides the query's own token. Query i sees the keys 0 … i, and key i is one of them.",
     kSoftmax, whole<layer::strict_mask>},
    {"mask-after-the-softmax",
     "You multiplied the pattern by the mask after the softmax. Then its rows no longer add up to 1. Put "
     "-∞ "
     "into the scores.",
     kSoftmax, whole<layer::mask_after>},
    {"no-row-sum",
     "You left out the row-sum term of the softmax. dW_O and dW_V are right without it; what comes "
     "through "
     "the scores is not.",
     kSoftmax, whole<layer::no_row_sum>},
    {"P-twice", "You multiplied dS by P twice. P stands once in front of the bracket.", kSoftmax,
     whole<layer::P_twice>},
    {"scores-unscaled",
     "dQ and dK are scaled, but your scores are not. Without 1/√w in S the pattern is another one.", kScores,
     whole<layer::S_unscaled>},
    {"gradients-unscaled",
     "Your scores are scaled, but dQ and dK are not. 1/√w stands in the forward pass and in the backward "
     "pass.",
     kScores, whole<layer::unscaled>},
    {"scaled-by-the-full-width",
     "You scaled with the root of d. A head has w = d/n_heads columns, so its scores are divided by √w.",
     kScores, whole<layer::full_width>},
    {"apart-without-permute",
     "You took the heads apart by reshaping (n,d) to (heads, n, w) directly. That cuts the rows in "
     "pieces. "
     "Reshape to (n, heads, w), then permute with {1, 0, 2}.",
     kProjections, whole<layer::cut_apart>},
    {"together-without-permute",
     "You put the heads together by reshaping (heads, n, w) to (n,d) directly. That mixes the tokens. "
     "Permute with {1, 0, 2} first, then reshape.",
     kProjections, whole<layer::cut_together>},
    {"dS-not-transposed",
     "You did not transpose dS in dK. The shapes fit here, as n = m. Key j collects from column j.", kScores,
     whole<layer::dS_not_transposed>},
    {"pattern-not-transposed",
     "You did not transpose P in dV. The shapes fit here, as n = m. Value j collects from column j of P.",
     kValues, whole<layer::P_not_transposed>},
    {"dK-of-each-head",
     "Your dK still has the axis of the heads. All heads use the same keys, so what comes back from them "
     "adds up: sum over that axis.",
     kProjections, whole<layer::dK_per_head>},
    {"dV-of-each-head",
     "Your dV still has the axis of the heads. All heads use the same values, so what comes back from "
     "them "
     "adds up: sum over that axis.",
     kProjections, whole<layer::dV_per_head>},
    {"dK-as-a-mean", "Your dK is a mean over the heads. All heads use the same keys, and uses add up.",
     kProjections, whole<layer::dK_mean>},
    {"dV-as-a-mean", "Your dV is a mean over the heads. All heads use the same values, and uses add up.",
     kProjections, whole<layer::dV_mean>},
    {"last-head-only",
     "Only the last head counts in your dK and dV, as by = in a loop where += belongs. All heads use the "
     "same keys and values.",
     kProjections, whole<layer::last_head>},
    {"dX-by-the-queries-alone",
     "You went back to X through the queries only. X is used for queries, keys and values: add the three.",
     kProjections, whole<layer::queries_only>},
    {"dX-without-the-values",
     "You left the way through the values out of dX. X is used for queries, keys and values: add the "
     "three.",
     kProjections, whole<layer::without_values>},
    {"without-W_O", "You used dY as the cotangent of Z. Between them stands Y = Z W_O, so dZ = dY W_Oᵀ.",
     kProjections, whole<layer::without_W_O>},
    {"W_O-not-transposed",
     "You wrote dY W_O for dZ. The backward pass multiplies by W_Oᵀ. Square weights hide it.", kProjections,
     whole<layer::W_O_not_transposed>},
    {"dW_O-transposed", "Your dW_O is transposed: dYᵀ Z. Row p of W_O meets column p of Z, so it is Zᵀ dY.",
     kProjections, whole<layer::dW_O_transposed>},
    {"dW_O-from-X", "You made dW_O of X. W_O multiplies Z, the heads' results side by side: Zᵀ dY.",
     kProjections, whole<layer::dW_O_from_X>},
    {"dW_O-from-dZ",
     "You wrote Zᵀ dZ for dW_O. W_O makes Y of Z, so what arrives at it is dY: Zᵀ dY. Square weights hide "
     "it.",
     kProjections, whole<layer::dW_O_from_dZ>},
    {"dX-of-a-batch",
     "Your dX has the axis of a batch, of shape (1,n,d). The layer has one sequence, X (n,d), and dX has "
     "the shape of X: reshape it to {n, d}.",
     kProjections, whole<layer::batch>},
    {"W_O-last", "You returned dW_O after the other weights. The order is dW_O, dW_Q, dW_K, dW_V, dX.",
     kProjections, whole<layer::W_O_last>}};

inline std::vector<Mistake<Whole>> of_multi_query_backward() {
  return with_together<Whole>(
      kOfMultiQueryBackward,
      {{{"scores-unscaled", "gradients-unscaled"}, whole<layer::S_unscaled | layer::unscaled>},
       {{"apart-without-permute", "together-without-permute"}, whole<layer::cut_apart | layer::cut_together>},
       {{"dK-of-each-head", "dV-of-each-head"}, whole<layer::dK_per_head | layer::dV_per_head>},
       {{"dK-as-a-mean", "dV-as-a-mean"}, whole<layer::dK_mean | layer::dV_mean>},
       {{"no-row-sum", "last-head-only"}, whole<layer::no_row_sum | layer::last_head>},
       {{"dS-not-transposed", "pattern-not-transposed"},
        whole<layer::dS_not_transposed | layer::P_not_transposed>}});
}

}  // namespace mistakes
