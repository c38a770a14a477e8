// What people write in the place of the parts about scores and masks, and what is wrong with it.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "exercise.h"
#include "grader/part.h"

namespace mistakes {

using grader::Mistake;

inline constexpr const char *kLookup = "A soft lookup", *kAtOnce = "All queries at once",
                            *kScale = "Why 1/√d_k", *kMasks = "Masks", *kNowhere = "Fully masked rows",
                            *kCost = "Cost";

inline double root_of(std::size_t length) { return std::sqrt(static_cast<double>(length)); }
inline Tensor products(const Tensor& q, const Tensor& k) { return matmul(q, transpose(k)); }
inline Tensor right_scores(const Tensor& q, const Tensor& k) {
  return products(q, k) / root_of(q.length(-1));
}

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

using Scores = Tensor (*)(const Tensor&, const Tensor&);

inline const std::vector<Mistake<Scores>> kOfScaledScores = {
    {"no-scale",
     "You did not divide by √d_k. Then the scores grow with d_k, and the softmax after "
     "them saturates.",
     kScale, [](const Tensor& q, const Tensor& k) { return products(q, k) * 1; }},
    {"divided-by-d_k",
     "You divided by d_k. The variance of q·k is d_k, so its size is √d_k: divide by the root. "
     "Dividing both q and k by √d_k is the same mistake.",
     kScale, [](const Tensor& q, const Tensor& k) { return products(q, k) / q.length(-1); }},
    {"multiplied-by-the-root", "You multiplied by √d_k. The scores are too large as they are: divide.",
     kScale, [](const Tensor& q, const Tensor& k) { return products(q, k) * root_of(q.length(-1)); }},
    {"root-of-n",
     "You divided by √n, n the number of queries. What makes q·k large is the number of products in it: that "
     "is d_k, the length of the last axis.",
     kScale, [](const Tensor& q, const Tensor& k) { return products(q, k) / root_of(q.length(-2)); }},
    {"root-of-m",
     "You divided by √m, m the number of keys. What makes q·k large is the number of products in it: that is "
     "d_k, the length of the last axis.",
     kScale, [](const Tensor& q, const Tensor& k) { return products(q, k) / root_of(k.length(-2)); }},
    {"axis-1-for-the-last",
     "You took d_k from axis 1. That is the last axis of a matrix only; -1 is the last axis of any tensor.",
     kScale, [](const Tensor& q, const Tensor& k) { return products(q, k) / root_of(q.length(1)); }},
    {"not-transposed",
     "You multiplied q by k as it is. In a product a row meets a column, and here a row of q must meet a row "
     "of k: transpose k. With n = d_k square matrices no error message tells you.",
     kAtOnce, [](const Tensor& q, const Tensor& k) { return matmul(q, k) / root_of(q.length(-1)); }},
    {"reshaped-for-transposed",
     "You gave k the transposed shape by reshape. That keeps the numbers in their order, so they end up in "
     "other places than transposing puts them. Use transpose(k).",
     kAtOnce,
     [](const Tensor& q, const Tensor& k) {
       Shape turned = k.shape();
       std::swap(turned[turned.size() - 1], turned[turned.size() - 2]);
       return matmul(q, reshape_to(k, turned)) / root_of(q.length(-1));
     }},
    {"axes-0-and-1-exchanged",
     "You exchanged axes 0 and 1 of k. In a batch these are not the last two: use transpose(k), which always "
     "exchanges the last two.",
     kAtOnce,
     [](const Tensor& q, const Tensor& k) { return matmul(q, transpose(k, 0, 1)) / root_of(q.length(-1)); }},
    {"keys-by-queries", "You computed k qᵀ. Rows are queries and columns are keys: q kᵀ, of shape (n,m).",
     kAtOnce, [](const Tensor& q, const Tensor& k) { return right_scores(k, q); }},
    {"softmax-too", "You applied softmax. The scores before softmax are asked for.", kAtOnce,
     [](const Tensor& q, const Tensor& k) { return softmax(right_scores(q, k)); }},
    {"off-the-tape", kOffTheTape, kAtOnce,
     [](const Tensor& q, const Tensor& k) { return off_the_tape(right_scores(q, k)); }},
    {"loops-over-one-matrix",
     "You filled an Array by loops. The tape does not know where its numbers are from, so all gradients are "
     "0. And of a batch your loops see the first matrix only. Two ops do it all: matmul and transpose.",
     kAtOnce,
     [](const Tensor& q, const Tensor& k) {
       return off_the_tape(right_scores(first_matrix(q), first_matrix(k)));
     }},
};

using CausalMask = Tensor (*)(std::size_t, std::size_t);

// The mask with 1 where allowed(i, j), numbers with a sign.
template <class Allowed>
Tensor mask_of(std::size_t n, std::size_t m, Allowed allowed, Real yes = 1, Real no = 0) {
  Array mask = full_array({n, m}, no);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j)
      if (allowed(static_cast<int>(i), static_cast<int>(j))) mask(i, j) = yes;
  return Tensor(mask);
}

