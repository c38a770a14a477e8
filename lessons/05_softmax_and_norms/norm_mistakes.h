// What people write in the place of the two parts about layer norm.
#pragma once

#include "mistakes.h"

namespace mistakes {

using LayerNorm = Tensor (*)(const Tensor&, const Tensor&, const Tensor&, double);

inline Tensor centred(const Tensor& x) { return x - row_mean(x); }

inline const std::vector<Mistake<LayerNorm>> kOfLayerNormForward = {
    {"n-minus-1", "You divided by d - 1. The norm uses the variance of the numbers themselves, with d.",
     kNorms,
     [](const Tensor& x, const Tensor& w, const Tensor& b, double eps) {
       return centred(x) / sqrt(var(x, {-1}, true, 1) + eps) * w + b;
     }},
    {"eps-outside-the-root",
     "You added eps to the root. It is added to the variance, inside the root. With a small eps the two "
     "look alike, so few tests see it.",
     kNorms,
     [](const Tensor& x, const Tensor& w, const Tensor& b, double eps) {
       return centred(x) / (sqrt(row_var(x)) + eps) * w + b;
     }},
    {"no-eps",
     "You left out eps. Beside changing the numbers a little, it keeps a row of equal numbers from being "
     "divided by 0.",
     kNorms,
     [](const Tensor& x, const Tensor& w, const Tensor& b, double) {
       return centred(x) / sqrt(row_var(x)) * w + b;
     }},
    {"no-root", "You divided by the variance. The norm divides by its root, which grows as x does.", kNorms,
     [](const Tensor& x, const Tensor& w, const Tensor& b, double eps) {
       return centred(x) / (row_var(x) + eps) * w + b;
     }},
    {"over-columns",
     "You took mean and variance down the columns, over axis 0. That is how batch norm does it; layer norm "
     "takes each row for itself.",
     kNorms,
     [](const Tensor& x, const Tensor& w, const Tensor& b, double eps) {
       return (x - mean(x, {0}, true)) / sqrt(var(x, {0}, true) + eps) * w + b;
     }},
    {"axis-1-for-the-last",
     "You used axis 1. That is the last axis of a matrix only; -1 is the last axis of any tensor.", kNorms,
     [](const Tensor& x, const Tensor& w, const Tensor& b, double eps) {
       return (x - mean(x, {1}, true)) / sqrt(var(x, {1}, true) + eps) * w + b;
     }},
    {"all-numbers-at-once",
     "You took mean and variance over all numbers of x. Each row has its own: mean(x, {-1}, true).", kNorms,
     [](const Tensor& x, const Tensor& w, const Tensor& b, double eps) {
       return (x - mean(x)) / sqrt(var(x) + eps) * w + b;
     }},
    {"mean-not-subtracted", "You divided by the spread, but did not subtract the mean before.", kNorms,
     [](const Tensor& x, const Tensor& w, const Tensor& b, double eps) {
       return x / sqrt(row_var(x) + eps) * w + b;
     }},
    {"rms-norm", "You wrote RMS norm: the mean of the squares, without the mean subtracted first.", kNorms,
     [](const Tensor& x, const Tensor& w, const Tensor& b, double eps) {
       return x / sqrt(row_mean(x * x) + eps) * w + b;
     }},
    {"w-and-b-left-out", "You returned the normalized x. It is then multiplied by w, and b is added.", kNorms,
     [](const Tensor& x, const Tensor&, const Tensor&, double eps) {
       return centred(x) / sqrt(row_var(x) + eps);
     }},
    {"b-scaled-too", "You added b before multiplying by w. First w, then b.", kNorms,
     [](const Tensor& x, const Tensor& w, const Tensor& b, double eps) {
       return (centred(x) / sqrt(row_var(x) + eps) + b) * w;
     }},
};

using LayerNormBack = LayerNormGradients (*)(const Tensor&, const Tensor&, const Tensor&, double);

// What the formula is made of.
struct Pieces {
  Tensor x_hat, r, t, dw, db;
  Pieces(const Tensor& g, const Tensor& x, const Tensor& w, double eps)
      : x_hat(centred(x) / sqrt(row_var(x) + eps)),
        r(1 / sqrt(row_var(x) + eps)),
        t(g * w),
        dw(sum_to(g * x_hat, w.shape())),
        db(sum_to(g, w.shape())) {}
  Tensor dx(const Tensor& of) const { return r * (of - row_mean(of) - x_hat * row_mean(of * x_hat)); }
};

inline const std::vector<Mistake<LayerNormBack>> kOfLayerNormBackward = {
    {"mean-and-spread-held-fixed",
     "You treated mean and spread as constants. Both are computed from x, and each sends something back.",
     kBackThroughNorms,
     [](const Tensor& g, const Tensor& x, const Tensor& w, double eps) {
       const Pieces p(g, x, w, eps);
       return LayerNormGradients{p.r * p.t, p.dw, p.db};
     }},
    {"spread-held-fixed",
     "You went back through the mean, but not through the variance. The part along the normalized x is "
     "still in your gradient.",
     kBackThroughNorms,
     [](const Tensor& g, const Tensor& x, const Tensor& w, double eps) {
       const Pieces p(g, x, w, eps);
       return LayerNormGradients{p.r * centred(p.t), p.dw, p.db};
     }},
    {"mean-held-fixed",
     "You went back through the variance, but not through the mean. Your gradient of x does not sum to 0 in "
     "each row.",
     kBackThroughNorms,
     [](const Tensor& g, const Tensor& x, const Tensor& w, double eps) {
       const Pieces p(g, x, w, eps);
       return LayerNormGradients{p.r * (p.t - p.x_hat * row_mean(p.t * p.x_hat)), p.dw, p.db};
     }},
    {"w-left-out-of-dx",
     "You went back to x without w. On its way g first passes the product with w: t = g⊙w takes its place.",
     kBackThroughNorms,
     [](const Tensor& g, const Tensor& x, const Tensor& w, double eps) {
       const Pieces p(g, x, w, eps);
       return LayerNormGradients{p.dx(g), p.dw, p.db};
     }},
    {"w-multiplied-last",
     "You multiplied by w at the end. The means are over g⊙w, so w must be in before they are taken.",
     kBackThroughNorms,
     [](const Tensor& g, const Tensor& x, const Tensor& w, double eps) {
       const Pieces p(g, x, w, eps);
       return LayerNormGradients{p.dx(g) * w, p.dw, p.db};
     }},
    {"sums-for-means",
     "You subtracted sums. The mean and the variance each contain 1/d, so means must be subtracted.",
     kBackThroughNorms,
     [](const Tensor& g, const Tensor& x, const Tensor& w, double eps) {
       const Pieces p(g, x, w, eps);
       return LayerNormGradients{p.r * (p.t - row_sum(p.t) - p.x_hat * row_sum(p.t * p.x_hat)), p.dw, p.db};
     }},
    {"no-eps-in-r",
     "Your r is 1/√variance. Section 7 derives the norm without eps; here r = 1/√(variance + eps).",
     kBackThroughNorms,
     [](const Tensor& g, const Tensor& x, const Tensor& w, double eps) {
       const Pieces p(g, x, w, eps), without(g, x, w, 0);
       return LayerNormGradients{without.r / p.r * p.dx(p.t), p.dw, p.db};
     }},
    {"no-eps-in-both",
     "You left out eps, in r and in the normalized x. Section 7 derives the norm without eps; here both have "
     "1/√(variance + eps).",
     kBackThroughNorms,
     [](const Tensor& g, const Tensor& x, const Tensor& w, double) {
       const Pieces p(g, x, w, 0);
       return LayerNormGradients{p.dx(p.t), p.dw, p.db};
     }},
    {"no-r", "You left out the factor r = 1/√(variance + eps) in front of the gradient of x.",
     kBackThroughNorms,
     [](const Tensor& g, const Tensor& x, const Tensor& w, double eps) {
       const Pieces p(g, x, w, eps);
       return LayerNormGradients{p.dx(p.t) / p.r, p.dw, p.db};
     }},
    {"x-for-normalized-x",
     "You used x minus its mean in the last term. What belongs there, twice, is the normalized x.",
     kBackThroughNorms,
     [](const Tensor& g, const Tensor& x, const Tensor& w, double eps) {
       const Pieces p(g, x, w, eps);
       const Tensor c = centred(x);
       return LayerNormGradients{p.r * (centred(p.t) - c * row_mean(p.t * c)), p.dw, p.db};
     }},
    {"dw-from-x", "Your gradient of w uses x. w was multiplied with the normalized x, so that stands there.",
     kBackThroughNorms,
     [](const Tensor& g, const Tensor& x, const Tensor& w, double eps) {
       const Pieces p(g, x, w, eps);
       return LayerNormGradients{p.dx(p.t), sum_to(g * x, w.shape()), p.db};
     }},
    {"dw-times-w",
     "Your gradient of w contains w. The slope of a product by one factor is the other factor alone.",
     kBackThroughNorms,
     [](const Tensor& g, const Tensor& x, const Tensor& w, double eps) {
       const Pieces p(g, x, w, eps);
       return LayerNormGradients{p.dx(p.t), p.dw * w, p.db};
     }},
    {"mean-over-rows",
     "You took means over the rows for the gradients of w and b. All rows share w and b, so what comes from "
     "the rows adds up.",
     kBackThroughNorms,
     [](const Tensor& g, const Tensor& x, const Tensor& w, double eps) {
       const Pieces p(g, x, w, eps);
       const std::size_t rows = x.size() / w.size();
       return LayerNormGradients{p.dx(p.t), p.dw / rows, p.db / rows};
     }},
    {"db-from-t", "Your gradient of b contains w. b is added after the product with w: only g reaches it.",
     kBackThroughNorms,
     [](const Tensor& g, const Tensor& x, const Tensor& w, double eps) {
       const Pieces p(g, x, w, eps);
       return LayerNormGradients{p.dx(p.t), p.dw, sum_to(p.t, w.shape())};
     }},
    {"w-and-b-exchanged", "You returned the gradients of w and b in each other's place.", kBackThroughNorms,
     [](const Tensor& g, const Tensor& x, const Tensor& w, double eps) {
       const Pieces p(g, x, w, eps);
       return LayerNormGradients{p.dx(p.t), p.db, p.dw};
     }},
};

}  // namespace mistakes
