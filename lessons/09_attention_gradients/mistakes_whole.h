// What people write in the place of part 6.
#pragma once

#include <algorithm>
#include <initializer_list>

#include "mistakes_projections.h"

namespace mistakes {

using Whole = AttentionGradients (*)(const Tensor&, const Tensor&, const AttentionWeights&, std::size_t);

enum class Slip {
  none,
  no_mask,
  no_mask_there,
  no_mask_back,
  no_mask_Z,
  no_mask_dV,
  no_mask_dV_dS,
  mask_turned_round,
  strict_mask,
  mask_after,
  no_row_sum,
  unscaled_there,
  unscaled_back,
  unscaled,
  full_width_there,
  full_width,
  cut,
  cut_apart,
  cut_together,
  not_transposed,
  queries_only,
  without_values,
  last_head,
  without_W_O,
  W_O_not_transposed,
  dW_O_transposed,
  dW_O_from_X,
  dW_O_from_dZ,
  one_head,
  P_twice,
  dV_from_P
};

// How a slip takes the heads apart, and puts them together again.
struct Heads {
  Slip slip;
  std::size_t n, d, H;

  std::size_t width() const { return d / H; }
  Tensor apart(const Tensor& x) const {  // (n,d) → (H,n,d/H)
    return slip == Slip::cut || slip == Slip::cut_apart ? reshape_to(x, {H, n, width()})
                                                        : permute(reshape_to(x, {n, H, width()}), {1, 0, 2});
  }
  Tensor together(const Tensor& x) const {
    return reshape_to(slip == Slip::cut || slip == Slip::cut_together ? x : permute(x, {1, 0, 2}), {n, d});
  }
  Tensor pattern(const Tensor& S) const {
    const BoolArray seen = visible_keys(n, n, {.causal = true});
    const Tensor key = reshape_to(arange(n), {1, n}), query = reshape_to(arange(n), {n, 1});
    if (slip == Slip::no_mask) return softmax(S);
    if (slip == Slip::mask_turned_round) return softmax(masked_fill(S, seen, -INFINITY));
    if (slip == Slip::mask_after) return softmax(S) * where(seen, 1, 0);
    if (slip == Slip::strict_mask) return softmax(masked_fill(S, greater(key + 1, query), -INFINITY));
    return softmax(masked_fill(S, !seen, -INFINITY));
  }
  // Without all heads but the last, if that is the slip.
  Tensor kept(const Tensor& x) const {
    if (slip != Slip::last_head) return x;
    return x * reshape_to(where(equal(arange(H), static_cast<double>(H - 1)), 1, 0), {H, 1, 1});
  }
};

// The whole backward pass with one slip.
template <Slip slip>
AttentionGradients whole(const Tensor& dY, const Tensor& X, const AttentionWeights& w, std::size_t n_heads) {
  const Heads heads{slip, X.length(0), X.length(1), slip == Slip::one_head ? 1 : n_heads};
  const double width = root_of(slip == Slip::full_width ? heads.d : heads.width());
  const bool bare = slip == Slip::unscaled || slip == Slip::unscaled_there;
  const double there = bare ? 1 : slip == Slip::full_width_there ? root_of(heads.d) : width;
  const Tensor Q = heads.apart(matmul(X, w.W_Q)), K = heads.apart(matmul(X, w.W_K)),
               V = heads.apart(matmul(X, w.W_V)), S = matmul(Q, transpose(K)) / there;
  // P where it is used: in Z, in dV and in dS.
  const auto P_in = [&](std::initializer_list<Slip> without_mask) {
    return std::ranges::count(without_mask, slip) > 0 ? softmax(S) : heads.pattern(S);
  };
  const Tensor Z = heads.together(matmul(P_in({Slip::no_mask_there, Slip::no_mask_Z}), V)),
               P_V = P_in({Slip::no_mask_there, Slip::no_mask_dV, Slip::no_mask_dV_dS}),
               P_S = P_in({Slip::no_mask_back, Slip::no_mask_dV_dS});

  Tensor to_Z = matmul(dY, slip == Slip::W_O_not_transposed ? w.W_O : transpose(w.W_O));
  if (slip == Slip::without_W_O) to_Z = dY;
  const Tensor dZ = heads.apart(to_Z), dP = matmul(dZ, transpose(V));
  Tensor dS = slip == Slip::no_row_sum ? P_S * dP : back(P_S, dP);
  if (slip == Slip::P_twice) dS = P_S * dS;
  const double scale = slip == Slip::unscaled_back || slip == Slip::unscaled ? 1 : width;
  const Tensor q = heads.together(heads.kept(matmul(dS, K) / scale)),
               k = heads.together(
                   heads.kept(matmul(slip == Slip::not_transposed ? dS : transpose(dS), Q) / scale)),
               v = heads.together(heads.kept(matmul(slip == Slip::dV_from_P ? P_V : transpose(P_V), dZ)));

  Tensor dX = matmul(q, transpose(w.W_Q));
  if (slip != Slip::queries_only) dX = dX + matmul(k, transpose(w.W_K));
  if (slip != Slip::queries_only && slip != Slip::without_values) dX = dX + matmul(v, transpose(w.W_V));
  const auto to = [&](const Tensor& g) { return matmul(transpose(X), g); };
  const Tensor dW_O =
      matmul(transpose(slip == Slip::dW_O_from_X ? X : Z), slip == Slip::dW_O_from_dZ ? to_Z : dY);
  return {slip == Slip::dW_O_transposed ? transpose(dW_O) : dW_O, to(q), to(k), to(v), dX};
}

// All right, but returned in another order.
template <bool backwards>
AttentionGradients another_order(const Tensor& dY, const Tensor& X, const AttentionWeights& w,
                                 std::size_t n_heads) {
  const auto [dW_O, dW_Q, dW_K, dW_V, dX] = whole<Slip::none>(dY, X, w, n_heads);
  if (backwards) return {dW_O, dW_V, dW_K, dW_Q, dX};
  return {dW_Q, dW_K, dW_V, dW_O, dX};
}

inline AttentionGradients as_a_batch(const Tensor& dY, const Tensor& X, const AttentionWeights& w,
                                     std::size_t n_heads) {
  AttentionGradients d = whole<Slip::none>(dY, X, w, n_heads);
  d.dX = reshape_to(d.dX, {1, X.length(0), X.length(1)});
  return d;
}

inline const std::vector<Mistake<Whole>> kOfMultiHeadBackward = {
    {"no-mask",
     "You left out the causal mask. Query i sees the keys 0 … i only; later keys get the weight 0, and no "
     "gradient from it.",
     kSoftmax, whole<Slip::no_mask>},
    {"no-mask-on-the-way-there",
     "You left the causal mask out of the pattern that makes Z and dV. It belongs to the forward pass as "
     "well "
     "as "
     "to the backward pass of the softmax.",
     kSoftmax, whole<Slip::no_mask_there>},
    {"no-mask-in-Z",
     "You left the causal mask out of the pattern that makes Z, and so out of dW_O. The forward pass needs "
     "it "
     "too.",
     kSoftmax, whole<Slip::no_mask_Z>},
    {"no-mask-in-dV",
     "You left the causal mask out of the pattern in dV. dV is Pᵀ dZ with the masked P of the forward pass.",
     kValues, whole<Slip::no_mask_dV>},
    {"no-mask-in-dV-and-dS",
     "Your Z is masked, but in the backward pass you computed P again without the causal mask: dV and dS "
     "need the "
     "P "
     "of the forward pass.",
     kSoftmax, whole<Slip::no_mask_dV_dS>},
    {"mask-turned-round",
     "You hid the keys that are visible. visible_keys() is true where a query sees a key, so masked_fill "
     "needs "
     "!visible_keys(…).",
     kSoftmax, whole<Slip::mask_turned_round>},
    {"no-mask-on-the-way-back",
     "You left the causal mask out of the backward pass of the softmax. There P is computed again, and it "
     "must "
     "be the P of the forward pass.",
     kSoftmax, whole<Slip::no_mask_back>},
    {"strict-mask",
     "Your mask hides the query's own token. Query i sees the keys 0 … i, and key i is one of them.",
     kSoftmax, whole<Slip::strict_mask>},
    {"mask-after-the-softmax",
     "You multiplied the pattern by the mask after the softmax. Then its rows no longer add up to 1. Put -∞ "
     "into "
     "the scores.",
     kSoftmax, whole<Slip::mask_after>},
    {"no-row-sum",
     "You left out the row-sum term of the softmax. dW_O and dW_V are right without it; what comes through "
     "the "
     "scores is not.",
     kSoftmax, whole<Slip::no_row_sum>},
    {"unscaled-on-the-way-back",
     "Your scores are scaled, but dQ and dK are not. 1/√d_k stands in the forward pass and in the backward "
     "pass.",
     kScores, whole<Slip::unscaled_back>},
    {"unscaled-on-the-way-there",
     "dQ and dK are scaled, but your scores are not. Without 1/√d_k in S the pattern is another one.",
     kScores, whole<Slip::unscaled_there>},
    {"scores-scaled-by-the-full-width",
     "You divided the scores by the root of d. A head has d/n_heads columns, so its scores are divided "
     "by the root of d/n_heads.",
     kScores, whole<Slip::full_width_there>},
    {"unscaled",
     "You left out 1/√d_k, forward and backward. Your gradients are right for another function: one without "
     "the "
     "scale.",
     kScores, whole<Slip::unscaled>},
    {"scaled-by-the-full-width",
     "You scaled with the root of d, forward and backward. A head has d/n_heads columns, so its scores are "
     "divided "
     "by the root of d/n_heads.",
     kScores, whole<Slip::full_width>},
    {"reshape-without-permute",
     "You reshaped (n,d) to (heads, n, d/heads) directly. That cuts the rows in pieces: a head gets whole "
     "tokens. Reshape to (n, heads, d/heads), then permute with {1, 0, 2}, and the other way round at the "
     "end.",
     kProjections, whole<Slip::cut>},
    {"apart-without-permute",
     "You took the heads apart by reshaping (n,d) to (heads, n, d/heads) directly. That cuts the rows in "
     "pieces. "
     "Reshape to (n, heads, d/heads), then permute with {1, 0, 2}.",
     kProjections, whole<Slip::cut_apart>},
    {"together-without-permute",
     "You put the heads together by reshaping (heads, n, d/heads) to (n,d) directly. That mixes the tokens. "
     "Permute with {1, 0, 2} first, then reshape.",
     kProjections, whole<Slip::cut_together>},
    {"one-head", "You computed one head of the full width. There are n_heads, each with its own columns.",
     kProjections, whole<Slip::one_head>},
    {"last-head-only",
     "Only the last head's dQ, dK and dV are in your result, as by = in a loop. Each head has columns of its "
     "own: put its result there, or work on all heads at once.",
     kProjections, whole<Slip::last_head>},
    {"dS-not-transposed",
     "You wrote dS Q for dK. The shapes fit here, as n = m. Key j collects from column j.", kScores,
     whole<Slip::not_transposed>},
    {"pattern-not-transposed",
     "You wrote P dZ for dV. The shapes fit here, as n = m. Value j collects from column j of P.", kValues,
     whole<Slip::dV_from_P>},
    {"P-twice", "You multiplied dS by P twice. P stands once in front of the bracket.", kSoftmax,
     whole<Slip::P_twice>},
    {"dX-by-the-queries-alone",
     "You went back to X through the queries only. X is used for queries, keys and values: add the three.",
     kProjections, whole<Slip::queries_only>},
    {"dX-without-the-values",
     "You left the way through the values out of dX. X is used for queries, keys and values: add the three.",
     kProjections, whole<Slip::without_values>},
    {"without-W_O", "You used dY as the cotangent of Z. Between them stands Y = Z W_O, so dZ = dY W_Oᵀ.",
     kProjections, whole<Slip::without_W_O>},
    {"W_O-not-transposed",
     "You wrote dY W_O for dZ. The backward pass multiplies by W_Oᵀ. Square weights hide it.", kProjections,
     whole<Slip::W_O_not_transposed>},
    {"dW_O-transposed", "Your dW_O is transposed: dYᵀ Z. Row p of W_O meets column p of Z, so it is Zᵀ dY.",
     kProjections, whole<Slip::dW_O_transposed>},
    {"dW_O-from-X", "You made dW_O of X. W_O multiplies Z, the heads' results side by side: Zᵀ dY.",
     kProjections, whole<Slip::dW_O_from_X>},
    {"dW_O-from-dZ",
     "You wrote Zᵀ dZ for dW_O. W_O makes Y of Z, so what arrives at it is dY: Zᵀ dY. Square weights hide "
     "it.",
     kProjections, whole<Slip::dW_O_from_dZ>},
    {"dX-of-a-batch",
     "Your dX has the axis of a batch, of shape (1,n,d). The layer has one sequence, X (n,d), and dX has the "
     "shape of X: reshape it to {n, d}.",
     kProjections, as_a_batch},
    {"values-first", "You returned dW_V, dW_K, dW_Q. The order is dW_O, dW_Q, dW_K, dW_V, dX.", kProjections,
     another_order<true>},
    {"W_O-last", "You returned dW_O after the other weights. The order is dW_O, dW_Q, dW_K, dW_V, dX.",
     kProjections, another_order<false>},
};

}  // namespace mistakes
