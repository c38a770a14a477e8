// What people write in the place of the part about scores, and what is wrong with it. Each function of these
// files is the right one, with the mistakes as switches.
#pragma once

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "exercise.h"
#include "grader/slips.h"

namespace mistakes {

using grader::Made, grader::Mistake, grader::Slip, grader::slips_of;

inline constexpr const char *kLookup = "A soft lookup", *kAtOnce = "All queries at once",
                            *kScale = "Why 1/√d_k", *kMasks = "Masks", *kNowhere = "Fully masked rows",
                            *kCost = "Cost";

inline double root_of(std::size_t length) { return std::sqrt(static_cast<double>(length)); }

// The same numbers as a constant, as when a Tensor is made from an Array.
inline Tensor off_the_tape(const Tensor& x) { return x.detach(); }
inline constexpr const char* kOffTheTape =
    "The tape does not know where your numbers are from: all gradients are 0. A Tensor "
    "made from an Array, or by detach(), is a constant. Compute with ops all the way.";

// The first matrix of a batch.
inline Tensor first_matrix(const Tensor& x) {
  if (x.dim() == 2) return x;
  const Shape rest(x.shape().begin() + 1, x.shape().end());
  return first_matrix(reshape_to(slice(x, 0, 0, 1), rest));
}

using Scores = std::function<Tensor(const Tensor&, const Tensor&)>;

// What the products of q and k are divided by.
inline double divisor_of(const Made& made, const Tensor& q, const Tensor& k) {
  const double of = made("root-of-n")             ? root_of(q.length(-2))
                    : made("root-of-m")           ? root_of(k.length(-2))
                    : made("axis-1-for-the-last") ? root_of(q.length(1))
                    : made("axis-0-for-the-last") ? root_of(q.length(0))
                                                  : root_of(q.length(-1));
  const double root = made("whole-root") ? std::trunc(of) : of;
  return made("no-scale")                 ? 1
         : made("divided-by-d_k")         ? root * root
         : made("multiplied-by-the-root") ? 1 / root
         : made("root-of-the-root")       ? std::sqrt(root)
         : made("whole-number-division")  ? INFINITY
                                          : root;
}

inline Tensor scores(const Made& made, Tensor q, Tensor k) {
  const double divisor = divisor_of(made, q, k);
  const bool loops = made("loops-over-one-matrix");
  if (loops) q = first_matrix(q), k = first_matrix(k);
  if (made("keys-by-queries")) std::swap(q, k);
  if (made("queries-transposed")) q = transpose(q);
  Shape turned = k.shape();
  std::swap(turned[turned.size() - 1], turned[turned.size() - 2]);
  k = made("not-transposed") || made("queries-transposed") ? k
      : made("reshaped-for-transposed")                    ? reshape_to(k, turned)
      : made("axes-0-and-1-exchanged")                     ? transpose(k, 0, 1)
                                                           : transpose(k);
  Tensor s = matmul(q, k) / divisor;
  if (made("softmax-too")) s = softmax(s);
  return loops || made("off-the-tape") ? off_the_tape(s) : s;
}

inline const std::vector<Slip> kSlipsOfScaledScores = {
    {"no-scale",
     "You did not divide by √d_k. Then the scores grow with d_k, and the softmax after them saturates.",
     kScale},
    {"divided-by-d_k",
     "You divided by d_k. The variance of q·k is d_k, so its size is √d_k: divide by the root. "
     "Dividing both q and k by √d_k is the same mistake.",
     kScale},
    {"multiplied-by-the-root", "You multiplied by √d_k. The scores are too large as they are: divide.",
     kScale},
    {"whole-root", "Your √d_k is a whole number: an int holds it. Take a double.", kScale},
    {"root-of-n",
     "You divided by √n, n the number of queries. What makes q·k large is the number of products in it: "
     "that is d_k, the length of the last axis.",
     kScale},
    {"root-of-m",
     "You divided by √m, m the number of keys. What makes q·k large is the number of products in it: "
     "that is d_k, the length of the last axis.",
     kScale},
    {"axis-1-for-the-last",
     "You took d_k from axis 1. That is the last axis of a matrix only; -1 is the last axis of any "
     "tensor.",
     kScale},
    {"axis-0-for-the-last",
     "You divided by the root of the length of axis 0. That axis counts the queries, or the places of the "
     "batch. d_k is the length of the last axis, -1.",
     kScale},
    {"root-of-the-root",
     "You divided by the root of √d_k. q·k is divided by √d_k once; the root of it belongs only to q and "
     "to k, if you scale both.",
     kScale},
    {"whole-number-division",
     "Your scores are 0. 1 / d_k of whole numbers is 0: make d_k a double, and take its root.", kScale},
    {"not-transposed",
     "You multiplied q by k as it is. In a product a row meets a column, and here a row of q must meet a "
     "row of k: transpose k. With n = d_k square matrices no error message tells you.",
     kAtOnce},
    {"queries-transposed",
     "You transposed q in the place of k. In a product a row meets a column, and here a row of q must "
     "meet a row of k: q stays as it is, and k is transposed.",
     kAtOnce},
    {"reshaped-for-transposed",
     "You gave k the transposed shape by reshape. That keeps the numbers in their order, so they end up "
     "in other places than transposing puts them. Use transpose(k).",
     kAtOnce},
    {"axes-0-and-1-exchanged",
     "You exchanged axes 0 and 1 of k. In a batch these are not the last two: use transpose(k), which "
     "always exchanges the last two.",
     kAtOnce},
    {"keys-by-queries", "You computed k qᵀ. Rows are queries and columns are keys: q kᵀ, of shape (n,m).",
     kAtOnce},
    {"softmax-too", "You applied softmax. The scores before softmax are asked for.", kAtOnce},
    {"off-the-tape", kOffTheTape, kAtOnce},
    {"loops-over-one-matrix",
     "You filled an Array by loops. The tape does not know where its numbers are from, so all gradients "
     "are 0. And of a batch your loops see the first matrix only. Two ops do it all: matmul and "
     "transpose.",
     kAtOnce}};

inline std::vector<Mistake<Scores>> of_scaled_scores() {
  return slips_of<Scores>(scores, kSlipsOfScaledScores);
}

}  // namespace mistakes
