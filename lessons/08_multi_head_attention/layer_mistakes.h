// What people write in the place of the layer, and what is wrong with it.
#pragma once

#include "mistakes.h"
#include "multi_head.h"

namespace mistakes {

using Layer = std::function<Tensor(const Tensor& x, const Tensor& source, const MultiHeadWeights& w,
                                   std::size_t h, const Tensor& mask)>;

// Queries, keys and values, before and after they are split.
struct Heads {
  Tensor q, k, v;
};

// What stands in the place of another of the three.
inline void exchange(const Made& made, Heads& p) {
  if (made("queries-and-keys-exchanged")) std::swap(p.q, p.k);
  if (made("keys-and-values-exchanged")) std::swap(p.k, p.v);
  if (made("values-for-keys")) p.k = p.v;
}

inline Tensor scaled(const Made& made, const Tensor& q, std::size_t d, std::size_t h) {
  if (made("scaled-twice")) return q / sqrt(Tensor(d / h));
  if (made("scaled-by-the-width-of-the-layer")) return q / sqrt(Tensor(h));
  return made("scaling-undone") ? q * sqrt(Tensor(d / h)) : q;
}

inline Tensor attend(const Made& made, const Heads& p, const Tensor& mask) {
  const Tensor seen = made("mask-ignored")      ? Tensor(1)
                      : made("mask-inverted")   ? 1 - mask
                      : made("mask-transposed") ? (mask.shape().size() < 2 ? mask : transpose(mask))
                                                : mask;
  return solution::lesson_07::attention(p.q, p.k, p.v, seen);
}

inline Tensor split_by(const Made& made, const Tensor& x, std::size_t h) {
  if (made("split-by-reshape") || made("reshapes-only")) return split_with(Made{{"reshape-only"}}, x, h);
  return solution::split_heads(x, made("heads-and-width-exchanged") ? x.length(-1) / h : h);
}
inline Tensor merged_by(const Made& made, const Tensor& z) {
  if (made("merged-by-reshape") || made("reshapes-only")) return merged_with(Made{{"reshape-only"}}, z);
  return solution::merge_heads(z);
}

inline Heads projected(const Made& made, const Tensor& x, const Tensor& source, const MultiHeadWeights& w) {
  const auto times = [&](const Tensor& of, const Tensor& W) {
    const Tensor matrix = made("weights-transposed") ? transpose(W) : W;
    return made("matrix-before-vectors") ? matmul(matrix, of) : matmul(of, matrix);
  };
  const Tensor& keys = made("source-ignored") || made("keys-from-x") ? x : source;
  const Tensor& values = made("source-ignored") || made("values-from-x") ? x : source;
  const bool exchanged = made("W_Q-and-W_K-exchanged");
  return {times(made("queries-from-the-source") ? source : x, made("W_K-for-queries") || exchanged ? w.W_K
                                                              : made("W_V-for-queries")            ? w.W_V
                                                              : made("W_O-for-queries")            ? w.W_O
                                                                                                   : w.W_Q),
          times(keys, made("W_Q-for-keys") || exchanged ? w.W_Q
                      : made("W_O-for-keys")            ? w.W_O
                                                        : w.W_K),
          times(values, made("W_Q-for-values")    ? w.W_Q
                        : made("keys-for-values") ? w.W_K
                        : made("W_O-for-values")  ? w.W_O
                                                  : w.W_V)};
}

inline Tensor layer_with(const Made& made, const Tensor& x, const Tensor& source, const MultiHeadWeights& w,
                         std::size_t h, const Tensor& mask) {
  const bool turned = made("x-and-source-exchanged");
  Heads p = projected(made, turned ? source : x, turned ? x : source, w);
  exchange(made, p);
  p.q = scaled(made, p.q, x.length(-1), h);
  const auto cut = [&](const Tensor& y) {
    if (!made("cut-with-the-length-of-x") && !made("cut-with-the-length-of-x-and-d_head"))
      return split_by(made, y, h);
    const int width = made("cut-with-the-length-of-x") ? -1 : length(x, 2) / int_of(h);
    return permute(reshape(y, {length(x, 0), length(x, 1), int_of(h), width}), {0, 2, 1, 3});
  };
  Tensor z;
  if (made("one-wide-head")) {
    z = attend(made, p, mask);
  } else {
    z = merged_by(made, attend(made, {cut(p.q), cut(p.k), cut(p.v)}, mask));
  }
  if (made("tape-cut-before-W_O")) z = z.detach();
  const Tensor W_O = made("W_Q-for-W_O")   ? w.W_Q
                     : made("W_K-for-W_O") ? w.W_K
                     : made("W_V-for-W_O") ? w.W_V
                                           : w.W_O;
  const Tensor matrix = made("weights-transposed") || made("W_O-transposed") ? transpose(W_O) : W_O;
  Tensor y = made("no-W_O") ? z : made("matrix-before-vectors") ? matmul(matrix, z) : matmul(z, matrix);
  if (made("input-added")) y = x + y;
  return made("off-the-tape") ? Tensor(y.array()) : y;
}

inline constexpr const char *kScaledTwice =
                                "You divided the queries by √d_head. The attention of lesson 7 divides the "
                                "scores itself, so they are too small now.",
                            *kScaledByWidth =
                                "Your scores are divided by √d. A head's queries and keys have d_head "
                                "numbers, so it is √d_head.",
                            *kMergedByReshape =
                                "You split the heads well, but merged them by a reshape alone. The axes of "
                                "heads and tokens must be exchanged back first: use merge_heads.",
                            *kWrongOrder =
                                "You multiplied in the wrong order, as matmul(W, x). The tokens are the rows "
                                "of x, so the product is matmul(x, W).";

// The slips that the layer and attention with grouped queries have in common.
inline std::vector<Slip> with_attention(std::vector<Slip> slips) {
  const std::vector<Slip> common = {
      {"no-W_O",
       "You returned the heads' results side by side. W_O is missing: it mixes what the heads found.",
       kSplit},
      {"W_O-transposed", "You multiplied by the transpose of W_O. The product is matmul(z, W_O).", kSplit},
      {"merged-by-reshape", kMergedByReshape, kReshape},
      {"mask-ignored", "You did not use the mask: every query looks at every key.", kSplit},
      {"mask-inverted", "You took the mask for its opposite. Here 1 means: may look.", kSplit},
      {"mask-transposed",
       "You transposed the mask. Its rows are the queries and its columns the keys, as in the scores.",
       kSplit},
      {"scaled-twice", kScaledTwice, kSplit},
      {"scaled-by-the-width-of-the-layer", kScaledByWidth, kSplit},
      {"scaling-undone",
       "Your scores are not divided by √d_head: you multiplied the queries by it, and the attention of "
       "lesson 7 divides the scores.",
       kSplit},
      {"matrix-before-vectors", kWrongOrder, kSplit},
      {"keys-for-values",
       "Your values are the keys. They have a matrix of their own, W_V, or columns of their own in W_QKV.",
       kSplit},
      {"values-for-keys",
       "Your keys are the values. They have a matrix of their own, W_K, or columns of their own in W_QKV.",
       kSplit},
      {"keys-and-values-exchanged",
       "You exchanged keys and values. Scores are made with the keys, and what a query takes home are the "
       "values. Of W_QKV, the columns stand in the order of its name: queries, keys, values.",
       kParameters},
      {"queries-and-keys-exchanged",
       "You exchanged queries and keys: attention(k, q, v). A row of the scores belongs to a query.", kSplit},
      {"off-the-tape", kOffTheTape, kSplit}};
  slips.insert(slips.end(), common.begin(), common.end());
  return slips;
}

inline std::string computed(const std::string& of, const std::string& with) {
  return "You computed the " + of + " with " + with + ". Each of the four has a matrix of its own.";
}

inline const std::vector<Slip> kSlipsOfLayer = with_attention(
    {{"reshapes-only",
      "You split and merged the heads by reshapes alone. The two undo each other, so every shape is right, "
      "but between them each head saw some of the tokens with all columns. Use split_heads and "
      "merge_heads.",
      kReshape},
     {"split-by-reshape",
      "You split the heads by a reshape alone, so each head got some of the tokens with all columns. Use "
      "split_heads.",
      kReshape},
     {"one-wide-head",
      "You attended before splitting. That is one head of width d, with one pattern. Split queries, keys "
      "and values first.",
      kSplit},
     {"source-ignored",
      "You computed keys and values from x. They come from source; only in self-attention are the two the "
      "same.",
      kCross},
     {"keys-from-x",
      "You computed the keys from x. Keys and values come from the same place, the source: a query finds a "
      "key there and reads the value beside it.",
      kCross},
     {"values-from-x",
      "You computed the values from x. Keys and values come from the same place, the source: a query finds "
      "a key there and reads the value beside it.",
      kCross},
     {"queries-from-the-source",
      "You computed the queries from source. Who looks is x; what is looked at is the source.", kCross},
     {"x-and-source-exchanged",
      "You computed the queries from source, and keys and values from x. Who looks is x; what is looked at "
      "is the source.",
      kCross},
     {"cut-with-the-length-of-x",
      "You cut keys and values into heads with the number of tokens of x. They have as many rows as the "
      "source: take the length from the tensor that you cut, as split_heads does.",
      kCross},
     {"cut-with-the-length-of-x-and-d_head",
      "You cut keys and values into heads with the number of tokens of x. They have as many rows as the "
      "source: take the length from the tensor that you cut, as split_heads does.",
      kCross},
     {"weights-transposed",
      "You multiplied by the transposed matrices. Some libraries store them as (out,in); here a matrix is "
      "(in,out), and the product is matmul(x, W).",
      kSplit},
     {"W_Q-and-W_K-exchanged",
      "You computed the queries with W_K and the keys with W_Q. Each of the four has a matrix of its own.",
      kSplit},
     {"heads-and-width-exchanged",
      "You split into d/h heads of the width h. There are n_heads heads: split_heads takes their number.",
      kSplit},
     {"W_V-for-queries", computed("queries", "W_V"), kSplit},
     {"W_O-for-queries", computed("queries", "W_O"), kSplit},
     {"W_O-for-keys", computed("keys", "W_O"), kSplit},
     {"W_Q-for-keys", computed("keys", "W_Q"), kSplit},
     {"W_K-for-queries", computed("queries", "W_K"), kSplit},
     {"W_Q-for-values", computed("values", "W_Q"), kSplit},
     {"W_O-for-values", computed("values", "W_O"), kSplit},
     {"W_Q-for-W_O", computed("last product", "W_Q"), kSplit},
     {"W_K-for-W_O", computed("last product", "W_K"), kSplit},
     {"W_V-for-W_O", computed("last product", "W_V"), kSplit},
     {"tape-cut-before-W_O",
      "The numbers are right, but only W_O gets a gradient: before the last product you made a Tensor from "
      "the numbers of array(), and the tape ends there. Write every step with ops.",
      kSplit},
     {"input-added", "You added x to the result. That sum belongs to the block around the layer (lesson 10).",
      kSplit}});

inline std::vector<Mistake<Layer>> of_multi_head_attention() {
  return slips_of<Layer>(layer_with, kSlipsOfLayer);
}

}  // namespace mistakes
