// What people write in the place of parts 3 and 4.
#pragma once

#include "mistakes.h"

namespace mistakes {

using ScoresBack = Two (*)(const Tensor&, const Tensor&, const Tensor&);

inline Tensor right_dQ(const Tensor& dS, const Tensor& K) { return matmul(dS, K) / root(K); }
inline Tensor right_dK(const Tensor& dS, const Tensor& Q) { return matmul(transpose(dS), Q) / root(Q); }

inline const std::vector<Mistake<ScoresBack>> kOfScoresBack = {
    {"no-scale",
     "You left out 1/√d_k. It is a factor of every score, so it is a factor of the slopes by Q and by K.",
     kScores,
     [](const Tensor& dS, const Tensor& Q, const Tensor& K) {
       return Two{matmul(dS, K), matmul(transpose(dS), Q)};
     }},
    {"scale-twice",
     "You divided by d_k, which is 1/√d_k twice. S = Q Kᵀ/√d_k contains it once, for Q and K together.",
     kScores,
     [](const Tensor& dS, const Tensor& Q, const Tensor& K) {
       return Two{right_dQ(dS, K) / root(Q), right_dK(dS, Q) / root(Q)};
     }},
    {"times-the-root", "You multiplied by √d_k. The scores were divided by it, so the slopes are too.",
     kScores,
     [](const Tensor& dS, const Tensor& Q, const Tensor& K) {
       return Two{matmul(dS, K) * root(Q), matmul(transpose(dS), Q) * root(Q)};
     }},
    {"dK-unscaled",
     "You scaled dQ and not dK. The factor 1/√d_k belongs to the score, not to the query alone.", kScores,
     [](const Tensor& dS, const Tensor& Q, const Tensor& K) {
       return Two{right_dQ(dS, K), matmul(transpose(dS), Q)};
     }},
    {"dQ-unscaled", "You scaled dK and not dQ. The factor 1/√d_k belongs to the score, and so to both.",
     kScores,
     [](const Tensor& dS, const Tensor& Q, const Tensor& K) {
       return Two{matmul(dS, K), right_dK(dS, Q)};
     }},
    {"dS-not-transposed",
     "You wrote dS Q for dK. Key j collects from column j of dS, one number from each query: dS must be "
     "transposed. Where n = m the shapes fit without it too.",
     kScores,
     [](const Tensor& dS, const Tensor& Q, const Tensor& K) {
       return Two{right_dQ(dS, K), matmul(dS, Q) / root(Q)};
     }},
    {"K-transposed-again",
     "You wrote dS Kᵀ for dQ. K was transposed in the forward pass, and the backward pass transposes it once "
     "more: K "
     "stands as it is.",
     kScores,
     [](const Tensor& dS, const Tensor& Q, const Tensor& K) {
       return Two{matmul(dS, transpose(K)) / root(Q), right_dK(dS, Q)};
     }},
    {"transposed-result",
     "Your dK is transposed, of shape (…,d_k,m): Qᵀ dS is the cotangent of Kᵀ. That of K is dSᵀ Q.", kScores,
     [](const Tensor& dS, const Tensor& Q, const Tensor& K) {
       return Two{right_dQ(dS, K), matmul(transpose(Q), dS) / root(Q)};
     }},
    {"exchanged", "You returned dK first. First dQ, then dK.", kScores,
     [](const Tensor& dS, const Tensor& Q, const Tensor& K) {
       return Two{right_dK(dS, Q), right_dQ(dS, K)};
     }},
    {"own-factor",
     "You made dQ of Q, and dK of K. The slope of a product by one factor is the other factor: dQ contains "
     "K, "
     "and dK contains Q.",
     kScores,
     [](const Tensor& dS, const Tensor& Q, const Tensor& K) {
       return Two{right_dQ(dS, Q), right_dK(dS, K)};
     }},
    {"root-of-the-keys",
     "You divided by the root of the number of keys. The scale is 1/√d_k, of the width of a query: "
     "Q.length(-1).",
     kScores,
     [](const Tensor& dS, const Tensor& Q, const Tensor& K) {
       const double scale = 1 / root_of(K.length(-2));
       return Two{matmul(dS, K) * scale, matmul(transpose(dS), Q) * scale};
     }},
    {"root-of-the-queries",
     "You divided by the root of the number of queries. The scale is 1/√d_k, of the width of a query: "
     "Q.length(-1).",
     kScores,
     [](const Tensor& dS, const Tensor& Q, const Tensor& K) {
       const double scale = 1 / root_of(Q.length(-2));
       return Two{matmul(dS, K) * scale, matmul(transpose(dS), Q) * scale};
     }},
    {"first-two-axes",
     "You exchanged axes 0 and 1 of dS. With axes for batch and heads in front, a matrix lies in the last "
     "two: "
     "transpose(dS) without numbers exchanges these.",
     kScores,
     [](const Tensor& dS, const Tensor& Q, const Tensor& K) {
       return Two{right_dQ(dS, K), matmul(transpose(dS, 0, 1), Q) / root(Q)};
     }},
};

using ProjectionsBack = ProjectionGradients (*)(const Tensor&, const Tensor&, const Tensor&, const Tensor&,
                                                const Tensor&, const Tensor&, const Tensor&);

// The arguments of part 4, and what its formulas are made of.
struct Projections {
  const Tensor &dQ, &dK, &dV, &X, &W_Q, &W_K, &W_V;

