// What people write in the place of the two parts about layer norm.
#pragma once

#include "mistakes.h"

namespace mistakes {

using LayerNorm = std::function<Tensor(const Tensor&, const Tensor&, const Tensor&, double)>;

inline Tensor centred(const Made& made, const Tensor& x) {
  if (made("mean-lies-down")) return x - mean(x, {-1});
  return x - mean(x, made("mean-over-columns") ? std::vector<int>{0} : axes_of(made, x), true);
}

// What a row is divided by.
inline Tensor spread(const Made& made, const Tensor& x, double eps) {
  const std::vector<int> axes = made("variance-over-columns") ? std::vector<int>{0} : axes_of(made, x);
  Tensor variance = made("uncentred-square") || made("rms-norm") ? mean(x * x, axes, true)
                    : made("n-minus-1")                          ? var(x, axes, true, 1)
                                                                 : var(x, axes, true);
  if (made("variance-lies-down")) variance = var(x, {-1});
  if (made("sum-of-squares")) variance = variance * x.length(-1);
  if (made("eps-squared")) eps = eps * eps;
  if (made("no-root")) return variance + eps;
  if (made("eps-outside-the-root")) return sqrt(variance) + eps;
  return sqrt(made("no-eps") ? variance : made("eps-subtracted") ? variance - eps : variance + eps);
}

inline Tensor normalized(const Made& made, const Tensor& of, const Tensor& w, const Tensor& b, double eps) {
  const Tensor x = made("w-first") ? of * w : made("b-first") ? of + b : of;
  const Tensor above = made("mean-not-subtracted") || made("rms-norm") ? x
                       : made("mean-added")                            ? x + mean(x, {-1}, true)
                                                                       : centred(made, x);
  const Tensor divisor = spread(made, x, eps);
  const Tensor x_hat = made("multiplied-by-the-spread") ? above * divisor
                       : made("not-divided")            ? above
                                                        : above / divisor;
  if (made("w-and-b-left-out")) return x_hat;
  if (made("w-and-b-exchanged")) return x_hat * b + w;
  const Tensor scale = made("w-left-out") || made("w-first") ? Tensor(1) : w,
               shift = made("b-left-out") || made("b-first") ? Tensor(0) : b;
  if (made("divided-by-w")) return x_hat / scale + shift;
  if (made("b-scaled-too")) return (x_hat + shift) * scale;
  if (made("w-added")) return x_hat + scale + shift;
  return made("b-subtracted") ? x_hat * scale - shift : x_hat * scale + shift;
}

inline const std::vector<grader::Slip> kSlipsOfLayerNormForward = {
    {"n-minus-1", "You divided by d - 1. The norm uses the variance of the numbers themselves, with d.",
     kNorms},
    {"sum-of-squares",
     "You divided by the root of a sum. The variance is the mean of the squares: divide the sum by d.",
     kNorms},
    {"eps-outside-the-root",
     "You added eps to the root. It is added to the variance, inside the root. With a small eps the two "
     "look alike, so few tests see it.",
     kNorms},
    {"eps-squared", "You squared eps. It is added to the variance as it is.", kNorms},
    {"eps-subtracted", "You subtracted eps. It is added to the variance.", kNorms},
    {"no-eps",
     "You left out eps. Beside changing the numbers a little, it keeps a row of equal numbers from being "
     "divided by 0.",
     kNorms},
    {"no-root", "You divided by the variance. The norm divides by its root, which grows as x does.", kNorms},
    {"multiplied-by-the-spread", "You multiplied by the root. Divide by it.", kNorms},
    {"not-divided", "You did not divide by the root of the variance.", kNorms},
    {"over-columns",
     "You took mean and variance down the columns, over axis 0. That is how batch norm does it; layer "
     "norm takes each row for itself.",
     kNorms},
    {"axis-1-for-the-last",
     "You used axis 1. That is the last axis of a matrix only; -1 is the last axis of any tensor.", kNorms},
    {"all-numbers-at-once",
     "You took mean and variance over all numbers of x. Each row has its own: mean(x, {-1}, true).", kNorms},
    {"mean-over-columns", "You took the mean down the columns, over axis 0. Each row has its own mean.",
     kNorms},
    {"variance-over-columns",
     "You took the variance down the columns, over axis 0. Each row has its own variance.", kNorms},
    {"mean-not-subtracted", "You divided by the spread, but did not subtract the mean before.", kNorms},
    {"mean-added", "You added the mean. Subtract it.", kNorms},
    {"uncentred-square",
     "Your spread is that of x with its mean still in it. The variance is the mean of (x - mean)².", kNorms},
    {"rms-norm", "You wrote RMS norm: the mean of the squares, without the mean subtracted first.", kNorms},
    {"w-and-b-left-out", "You returned the normalized x. It is then multiplied by w, and b is added.",
     kNorms},
    {"w-left-out", "You left out w. The normalized x is multiplied by it.", kNorms},
    {"w-added", "You added w. The normalized x is multiplied by it.", kNorms},
    {"divided-by-w", "You divided by w. The normalized x is multiplied by it.", kNorms},
    {"w-first", "You multiplied x by w before the norm. It multiplies the normalized x.", kNorms},
    {"b-first", "You added b to x before the norm. It is added at the end, after w.", kNorms},
    {"mean-lies-down",
     "Your means lie in a row: without `true` mean drops the axis, and the mean of row i meets column i. Keep "
     "the axis: mean(x, {-1}, true).",
     kNorms},
    {"variance-lies-down",
     "Your variances lie in a row: without `true` var drops the axis, and the variance of row i meets column "
     "i. Keep the axis: var(x, {-1}, true).",
     kNorms},
    {"b-left-out", "You left out b. It is added at the end.", kNorms},
    {"w-and-b-exchanged", "You exchanged w and b. w multiplies, b is added.", kNorms},
    {"b-subtracted", "You subtracted b. It is added.", kNorms},
    {"b-scaled-too", "You added b before multiplying by w. First w, then b.", kNorms}};

inline std::vector<Mistake<LayerNorm>> of_layer_norm_forward() {
  return slips_of<LayerNorm>(normalized, kSlipsOfLayerNormForward);
}

using LayerNormBack = std::function<LayerNormGradients(const Tensor&, const Tensor&, const Tensor&, double)>;

// The gradient of x from t, the cotangent of x_hat.
inline Tensor back_to_x(const Made& made, const Tensor& g, const Tensor& t, const Tensor& c,
                        const Tensor& x_hat, const Tensor& r) {
  const auto over_row = [&](const Tensor& x) {
    const Tensor m = made("one-mean-for-all-rows") ? mean(x)
                     : made("means-over-columns")  ? mean(x, {0}, true)
                     : made("means-lie-down")      ? mean(x, {-1})
                                                   : mean(x, {-1}, true);
    return made("sums-for-means") ? m * x.length(-1) : m;
  };
  const bool fixed = made("mean-and-spread-held-fixed");
  const Tensor along = made("x-for-normalized-x") ? c : x_hat;
  const Tensor& of = made("w-missing-in-the-last-mean") ? g : t;
  const Tensor inside =
                   made("x_hat-missing-in-the-mean") ? of : of * (made("x-in-the-mean-alone") ? c : along),
               outside = made("x_hat-missing-before-the-mean") ? Tensor(1) : along;
  Tensor dx = t;
  const Tensor first = over_row(made("w-missing-in-the-first-mean") ? g : t);
  if (!fixed && !made("mean-held-fixed")) dx = made("mean-of-t-added") ? dx + first : dx - first;
  Tensor last = outside * over_row(inside);
  if (made("last-mean-not-taken")) last = outside * inside;
  if (!fixed && !made("spread-held-fixed")) dx = made("spread-with-a-plus") ? dx + last : dx - last;
  return made("no-r") ? dx : made("divided-by-r") ? dx / r : made("r-squared") ? dx * r * r : dx * r;
}

inline LayerNormGradients backward(const Made& made, const Tensor& g, const Tensor& x, const Tensor& w,
                                   double eps) {
  const Tensor c = x - mean(x, {-1}, true), variance = var(x, {-1}, true);
  const bool bare = made("no-eps-in-both");
  const Tensor right = 1 / sqrt(bare ? variance : variance + eps);
  const Tensor r = made("no-eps-in-r")            ? 1 / sqrt(variance)
                   : made("eps-outside-the-root") ? 1 / (sqrt(variance) + eps)
                                                  : right;
  const Tensor x_hat = made("x_hat-times-w") ? c * right * w : c * right;
  const Tensor t = made("w-left-out-of-dx") || made("w-multiplied-last") ? g * 1 : g * w;
  Tensor dx = back_to_x(made, g, t, c, x_hat, r);
  if (made("w-multiplied-last")) dx = dx * w;
  const auto rows = static_cast<double>(x.size() / w.size());
  const auto over_rows = [&](const Tensor& of, const char* as_it_is, const char* as_mean) {
    if (made(as_it_is) || made("rows-not-summed")) return of * 1;
    return sum_to(of, w.shape()) / (made(as_mean) || made("mean-over-rows") ? rows : 1);
  };
  const Tensor with = made("dw-from-x")           ? x
                      : made("dw-from-centred-x") ? c
                      : made("dw-times-w")        ? x_hat * w
                                                  : x_hat;
  Tensor dw = over_rows(g * with, "dw-not-summed", "dw-is-a-mean"),
         db = over_rows(made("db-from-t") ? g * w : g, "db-not-summed", "db-is-a-mean");
  if (made("dw-without-x_hat")) dw = over_rows(g, "dw-not-summed", "dw-is-a-mean");
  if (made("db-with-x_hat")) db = over_rows(g * x_hat, "db-not-summed", "db-is-a-mean");
  if (made("w-and-b-exchanged")) std::swap(dw, db);
  if (made("dw-with-a-minus")) dw = -dw;
  if (made("db-with-a-minus")) db = -db;
  return {made("wrong-sign") ? -dx : dx, dw, db};
}

inline const std::vector<grader::Slip> kSlipsOfLayerNormBackward = {
    {"mean-and-spread-held-fixed",
     "You treated mean and spread as constants. Both are computed from x, and each sends something back.",
     kBackThroughNorms},
    {"spread-held-fixed",
     "You went back through the mean, but not through the variance. The part along the normalized x is "
     "still in your gradient.",
     kBackThroughNorms},
    {"mean-held-fixed",
     "You went back through the variance, but not through the mean. Your gradient of x does not sum to 0 "
     "in each row.",
     kBackThroughNorms},
    {"mean-of-t-added", "You added the mean of t. It is subtracted.", kBackThroughNorms},
    {"spread-with-a-plus", "You added the part along the normalized x. It is subtracted, as the mean is.",
     kBackThroughNorms},
    {"x_hat-missing-in-the-mean", "The last mean is over t⊙x̂, with the normalized x. Yours is over t alone.",
     kBackThroughNorms},
    {"x_hat-missing-before-the-mean",
     "The mean of t⊙x̂ is multiplied by the normalized x. You left that factor out.", kBackThroughNorms},
    {"w-left-out-of-dx",
     "You went back to x without w. On its way g first passes the product with w: t = g⊙w takes its "
     "place.",
     kBackThroughNorms},
    {"w-multiplied-last",
     "You multiplied by w at the end. The means are over g⊙w, so w must be in before they are taken.",
     kBackThroughNorms},
    {"sums-for-means",
     "You subtracted sums. The mean and the variance each contain 1/d, so means must be subtracted.",
     kBackThroughNorms},
    {"one-mean-for-all-rows", "Your means are over all rows. Each row has its own.", kBackThroughNorms},
    {"means-over-columns",
     "Your means are down the columns, over axis 0. Each row has its own: mean(t, {-1}, true).",
     kBackThroughNorms},
    {"means-lie-down",
     "Your means lie in a row: without `true` mean drops the axis, and the mean of row i meets column i. Keep "
     "the axis: mean(t, {-1}, true).",
     kBackThroughNorms},
    {"w-missing-in-the-first-mean",
     "The mean that you subtract is that of g. On its way to x, g first passes the product with w: take the "
     "mean of t = g⊙w.",
     kBackThroughNorms},
    {"w-missing-in-the-last-mean",
     "Your last mean is over g⊙x̂. On its way to x, g first passes the product with w: take the mean of t⊙x̂, "
     "t = g⊙w.",
     kBackThroughNorms},
    {"last-mean-not-taken",
     "You multiplied x̂ by t⊙x̂ itself. What multiplies it is the mean of t⊙x̂ over the row.",
     kBackThroughNorms},
    {"dw-with-a-minus", "Your gradient of w has the wrong sign.", kBackThroughNorms},
    {"db-with-a-minus", "Your gradient of b has the wrong sign.", kBackThroughNorms},
    {"no-eps-in-r",
     "Your r is 1/√variance. Section 7 derives the norm without eps; here r = 1/√(variance + eps).",
     kBackThroughNorms},
    {"no-eps-in-both",
     "You left out eps, in r and in the normalized x. Section 7 derives the norm without eps; here both "
     "have 1/√(variance + eps).",
     kBackThroughNorms},
    {"eps-outside-the-root", "Your r has eps beside the root. It is added to the variance, inside.",
     kBackThroughNorms},
    {"no-r", "You left out the factor r = 1/√(variance + eps) in front of the gradient of x.",
     kBackThroughNorms},
    {"divided-by-r", "You divided by r, that is multiplied by the spread. Multiply by r.", kBackThroughNorms},
    {"r-squared", "Your r lacks its root, or you multiplied by it twice: r = 1/√(variance + eps), once.",
     kBackThroughNorms},
    {"x-for-normalized-x",
     "You used x minus its mean in the last term. What belongs there, twice, is the normalized x.",
     kBackThroughNorms},
    {"x-in-the-mean-alone",
     "The last mean is over t times x minus its mean. What belongs there is the normalized x.",
     kBackThroughNorms},
    {"x_hat-times-w", "Your normalized x has w in it. Part 5 gives it with w = 1 and b = 0.",
     kBackThroughNorms},
    {"wrong-sign", "Your gradient of x has the wrong sign.", kBackThroughNorms},
    {"dw-from-x", "Your gradient of w uses x. w was multiplied with the normalized x, so that stands there.",
     kBackThroughNorms},
    {"dw-from-centred-x",
     "Your gradient of w uses x minus its mean. w was multiplied with the normalized x, which is divided "
     "by the spread too.",
     kBackThroughNorms},
    {"dw-without-x_hat",
     "Your gradient of w is that of b. w was multiplied with the normalized x: g⊙x̂, summed over the rows.",
     kBackThroughNorms},
    {"dw-times-w",
     "Your gradient of w contains w. The slope of a product by one factor is the other factor alone.",
     kBackThroughNorms},
    {"mean-over-rows",
     "You took means over the rows for the gradients of w and b. All rows share w and b, so what comes "
     "from the rows adds up.",
     kBackThroughNorms},
    {"dw-is-a-mean", "You took a mean over the rows for the gradient of w. It is a sum.", kBackThroughNorms},
    {"db-is-a-mean", "You took a mean over the rows for the gradient of b. It is a sum.", kBackThroughNorms},
    {"rows-not-summed",
     "Your gradients of w and b have a row for each row of x. All rows share w and b: sum over the rows, "
     "to the shape (d).",
     kBackThroughNorms},
    {"dw-not-summed",
     "Your gradient of w has a row for each row of x. All rows share w: sum over them, to the shape (d).",
     kBackThroughNorms},
    {"db-not-summed",
     "Your gradient of b has a row for each row of x. All rows share b: sum over them, to the shape (d).",
     kBackThroughNorms},
    {"db-with-x_hat",
     "Your gradient of b contains the normalized x, as that of w does. b is added: only g reaches it.",
     kBackThroughNorms},
    {"db-from-t", "Your gradient of b contains w. b is added after the product with w: only g reaches it.",
     kBackThroughNorms},
    {"w-and-b-exchanged", "You returned the gradients of w and b in each other's place.", kBackThroughNorms}};

inline std::vector<Mistake<LayerNormBack>> of_layer_norm_backward() {
  return slips_of<LayerNormBack>(backward, kSlipsOfLayerNormBackward);
}

}  // namespace mistakes