// How many keys stand before the first query.
inline int before(std::size_t n, std::size_t m) { return static_cast<int>(m) - static_cast<int>(n); }

inline const std::vector<Mistake<CausalMask>> kOfCausalMask = {
    {"wrong-corner",
     "You let query i see the keys up to i. With n < m the queries are the last n of the m positions: query "
     "i stands at position i + (m - n). As you have it, the last query does not see the last key.",
     kMasks, [](std::size_t n, std::size_t m) { return mask_of(n, m, [](int i, int j) { return j <= i; }); }},
    {"one-ahead",
     "Your queries see one key too many: the token after their own. That is what a model must predict, and "
     "its loss falls to nearly 0 for nothing.",
     kMasks,
     [](std::size_t n, std::size_t m) {
       return mask_of(n, m, [=](int i, int j) { return j <= i + before(n, m) + 1; });
     }},
    {"not-itself",
     "Your queries do not see their own position. A query sees itself and all earlier ones: j ≤ i + (m - n).",
     kMasks,
     [](std::size_t n, std::size_t m) {
       return mask_of(n, m, [=](int i, int j) { return j < i + before(n, m); });
     }},
    {"inverted",
     "You wrote 0 where a query may look and 1 where it may not. Here 1 means \"may look\". Libraries "
     "differ in this, so read what their mask means.",
     kMasks,
     [](std::size_t n, std::size_t m) {
       return mask_of(n, m, [=](int i, int j) { return j > i + before(n, m); });
     }},
    {"the-future",
     "Your queries see themselves and what follows. Exchange the sides: the key's position is at most the "
     "query's.",
     kMasks,
     [](std::size_t n, std::size_t m) {
       return mask_of(n, m, [=](int i, int j) { return j >= i + before(n, m); });
     }},
    {"minus-infinity",
     "You wrote 0 and -∞, to be added to the scores. Some libraries do so. Here a mask holds 1 and 0.",
     kMasks,
     [](std::size_t n, std::size_t m) {
       return mask_of(
           n, m, [=](int i, int j) { return j <= i + before(n, m); }, 0,
           -std::numeric_limits<Real>::infinity());
     }},
    {"itself-only",
     "Your queries see their own position only. They see all earlier ones too: j ≤ i + (m - n), not equal to "
     "it.",
     kMasks,
     [](std::size_t n, std::size_t m) {
       return mask_of(n, m, [=](int i, int j) { return j == i + before(n, m); });
     }},
    {"shifted-the-wrong-way",
     "You subtracted m - n from the query's position. There are m - n keys before the first query, so query "
     "i stands at i + (m - n).",
     kMasks,
     [](std::size_t n, std::size_t m) {
       return mask_of(n, m, [=](int i, int j) { return j <= i - before(n, m); });
     }},
    {"all-of-them", "You hid nothing. A query must not see the keys after its own position.", kMasks,
     [](std::size_t n, std::size_t m) { return mask_of(n, m, [](int, int) { return true; }); }},
    {"transposed",
     "Your mask has a row for each key. Rows are queries, columns are keys: the shape is (n,m).", kMasks,
     [](std::size_t n, std::size_t m) {
       return mask_of(m, n, [=](int j, int i) { return j <= i + before(n, m); });
     }},
    {"square", "Your mask is square. It has n rows, one for each query, and m columns, one for each key.",
     kMasks, [](std::size_t, std::size_t m) { return mask_of(m, m, [](int i, int j) { return j <= i; }); }},
};

using BatchMask = Tensor (*)(const IntArray&, std::size_t, std::size_t);

// The mask (B,n,m) with 1 where allowed(first, p, j): `first` is the first key that is a token, p the
// position of the query.
template <class Allowed>
Tensor batch_of(const IntArray& lengths, std::size_t n, std::size_t m, Allowed allowed) {
  Array mask = full_array({lengths.size(), n, m}, 0);
  for (std::size_t b = 0; b < lengths.size(); ++b)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < m; ++j)
        mask(b, i, j) = allowed(static_cast<int>(m) - lengths(b), static_cast<int>(i) + before(n, m),
                                static_cast<int>(j));
  return Tensor(mask);
}

