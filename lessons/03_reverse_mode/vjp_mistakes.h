// What learners write instead of div_vjp and variance_vjp: the bank of the checker.
#pragma once

#include <algorithm>

#include "grader/slips.h"
#include "headlight/ops/ops.h"

namespace mistakes {

using grader::Made, grader::Slip;

// The headings of the text to read again.
inline const std::string kCotangent = "The cotangent of a tensor", kMatmul = "Matmul",
                         kBroadcast = "Broadcasting and sums", kSoftmax = "Softmax",
                         kCheck = "The gradient check";

using Two = std::pair<Tensor, Tensor>;
using DivVjp = std::function<Two(const Tensor&, const Tensor&, const Tensor&)>;
using VarianceVjp = std::function<Tensor(const Tensor&, const Tensor&, int)>;
using OneInput = std::function<Tensor(const Tensor&, const Tensor&)>;

// How often broadcasting repeats each number of `small`.
inline double copies(const Shape& small, const Shape& large) {
  return static_cast<double>(size_of(large)) / static_cast<double>(size_of(small));
}

// `product` put back into `shape` with = where += belongs: of the copies of a number only the last is kept.
inline Tensor last_copy(const Tensor& product, const Shape& shape) {
  const Tensor places = broadcast_to(reshape_to(arange(size_of(shape)), shape), product.shape());
  Array kept = zeros(shape).array();
  for (std::size_t i = 0; i < product.size(); ++i)
    kept.data()[static_cast<std::size_t>(places.array().data()[i])] = product.array().data()[i];
  return Tensor(kept);
}

// g times the slopes of z by an input, brought back into the shape of the input.
inline Tensor brought_back(const Made& made, const Tensor& g, const Tensor& slopes, const Shape& shape) {
  if (made("summed-too-early")) return sum_to(g, shape) * sum_to(slopes * ones(g.shape()), shape);
  if (made("summed-before-the-product")) return sum_to(g, shape) * slopes;
  const Tensor product = g * slopes;
  if (made("not-summed-back")) return product;
  if (made("last-copy")) return last_copy(product, shape);
  return sum_to(product, shape) / (made("mean-over-copies") ? copies(shape, g.shape()) : 1);
}

inline Two div_with_slips(const Made& made, const Tensor& g, const Tensor& x, const Tensor& y) {
  const bool product = made("as-a-product");
  const Tensor one = ones(g.shape());
  const Tensor g_x = made("g-forgotten") || made("g-forgotten-for-x") ? one : g,
               g_y = made("g-forgotten") || made("g-forgotten-for-y") ? one : g;
  const Tensor by_x = product || made("multiplied-by-y") ? y
                      : made("x-divided-twice")          ? 1 / (y * y)
                      : made("minus-for-x")              ? -1 / y
                                                         : (made("z-for-a-slope") ? x : ones({})) / y;
  const Tensor above = made("x-forgotten")       ? ones({})
                       : made("roles-exchanged") ? y
                                                 : x,
               root = made("roles-exchanged") ? x : y, below = made("square-forgotten") ? root : root * root;
  const Tensor slope = product                      ? -x
                       : made("brackets-forgotten") ? above / root * root
                       : made("divided-once-more")  ? above / below / y
                                                    : above / below;
  const Tensor by_y = (made("sign-forgotten") ? 1 : -1) * slope;
  const bool turned = made("shapes-exchanged");
  const Shape &to_x = turned || made("both-into-y") ? y.shape() : x.shape(),
              &to_y = turned || made("both-into-x") ? x.shape() : y.shape();
  Two both{made("only-y-summed-back") ? g_x * by_x : brought_back(made, g_x, by_x, to_x),
           made("only-x-summed-back") ? g_y * by_y : brought_back(made, g_y, by_y, to_y)};
  if (made("exchanged")) std::swap(both.first, both.second);
  return both;
}

inline const std::vector<Slip> kSlipsInDiv = {
    {"exchanged", "Your two cotangents are exchanged. That of x comes first.", kBroadcast},
    {"sign-forgotten",
     "The cotangent of y lacks its minus sign. If y grows, x / y shrinks: the slope is -x / y².", kCotangent},
    {"square-forgotten",
     "In the cotangent of y you divided by y once. The slope of x / y by y is -x / y²: the derivative of 1 / "
     "y is -1 / y².",
     kCotangent},
    {"brackets-forgotten",
     "In the cotangent of y you wrote / y * y, which divides by y and then multiplies by it. It takes "
     "brackets: / (y * y).",
     kCotangent},
    {"divided-once-more",
     "In the cotangent of y you divided by y three times. The quotient x / y has one division already, and "
     "its slope has two: -x / y².",
     kCotangent},
    {"x-divided-twice", "In the cotangent of x you divided by y twice. The slope of x / y by x is 1 / y.",
     kCotangent},
    {"minus-for-x",
     "In the cotangent of x there is a minus sign too many. If x grows, x / y grows by 1 / y as much.",
     kCotangent},
    {"x-forgotten",
     "In the cotangent of y the factor x is missing. The slope of x / y by y is -x / y², as x · 1/y is a "
     "multiple of 1/y.",
     kCotangent},
    {"as-a-product",
     "You return the cotangents of x * y. The slope of x / y by x is 1 / y. Its slope by y comes from the "
     "quotient rule.",
     kCotangent},
    {"z-for-a-slope",
     "In the cotangent of x you multiplied by x / y, which is z itself. The slope of z by x is 1 / y.",
     kCotangent},
    {"roles-exchanged", "In the cotangent of y you exchanged x and y. The slope of x / y by y is -x / y².",
     kCotangent},
    {"multiplied-by-y", "The cotangent of x is g / y. You multiplied by y, which is the slope of a product.",
     kCotangent},
    {"g-forgotten",
     "You return the slopes of z and not those of the loss: g is missing. Each slope of z is multiplied by "
     "the number of g that belongs to it.",
     kCotangent},
    {"g-forgotten-for-x",
     "In the cotangent of x you left out g. The slope of z is multiplied by the number of g that belongs to "
     "it.",
     kCotangent},
    {"g-forgotten-for-y",
     "In the cotangent of y you left out g. The slope of z is multiplied by the number of g that belongs to "
     "it.",
     kCotangent},
    {"not-summed-back",
     "You return the cotangents in the shape of z. An input that was broadcast was used several times, so "
     "what comes to its copies is added up, into the shape of the input.",
     kBroadcast},
    {"only-y-summed-back", "You summed back for y and not for x. Either of the two may have been broadcast.",
     kBroadcast},
    {"only-x-summed-back", "You summed back for x and not for y. Either of the two may have been broadcast.",
     kBroadcast},
    {"shapes-exchanged",
     "You summed what comes to x into the shape of y, and what comes to y into that of x. A cotangent has "
     "the shape of its own input.",
     kBroadcast},
    {"both-into-x",
     "You summed both cotangents into the shape of x. A cotangent has the shape of its own input.",
     kBroadcast},
    {"both-into-y",
     "You summed both cotangents into the shape of y. A cotangent has the shape of its own input.",
     kBroadcast},
    {"mean-over-copies",
     "You took the mean over the copies of a number that was broadcast. Each copy moves the loss, so their "
     "contributions are added.",
     kBroadcast},
    {"last-copy",
     "Of the copies of a number that was broadcast you kept the last one. That is = where += belongs.",
     kBroadcast},
    {"summed-too-early",
     "You summed g and the slopes separately and multiplied the sums. Multiply first, number by number, and "
     "sum the products.",
     kBroadcast},
    {"summed-before-the-product",
     "You summed g into the shape of the input and multiplied by the slopes afterwards. Each copy of a "
     "number has a slope of its own. Multiply first, in the shape of z, and sum the products.",
     kBroadcast}};

// x without its mean.
inline Tensor centred(const Made& made, const Tensor& x, int axis) {
  if (made("sum-for-the-mean")) return x - sum(x, {axis}, true);
  if (made("mean-added")) return x + mean(x, {axis}, true);
  if (made("mean-not-subtracted")) return x;
  if (made("mean-of-everything")) return x - mean(x);
  if (made("mean-subtracted-twice")) return x - 2 * mean(x, {axis}, true);
  if (made("mean-without-its-axis")) return x - mean(x, {axis});
  if (made("mean-along-the-last-axis")) axis = -1;
  if (made("mean-along-axis-0")) axis = 0;
  return x - mean(x, {axis}, true);
}

// g times the slopes of the squares, in the shape of x.
inline Tensor spread(const Made& made, const Tensor& g, const Tensor& slopes, const Tensor& x, int axis) {
  if (made("axis-not-put-back")) return broadcast_to(g, x.shape()) * slopes;
  if (made("g-multiplied-as-it-is")) return g * slopes;
  if (made("multiplied-by-g-as-it-is")) return slopes * g;
  if (!made("repeated-in-order")) return reshape_to(g, sum(x, {axis}, true).shape()) * slopes;
  Array each = x.array();
  for (std::size_t i = 0; i < each.size(); ++i) each.data()[i] = g.array().data()[i * g.size() / each.size()];
  return Tensor(each) * slopes;
}

inline Tensor variance_with_slips(const Made& made, const Tensor& g, const Tensor& x, int axis) {
  const Tensor d = centred(made, x, axis), used = made("g-forgotten") ? ones(g.shape()) : g;
  const Tensor slopes =
      made("square-kept") ? d * d : (made("two-forgotten") ? 1 : 2) * (made("factor-squared") ? d * d : d);
  const auto n = static_cast<double>(x.length(axis));
  const double divisor = made("length-forgotten")           ? 1
                         : made("multiplied-by-the-length") ? 1 / n
                         : made("divided-by-the-size-of-g") ? static_cast<double>(g.size())
                         : made("divided-twice")            ? n * n
                         : made("divided-by-the-size")      ? static_cast<double>(x.size())
                         : made("length-of-axis-0")         ? static_cast<double>(x.length(0))
                         : made("length-of-the-last-axis")  ? static_cast<double>(x.length(-1))
                         : made("one-less")                 ? n - 1
                                                            : n;
  const double factor = (made("other-sign") ? -1 : 1) * (made("own-square-alone") ? 1 - 1 / n : 1);
  if (made("brackets-forgotten"))  // 2 * g * x - m / n
    return factor * (spread(made, used, 2 * x, x, axis) - mean(x, {axis}, true) / divisor);
  const Tensor x_bar = factor * spread(made, used, slopes, x, axis) / divisor;
  return made("as-a-deviation") ? x_bar / (2 * sqrt(var(x, {axis}, true))) : x_bar;
}

inline const std::vector<Slip> kSlipsInVariance = {
    {"axis-not-put-back",
     "You broadcast g as it is, so its axes are aligned at the last one. Put the axis back first, with "
     "length 1, and broadcast then.",
     kBroadcast},
    {"g-multiplied-as-it-is",
     "You multiplied g as it is, so its axes are aligned at the last one. Put the axis back first, with "
     "length 1, and multiply then.",
     kBroadcast},
    {"multiplied-by-g-as-it-is",
     "You multiplied by g as it is, so its axes are aligned at the last one. Put the axis back first, with "
     "length 1, and multiply then.",
     kBroadcast},
    {"repeated-in-order",
     "You wrote each number of g several times and then went on to the next, in the order of the buffer. "
     "That is right for the last axis alone. A number of g belongs to all places that went into its "
     "variance.",
     kBroadcast},
    {"mean-not-subtracted",
     "You multiplied by x where x - m belongs. That is the backward pass of the mean of the squares.",
     kCotangent},
    {"mean-subtracted-twice",
     "You subtracted the mean twice. What comes through the mean adds up to 0, so x - m alone remains.",
     kBroadcast},
    {"sum-for-the-mean", "You subtracted the sum along the axis. m is the mean.", kBroadcast},
    {"mean-added", "You added the mean. It is x - m: a plus stands where a minus belongs.", kBroadcast},
    {"brackets-forgotten",
     "You wrote x - m / n, or 2 * g * x - m, without brackets. x - m belongs into brackets, and all of it "
     "is multiplied and divided.",
     kCotangent},
    {"as-a-deviation",
     "You return the cotangent of the standard deviation, the root of the variance. The variance itself is "
     "asked for.",
     kCotangent},
    {"mean-of-everything",
     "You subtracted the mean of all numbers. Each variance has the mean of its own line.", kBroadcast},
    {"mean-without-its-axis",
     "Your mean has lost its axis, so it is subtracted along another one, or does not fit. Keep the axis: "
     "mean(x, {axis}, true).",
     kBroadcast},
    {"mean-along-the-last-axis", "You took the mean along the last axis. It goes along `axis`.", kBroadcast},
    {"mean-along-axis-0", "You took the mean along axis 0. It goes along `axis`.", kBroadcast},
    {"other-sign", "All signs are turned round: the slope of (x - m)² is 2 (x - m).", kCotangent},
    {"square-kept", "You multiplied g by the squares. Their slopes are wanted: the derivative of d² is 2 d.",
     kCotangent},
    {"factor-squared", "You multiplied by 2 (x - m)². The derivative of d² is 2 d: the power is one less.",
     kCotangent},
    {"two-forgotten", "The factor 2 is missing. The derivative of a square d² is 2 d.", kCotangent},
    {"length-forgotten",
     "You did not divide by the length of the axis. A variance is a mean, so each square goes into it with "
     "the factor 1 / length.",
     kBroadcast},
    {"divided-twice",
     "You divided by the length twice. The mean of the squares divides once; what comes through m adds up to "
     "0.",
     kBroadcast},
    {"multiplied-by-the-length",
     "You multiplied by the length of the axis. A variance is a mean: divide by it.", kBroadcast},
    {"divided-by-the-size-of-g",
     "You divided by how many numbers g has. Each variance is a mean along one axis: divide by the length "
     "of this axis.",
     kBroadcast},
    {"divided-by-the-size",
     "You divided by how many numbers x has. Each variance is a mean along one axis: divide by the length of "
     "this axis.",
     kBroadcast},
    {"length-of-axis-0", "You divided by the length of axis 0. The mean goes along `axis`.", kBroadcast},
    {"length-of-the-last-axis", "You divided by the length of the last axis. The mean goes along `axis`.",
     kBroadcast},
    {"one-less",
     "You divided by the length minus 1, as in statistics. The variance here divides by the length.",
     kBroadcast},
    {"own-square-alone",
     "You followed x into its own square, and there through the mean too. But the mean stands in all other "
     "squares as well. All paths through the mean together add up to 0, because Σ (x - m) is 0.",
     kSoftmax},
    {"g-forgotten",
     "You return the slopes of the variances. How fast the loss moves with each variance is g, and the two "
     "are multiplied.",
     kCotangent}};

}  // namespace mistakes
