// What people write in the place of part 6.
#pragma once

#include "mistakes_softmax.h"

namespace mistakes {

using Whole =
    std::function<AttentionGradients(const Tensor&, const Tensor&, const MultiQueryWeights&, std::size_t)>;

// The layer's sizes, and how its heads are taken apart and put together again.
struct Heads {
  const Made& made;
  std::size_t n, d, H;

  Tensor apart(const Tensor& x) const {  // (n,d) → (H,n,d/H)
    return made("apart-without-permute") ? reshape_to(x, {H, n, d / H})
                                         : permute(reshape_to(x, {n, H, d / H}), {1, 0, 2});
  }
  Tensor together(const Tensor& x) const {
    return reshape_to(made("together-without-permute") ? x : permute(x, {1, 0, 2}), {n, d});
  }
  double root() const {
    return made("scaled-by-the-full-width") ? root_of(d)
           : made("root-of-the-heads")      ? root_of(H)
           : made("multiplied-by-the-root") ? 1 / root_of(d / H)
           : made("divided-by-w")           ? root_of(d / H) * root_of(d / H)
                                            : root_of(d / H);
  }
  Tensor pattern(const Tensor& S) const {
    const BoolArray seen = visible_keys(n, n, {.causal = true});
    const Tensor key = reshape_to(arange(n), {1, n}), query = reshape_to(arange(n), {n, 1});
    if (made("no-mask")) return softmax(S);
    if (made("scores-times-mask")) return softmax(S * where(seen, 1, 0));
    if (made("softmax-over-columns")) return softmax(masked_fill(S, !seen, -INFINITY), -2);
    if (made("mask-turned-round")) return softmax(masked_fill(S, seen, -INFINITY));
    if (made("mask-after-the-softmax")) return softmax(S) * where(seen, 1, 0);
    if (made("strict-mask")) return softmax(masked_fill(S, greater(key + 1, query), -INFINITY));
    return softmax(masked_fill(S, !seen, -INFINITY));
  }
  // The product x y of each head, as `gradient` adds them up.
  Tensor collected(const Tensor& x, const Tensor& y, const std::string& gradient) const {
    if (made(gradient + "-summed-first")) return matmul(sum(x, {0}), sum(y, {0}));
    const Tensor each = matmul(x, y);
    if (made(gradient + "-of-each-head")) return each;
    if (made("last-head-only")) return sum(slice(each, 0, -1), {0});
    if (made("first-head-only")) return sum(slice(each, 0, 0, 1), {0});
    return made(gradient + "-as-a-mean") ? mean(each, {0}) : sum(each, {0});
  }
};

inline Tensor dX_of(const Made& made, const MultiQueryWeights& w, const Tensor& dQ, const Tensor& dK,
                    const Tensor& dV) {
  const bool queries_only = made("dX-by-the-queries-alone"), exchanged = made("W_K-and-W_V-exchanged");
  Tensor dX = matmul(dQ, made("W_Q-not-transposed") ? w.W_Q : transpose(w.W_Q));
  if (made("dX-without-the-queries")) dX = Tensor(0);
  if (!queries_only && !made("dX-without-the-keys"))
    dX = dX + matmul(dK, transpose(exchanged ? w.W_V : w.W_K));
  if (!queries_only && !made("dX-without-the-values"))
    dX = dX + matmul(dV, transpose(exchanged ? w.W_K : w.W_V));
  return made("dX-of-a-batch") ? reshape_to(dX, {1, dX.length(0), dX.length(1)}) : dX;
}

inline AttentionGradients whole(const Made& made, const Tensor& dY, const Tensor& X,
                                const MultiQueryWeights& w, std::size_t n_heads) {
  const Heads heads{made, X.length(0), X.length(1), n_heads};
  const Tensor Q = heads.apart(matmul(X, w.W_Q)), K = matmul(X, w.W_K), V = matmul(X, w.W_V),
               S = matmul(Q, transpose(K)) / (made("scores-unscaled") ? 1 : heads.root()),
               Z = heads.together(matmul(made("no-mask-in-Z") ? softmax(S) : heads.pattern(S), V)),
               P = made("no-mask-on-the-way-back") ? softmax(S) : heads.pattern(S);

  const Tensor to_Z = made("without-W_O")          ? dY
                      : made("W_O-not-transposed") ? matmul(dY, w.W_O)
                                                   : matmul(dY, transpose(w.W_O));
  const Tensor dZ = heads.apart(to_Z),
               dP = matmul(dZ, made("values-not-transposed") ? V : transpose(made("keys-in-dP") ? K : V)),
               dS = through_softmax(made, P, dP, row_sums_of(made, P, dP));
  const auto divisor = [&](const char* without) {
    if (made("gradients-scaled-twice")) return heads.root() * heads.root();
    return made("gradients-unscaled") || made(without) ? 1 : heads.root();
  };
  const Tensor of_keys = made("values-in-dQ") ? V : K;
  const Tensor dQ = heads.together(matmul(made("dS-transposed-in-dQ") ? transpose(dS) : dS,
                                          made("K-transposed-again") ? transpose(of_keys) : of_keys) /
                                   divisor("dQ-without-the-scale")),
               dK = heads.collected(made("dS-not-transposed") ? dS : transpose(dS), Q, "dK") /
                    divisor("dK-without-the-scale"),
               dV = heads.collected(
                   made("pattern-not-transposed") ? P : transpose(made("dV-from-dS") ? dS : P), dZ, "dV");

  const auto to = [&](const Tensor& g) { return matmul(transpose(X), g); };
  Tensor dW_O = matmul(transpose(made("dW_O-from-X") ? X : Z), made("dW_O-from-dZ") ? to_Z : dY);
  if (made("dW_O-transposed")) dW_O = transpose(dW_O);
  const Tensor dX = dX_of(made, w, dQ, dK, dV), dW_Q = made("dW_Q-transposed") ? transpose(to(dQ)) : to(dQ);
  if (made("dW_V-before-dW_K")) return {dW_O, dW_Q, to(dV), to(dK), dX};
  if (made("W_O-last")) return {dW_Q, to(dK), to(dV), dW_O, dX};
  return {dW_O, dW_Q, to(dK), to(dV), dX};
}

inline const std::vector<Slip> kSlipsOfMultiQueryBackward = {
    {"no-mask-in-Z",
     "You left the causal mask out of the pattern that makes Z, and so out of dW_O. The forward pass "
     "needs it too.",
     kSoftmax},
    {"no-mask-on-the-way-back",
     "Your Z is masked, but in the backward pass you computed P again without the causal mask: "
     "dV and dS need the P of the forward pass.",
     kSoftmax},
    {"no-mask",
     "You left the causal mask out of the pattern, in the forward pass and in the backward "
     "pass. A query sees no later key.",
     kSoftmax},
    {"mask-turned-round",
     "You hid the keys that are visible. visible_keys() is true where a query sees a key, so "
     "masked_fill needs !visible_keys(…).",
     kSoftmax},
    {"strict-mask",
     "Your mask hides the query's own token. Query i sees the keys 0 … i, and key i is one of them.",
     kSoftmax},
    {"mask-after-the-softmax",
     "You multiplied the pattern by the mask after the softmax. Then its rows no longer add up "
     "to 1. Put -∞ into the scores.",
     kSoftmax},
    {"scores-times-mask",
     "You multiplied the scores by the mask, or put 0 at hidden keys. A hidden key then has the score "
     "0, and e^0 = 1 gives it a weight. Hidden keys need the score -∞.",
     kSoftmax},
    {"softmax-over-columns",
     "You took the softmax down the columns, over the queries. A query shares its attention out among "
     "the keys: along the last axis.",
     kSoftmax},
    {"scores-unscaled",
     "dQ and dK are scaled, but your scores are not. Without 1/√w in S the pattern is another one.", kScores},
    {"gradients-unscaled",
     "Your scores are scaled, but dQ and dK are not. 1/√w stands in the forward pass and in "
     "the backward pass.",
     kScores},
    {"gradients-scaled-twice",
     "You divided dQ and dK by w: the scale 1/√w is in them twice. It stands in the scores once.", kScores},
    {"dQ-without-the-scale", "You left 1/√w out of dQ. It is a factor of each score, so of dQ and of dK.",
     kScores},
    {"dK-without-the-scale", "You left 1/√w out of dK. It is a factor of each score, so of dQ and of dK.",
     kScores},
    {"multiplied-by-the-root", "You multiplied by √w. The scale of a head with w columns is 1/√w.", kScores},
    {"divided-by-w", "You divided by w. The scale of a head with w columns is 1/√w.", kScores},
    {"root-of-the-heads",
     "You scaled with the root of n_heads. A head has w = d/n_heads columns, so its scores are "
     "divided by √w.",
     kScores},
    {"scaled-by-the-full-width",
     "You scaled with the root of d. A head has w = d/n_heads columns, so its scores are divided by "
     "√w.",
     kScores},
    {"apart-without-permute",
     "You took the heads apart by reshaping (n,d) to (heads, n, w) directly. That cuts the rows in "
     "pieces. Reshape to (n, heads, w), then permute with {1, 0, 2}.",
     kProjections},
    {"together-without-permute",
     "You put the heads together by reshaping (heads, n, w) to (n,d) directly. That mixes the tokens. "
     "Permute with {1, 0, 2} first, then reshape.",
     kProjections},
    {"dS-not-transposed",
     "You did not transpose dS in dK. The shapes fit here, as n = m. Key j collects from column j.", kScores},
    {"K-transposed-again",
     "You transposed K in dQ. K was transposed in the forward pass, and the backward pass "
     "transposes it once more: K stands as it is.",
     kScores},
    {"dS-transposed-in-dQ",
     "You transposed dS in dQ. Query i collects from row i of dS, one number from each key: dS K.", kScores},
    {"values-in-dQ",
     "You multiplied dS by V in dQ. The scores are made of Q and K, so dQ is dS K. K and V have one "
     "shape, which hides it.",
     kScores},
    {"pattern-not-transposed",
     "You did not transpose P in dV. The shapes fit here, as n = m. Value j collects from column j of "
     "P.",
     kValues},
    {"dV-from-dS", "You made dV of dS. V meets the weights P, so dV is Pᵀ dZ.", kValues},
    {"values-not-transposed",
     "You did not transpose V in dP. P[i,j] meets row j of V, so row i of dZ meets row j of V: Vᵀ.", kValues},
    {"keys-in-dP",
     "You multiplied dZ by Kᵀ in dP. P meets the values, so dP is dZ Vᵀ. K and V have one shape, "
     "which hides it.",
     kValues},
    {"dK-of-each-head",
     "Your dK still has the axis of the heads. All heads use the same keys, so what comes back "
     "from them adds up: sum over that axis.",
     kProjections},
    {"dV-of-each-head",
     "Your dV still has the axis of the heads. All heads use the same values, so what comes back from "
     "them adds up: sum over that axis.",
     kProjections},
    {"dK-as-a-mean", "Your dK is a mean over the heads. All heads use the same keys, and uses add up.",
     kProjections},
    {"dV-as-a-mean", "Your dV is a mean over the heads. All heads use the same values, and uses add up.",
     kProjections},
    {"dK-summed-first",
     "You added up dS and Q over the heads before you multiplied them in dK, so that the dS of "
     "one head meets the queries of another. Multiply first, then sum over the heads.",
     kProjections},
    {"dV-summed-first",
     "You added up P and dZ over the heads before you multiplied them in dV, so that the P of "
     "one head meets the dZ of another. Multiply first, then sum over the heads.",
     kProjections},
    {"last-head-only",
     "Only the last head counts in your dK and dV, as by = in a loop where += belongs. All "
     "heads use the same keys and values.",
     kProjections},
    {"first-head-only",
     "Only the first head counts in your dK and dV. All heads use the same keys and values, "
     "and uses add up.",
     kProjections},
    {"dX-by-the-queries-alone",
     "You went back to X through the queries only. X is used for queries, keys and values: add the "
     "three.",
     kProjections},
    {"dX-without-the-values",
     "You left the way through the values out of dX. X is used for queries, keys and values: add the "
     "three.",
     kProjections},
    {"dX-without-the-keys",
     "You left the way through the keys out of dX. X is used for queries, keys and values: add the "
     "three.",
     kProjections},
    {"dX-without-the-queries",
     "You left the way through the queries out of dX. X is used for queries, keys and values: add the "
     "three.",
     kProjections},
    {"W_Q-not-transposed",
     "You did not transpose W_Q in dX. In the forward pass X met W_Q; in the backward pass dQ meets "
     "W_Qᵀ.",
     kProjections},
    {"W_K-and-W_V-exchanged",
     "You exchanged W_K and W_V in dX. dK goes back through W_K, and dV through W_V. The two have one "
     "shape, which hides it.",
     kProjections},
    {"without-W_O", "You used dY as the cotangent of Z. Between them stands Y = Z W_O, so dZ = dY W_Oᵀ.",
     kProjections},
    {"W_O-not-transposed",
     "You wrote dY W_O for dZ. The backward pass multiplies by W_Oᵀ. Square weights hide it.", kProjections},
    {"dW_O-transposed", "Your dW_O is transposed: dYᵀ Z. Row p of W_O meets column p of Z, so it is Zᵀ dY.",
     kProjections},
    {"dW_Q-transposed", "Your dW_Q is transposed: dQᵀ X. Row p of W_Q meets column p of X, so it is Xᵀ dQ.",
     kProjections},
    {"dW_O-from-X", "You made dW_O of X. W_O multiplies Z, the heads' results side by side: Zᵀ dY.",
     kProjections},
    {"dW_O-from-dZ",
     "You wrote Zᵀ dZ for dW_O. W_O makes Y of Z, so what arrives at it is dY: Zᵀ dY. Square "
     "weights hide it.",
     kProjections},
    {"dX-of-a-batch",
     "Your dX has the axis of a batch, of shape (1,n,d). The layer has one sequence, X (n,d), "
     "and dX has the shape of X: reshape it to {n, d}.",
     kProjections},
    {"W_O-last", "You returned dW_O after the other weights. The order is dW_O, dW_Q, dW_K, dW_V, dX.",
     kProjections},
    {"dW_V-before-dW_K", "You returned dW_V before dW_K. The order is dW_O, dW_Q, dW_K, dW_V, dX.",
     kProjections}};

inline std::vector<Mistake<Whole>> of_multi_query_backward() {
  return slips_of<Whole>(whole,
                         together(kSlipsOfMultiQueryBackward, together(kSlipsOfSoftmax, kSlipsOfRowSums)));
}

}  // namespace mistakes