inline const std::vector<Mistake<BatchMask>> kOfBatchMask = {
    {"padding-only", "You hid the padding, but not the future. Both rules hold at once.", kMasks,
     [](const IntArray& l, std::size_t n, std::size_t m) {
       return batch_of(l, n, m, [](int first, int, int j) -> Real { return j >= first; });
     }},
    {"causal-only", "You hid the future, but not the padding. Both rules hold at once.", kMasks,
     [](const IntArray& l, std::size_t n, std::size_t m) {
       return batch_of(l, n, m, [](int, int p, int j) -> Real { return j <= p; });
     }},
    {"either",
     "You allow a key when one of the rules does. A query may look only where both do: multiply the masks.",
     kMasks,
     [](const IntArray& l, std::size_t n, std::size_t m) {
       return batch_of(l, n, m, [](int first, int p, int j) -> Real { return j >= first || j <= p; });
     }},
    {"added",
     "You added the two masks, so there are 2s, and 1 where only one rule allows it. Multiply them: 1 only "
     "where both are 1.",
     kMasks,
     [](const IntArray& l, std::size_t n, std::size_t m) {
       return batch_of(l, n, m, [](int first, int p, int j) { return Real(j >= first) + Real(j <= p); });
     }},
    {"queries-padded",
     "You hid the rows of padding, so it is queries on padding that see nothing, and the tokens still look "
     "at padding. Padding must not be looked *at*: hide its columns, those of the keys.",
     kMasks,
     [](const IntArray& l, std::size_t n, std::size_t m) {
       return batch_of(l, n, m, [](int first, int p, int j) -> Real { return p >= first && j <= p; });
     }},
    {"one-too-many", "One key of padding is visible. The first token is key m - length.", kMasks,
     [](const IntArray& l, std::size_t n, std::size_t m) {
       return batch_of(l, n, m, [](int first, int p, int j) -> Real { return j >= first - 1 && j <= p; });
     }},
    {"one-too-few", "The first token of each sequence is hidden. It is key m - length.", kMasks,
     [](const IntArray& l, std::size_t n, std::size_t m) {
       return batch_of(l, n, m, [](int first, int p, int j) -> Real { return j > first && j <= p; });
     }},
    {"padding-last",
     "You took the first keys for the tokens. Here padding comes first, so that all sequences end at the "
     "last key.",
     kMasks,
     [](const IntArray& l, std::size_t n, std::size_t m) {
       return batch_of(l, n, m, [m](int first, int p, int j) -> Real {
         return j < static_cast<int>(m) - first && j <= p;
       });
     }},
    {"length-of-the-padding",
     "You hid the first lengths(b) keys. lengths(b) counts the tokens; the padding has m - lengths(b) keys.",
     kMasks,
     [](const IntArray& l, std::size_t n, std::size_t m) {
       return batch_of(l, n, m, [m](int first, int p, int j) -> Real {
         return j >= static_cast<int>(m) - first && j <= p;
       });
     }},
    {"padding-allowed", "You allow the padding and hide the tokens.", kMasks,
     [](const IntArray& l, std::size_t n, std::size_t m) {
       return batch_of(l, n, m, [](int first, int p, int j) -> Real { return j < first && j <= p; });
     }},
    {"inverted", "You wrote 1 where a key is hidden. Here 1 means \"may look\".", kMasks,
     [](const IntArray& l, std::size_t n, std::size_t m) {
       return batch_of(l, n, m, [](int first, int p, int j) -> Real { return !(j >= first && j <= p); });
     }},
    {"wrong-corner",
     "You let query i see the keys up to i. With n < m query i stands at position i + (m - n), as in part 2.",
     kMasks,
     [](const IntArray& l, std::size_t n, std::size_t m) {
       return batch_of(
           l, n, m, [s = before(n, m)](int first, int p, int j) -> Real { return j >= first && j <= p - s; });
     }},
    {"one-length-for-all", "You used the first length for all sequences. Sequence b has lengths(b) tokens.",
     kMasks,
     [](const IntArray& l, std::size_t n, std::size_t m) {
       return batch_of(l, n, m, [first = static_cast<int>(m) - l(0)](int, int p, int j) -> Real {
         return j >= first && j <= p;
       });
     }},
};

}  // namespace mistakes