  Tensor to_weight(const Tensor& d) const { return sum(matmul(transpose(X), d), {0}); }
  Tensor by_Q() const { return matmul(dQ, transpose(W_Q)); }
  Tensor by_K() const { return matmul(dK, transpose(W_K)); }
  Tensor by_V() const { return matmul(dV, transpose(W_V)); }
  Tensor dX() const { return by_Q() + by_K() + by_V(); }

  ProjectionGradients with_dX(const Tensor& x) const {
    return {to_weight(dQ), to_weight(dK), to_weight(dV), x};
  }
  template <class F>
  ProjectionGradients with_weights(F weight) const {
    return {weight(dQ), weight(dK), weight(dV), dX()};
  }
};

// A function with the signature of part 4 from one of Projections.
template <auto f>
ProjectionGradients of_projections(const Tensor& dQ, const Tensor& dK, const Tensor& dV, const Tensor& X,
                                   const Tensor& W_Q, const Tensor& W_K, const Tensor& W_V) {
  return f(Projections{dQ, dK, dV, X, W_Q, W_K, W_V});
}
using P4 = const Projections&;

inline const std::vector<Mistake<ProjectionsBack>> kOfProjectionsBack = {
    {"batch-not-summed",
     "Your gradients of the weights still have the axis of the batch. All sequences use the same weights, so "
     "what comes back from them adds up: sum over axis 0.",
     kProjections, of_projections<[](P4 p) {
       return p.with_weights([&](const Tensor& d) { return matmul(transpose(p.X), d); });
     }>},
    {"mean-over-the-batch",
     "You took the mean over the sequences. What comes back from several uses of a weight adds up. A mean, "
     "if "
     "there is one, belongs to the loss, and is in dQ already.",
     kProjections, of_projections<[](P4 p) {
       return p.with_weights([&](const Tensor& d) { return mean(matmul(transpose(p.X), d), {0}); });
     }>},
    {"last-sequence-only",
     "Only the last sequence counts in your gradients of the weights, as by = where += belongs.",
     kProjections, of_projections<[](P4 p) {
       return p.with_weights(
           [&](const Tensor& d) { return sum(matmul(transpose(slice(p.X, 0, -1)), slice(d, 0, -1)), {0}); });
     }>},
    {"first-sequence-only",
     "Only the first sequence counts in your gradients of the weights. All of them use the weights: add up "
     "over axis 0.",
     kProjections, of_projections<[](P4 p) {
       return p.with_weights([&](const Tensor& d) {
         return sum(matmul(transpose(slice(p.X, 0, 0, 1)), slice(d, 0, 0, 1)), {0});
       });
     }>},
    {"transposed-weights",
     "Your gradients of the weights are transposed: dQᵀ X. A gradient has the shape of its weight, so write "
     "Xᵀ "
     "dQ. Square weights hide this.",
     kProjections, of_projections<[](P4 p) {
       return p.with_weights([&](const Tensor& d) { return sum(matmul(transpose(d), p.X), {0}); });
     }>},
    {"dX-by-the-queries-alone",
     "You went back to X through the queries only. X is used three times, and dX is the sum of what comes "
     "back "
     "from queries, keys and values.",
     kProjections, of_projections<[](P4 p) { return p.with_dX(p.by_Q()); }>},
    {"dX-by-the-values-alone",
     "Your dX has what comes back through the values only, as by = where += belongs. X is used three times: "
     "add the ways by Q and by K.",
     kProjections, of_projections<[](P4 p) { return p.with_dX(p.by_V()); }>},
    {"dX-without-the-queries",
     "You left the way through the queries out of dX. That is right when queries are computed from another "
     "sequence. Here Q comes from X too.",
     kProjections, of_projections<[](P4 p) { return p.with_dX(p.by_K() + p.by_V()); }>},
    {"dX-without-the-keys", "You left the way through the keys out of dX. X is used three times.",
     kProjections, of_projections<[](P4 p) { return p.with_dX(p.by_Q() + p.by_V()); }>},
    {"dX-without-the-values", "You left the way through the values out of dX. X is used three times.",
     kProjections, of_projections<[](P4 p) { return p.with_dX(p.by_Q() + p.by_K()); }>},
    {"mean-of-three-ways",
     "You took the mean of the three terms of dX. Each term is a use of X, and uses add up.", kProjections,
     of_projections<[](P4 p) { return p.with_dX(p.dX() / 3); }>},
    {"weights-not-transposed",
     "You multiplied by the weights as they are. In the forward pass X met W; in the backward pass dQ meets "
     "Wᵀ. "
     "Square "
     "weights hide this.",
     kProjections, of_projections<[](P4 p) {
       return p.with_dX(matmul(p.dQ, p.W_Q) + matmul(p.dK, p.W_K) + matmul(p.dV, p.W_V));
     }>},
    {"one-weight-for-all",
     "You went back through W_Q three times. Each of dQ, dK and dV goes back through the weight that it came "
     "from.",
     kProjections,
     of_projections<[](P4 p) { return p.with_dX(matmul(p.dQ + p.dK + p.dV, transpose(p.W_Q))); }>},
    {"W_Q-and-W_K-exchanged-in-dX",
     "You exchanged W_Q and W_K in dX. Each cotangent goes back through the weight that it came from: dQ "
     "through "
     "W_Q, dK through W_K. The two have one shape, which hides it.",
     kProjections, of_projections<[](P4 p) {
       return p.with_dX(matmul(p.dQ, transpose(p.W_K)) + matmul(p.dK, transpose(p.W_Q)) + p.by_V());
     }>},
    {"queries-and-keys-exchanged", "You exchanged the gradients of W_Q and W_K.", kProjections,
     of_projections<[](P4 p) {
       return ProjectionGradients{p.to_weight(p.dK), p.to_weight(p.dQ), p.to_weight(p.dV), p.dX()};
     }>},
    {"dX-summed-over-the-batch",
     "You added up dX over the sequences. Weights are shared by the sequences; X is not: each sequence has "
     "its "
     "own.",
     kProjections, of_projections<[](P4 p) { return p.with_dX(sum(p.dX(), {0})); }>},
};

}  // namespace mistakes
