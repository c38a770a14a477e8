// What learners write instead of gram_vjp and shares_vjp.
#pragma once

#include "vjp_mistakes.h"

namespace mistakes {

// The numbers of g[i,i], and 0 elsewhere.
inline Tensor diagonal(const Tensor& g) {
  Array kept = zeros(g.shape()).array();
  for (std::size_t i = 0; i < g.length(0); ++i) kept(i, i) = g.array()(i, i);
  return Tensor(kept);
}

inline Tensor gram_with_slips(const Made& made, Tensor g, const Tensor& X) {
  if (made("g-forgotten")) g = ones(g.shape());
  if (made("diagonal-alone")) g = diagonal(g);
  const bool exchanged = made("factors-exchanged"), turned = made("X-transposed");
  const auto to_left = [&] {
    if (exchanged) return matmul(X, g);
    return matmul(g, turned || made("W-not-transposed") ? transpose(X) : X);
  };
  const auto to_right = [&] {
    if (exchanged) return matmul(X, transpose(g));
    if (made("W-bar-not-transposed")) return matmul(transpose(X), g);
    return matmul(transpose(g), turned ? transpose(X) : X);
  };
  const auto both = [&] {
    if (made("right-factor-forgotten")) return to_left();
    if (made("left-factor-forgotten")) return to_right();
    if (made("left-factor-twice")) return 2 * to_left();
    if (made("right-factor-twice")) return 2 * to_right();
    return made("subtracted") ? to_left() - to_right() : to_left() + to_right();
  };
  Tensor X_bar = both();
  if (made("diagonal-once")) X_bar = X_bar - matmul(diagonal(g), X);
  if (made("other-sign")) X_bar = -X_bar;
  if (made("averaged")) X_bar = X_bar / 2;
  if (made("doubled")) X_bar = 2 * X_bar;
  return made("transposed") ? transpose(X_bar) : X_bar;
}

inline const std::vector<Slip> kSlipsInGram = {
    {"right-factor-forgotten",
     "You return g X. That comes to X as the left factor. X is the right factor too, transposed: add what "
     "comes to it there.",
     kMatmul},
    {"left-factor-forgotten",
     "You return gᵀ X. That comes to X as the right factor. X is the left factor too: add what comes to it "
     "there.",
     kMatmul},
    {"left-factor-twice",
     "You doubled g X. What comes to the right factor is gᵀ X, and the two agree only if g is symmetric.",
     kMatmul},
    {"right-factor-twice",
     "You doubled gᵀ X. What comes to the left factor is g X, and the two agree only if g is symmetric.",
     kMatmul},
    {"subtracted",
     "You subtracted what comes to one factor from what comes to the other. What comes from all paths is "
     "added.",
     kMatmul},
    {"averaged",
     "You took the mean of what comes to the two factors. Both move the loss: what comes from all paths is "
     "added.",
     kMatmul},
    {"W-not-transposed",
     "For the left factor you multiplied by Xᵀ. By the formula X̄ = g Wᵀ, and here W is Xᵀ: so Wᵀ is X.",
     kMatmul},
    {"W-bar-not-transposed",
     "For the right factor you added Xᵀ g. That is the cotangent of Xᵀ, of shape (k,n). Transpose it to get "
     "what comes to X.",
     kMatmul},
    {"factors-exchanged",
     "You multiplied with g on the right. The formula for the left factor is X̄ = g Wᵀ: g stands on the "
     "left.",
     kMatmul},
    {"X-transposed", "You multiplied by Xᵀ. By the formula X̄ = g Wᵀ, and here W is Xᵀ: so Wᵀ is X.", kMatmul},
    {"doubled",
     "Your numbers are twice too large. g X comes to the left factor once and gᵀ X to the right one once.",
     kMatmul},
    {"other-sign", "All signs are turned round: g X + gᵀ X has no minus.", kMatmul},
    {"transposed", "You return the transpose of X̄. The cotangent of X has the shape of X.", kMatmul},
    {"g-forgotten",
     "You used ones in the place of g. That is right when the loss is the sum of Y, and for no other loss.",
     kCotangent},
    {"diagonal-once",
     "You counted the paths through Y[i,i] once. There each number of row i is squared, so its slope is 2 X.",
     kMatmul},
    {"diagonal-alone",
     "You followed row i into Y[i,i] alone. It stands in all of row i and of column i of Y.", kMatmul}};

inline Tensor row_sum(const Tensor& x) { return sum(x, {-1}, true); }
inline Tensor shares(const Tensor& x) { return x / row_sum(x); }

inline Tensor divisor_of_shares(const Made& made, const Tensor& x) {
  if (made("mean-for-s")) return mean(x, {-1}, true);
  if (made("s-of-everything")) return sum(x);
  if (made("s-of-columns")) return sum(x, {0}, true);
  return made("s-without-its-axis") ? sum(x, {-1}) : row_sum(x);
}

// What comes through the sum, and is subtracted from g. y are the weights.
inline Tensor through_the_sum(const Made& made, const Tensor& g, const Tensor& y) {
  if (made("path-through-the-sum-forgotten")) return zeros({});
  if (made("diagonal-only")) return y * g;
  if (made("jacobian-not-transposed")) return y * row_sum(g);
  if (made("plain-mean")) return mean(g, {-1}, true);
  if (made("sum-of-g")) return row_sum(g);
  if (made("mean-of-y-g")) return mean(y * g, {-1}, true);
  if (made("sum-over-all-rows")) return sum(y * g);
  if (made("sum-over-columns")) return sum(y * g, {0}, true);
  return made("axis-dropped") ? sum(y * g, {-1}) : row_sum(y * g);
}

inline Tensor shares_with_slips(const Made& made, Tensor g, const Tensor& x) {
  if (made("g-forgotten")) g = ones(g.shape());
  const Tensor s = divisor_of_shares(made, x), y = x / s;
  const Tensor weights = made("x-for-y") ? x : made("one-over-s-for-y") ? 1 / s : y;
  const Tensor sum_of_row = through_the_sum(made, g, weights);
  const Tensor through = made("sum-divided-once-more") ? sum_of_row / s : sum_of_row;
  if (made("only-the-sum-divided")) return g - through / s;
  const Tensor change = made("plus") ? g + through : made("other-sign") ? through - g : g - through;
  if (made("as-a-softmax")) return y * change;
  if (made("not-divided")) return change;
  if (made("multiplied-by-s")) return change * s;
  return made("divided-twice") ? change / s / s : change / s;
}

inline const std::vector<Slip> kSlipsInShares = {
    {"path-through-the-sum-forgotten",
     "You return g / s, as if s were fixed. Raising one x raises s and lowers all other y of its row.",
     kSoftmax},
    {"diagonal-only",
     "You used (1 - y) / s, the slope of each y by its own x. Every y of a row also depends on every other x "
     "of the row.",
     kSoftmax},
    {"jacobian-not-transposed",
     "You computed J g and not Jᵀ g. The slope of y[i] by x[j] is -y[i] / s: x[j] collects y[i] * g[i] over "
     "all i.",
     kCotangent},
    {"as-a-softmax",
     "This is the backward pass of a softmax. There the slope of each power is the power itself, and the "
     "factor y comes from that. Here x stands alone: divide by s instead.",
     kSoftmax},
    {"not-divided", "The division by s is missing. Its slope 1 / s is common to all paths.", kSoftmax},
    {"divided-twice",
     "You divided by s twice. The sum has its division in y already; one more, for all, is enough.",
     kSoftmax},
    {"only-the-sum-divided",
     "You wrote g - … / s without brackets, so the sum alone is divided by s. All of it is: (g - …) / s.",
     kSoftmax},
    {"sum-divided-once-more",
     "You divided the sum by s once too often: x / s has one division already, and the one for all follows.",
     kSoftmax},
    {"multiplied-by-s", "You multiplied by s. The slope of x / s by x is 1 / s.", kSoftmax},
    {"other-sign", "All signs are turned round: it is g minus the sum, and not the sum minus g.", kSoftmax},
    {"plus", "You added the sum of y * g. A larger s makes each y smaller, so it is subtracted.", kSoftmax},
    {"plain-mean",
     "You subtracted the plain mean of g. The mean is weighted: each g counts with its share y.", kSoftmax},
    {"sum-of-g", "You subtracted the sum of g. It is the sum of y * g that is subtracted.", kSoftmax},
    {"x-for-y",
     "You return (g - Σ x * g) / s. The slope by the row's sum is -x / s²: after one division by s in "
     "common, x / s remains, which is y. In g / s - Σ y * g the brackets are missing: (g - Σ y * g) / s.",
     kSoftmax},
    {"one-over-s-for-y",
     "You summed g / s. The slope of y by the row's sum is -x / s²: after one division by s in common, x / s "
     "remains, which is y.",
     kSoftmax},
    {"mean-of-y-g",
     "You took the mean of y * g. All of its numbers act on the row by the same s: take the sum.", kSoftmax},
    {"sum-over-all-rows",
     "You summed y * g over the whole tensor. Each row has shares of its own and a sum of its own.",
     kSoftmax},
    {"sum-over-columns",
     "You summed y * g over axis 0. The shares go along the last axis, and so does the sum.", kSoftmax},
    {"axis-dropped",
     "You summed y * g along the last axis without keeping the axis. The sums then stand along the wrong "
     "axis, or do not fit: sum(y * g, {-1}, true).",
     kSoftmax},
    {"s-of-everything", "Your s is the sum of all numbers. Each row has a sum of its own.", kSoftmax},
    {"mean-for-s", "Your s is the mean of the row. It is its sum.", kSoftmax},
    {"s-of-columns", "Your s is the sum along axis 0. The shares go along the last axis.", kSoftmax},
    {"s-without-its-axis",
     "Your s has lost its axis, so it divides along another one, or does not fit. Keep the axis: sum(x, "
     "{-1}, true).",
     kSoftmax},
    {"g-forgotten",
     "You left out g. How fast the loss moves with each y is g, and each slope is multiplied by it.",
     kCotangent}};

}  // namespace mistakes
