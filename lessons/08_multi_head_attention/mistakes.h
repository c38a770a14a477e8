// What people write in the place of the parts that rearrange and count, and what is wrong with it.
#pragma once

#include <vector>

#include "exercise.h"
#include "grader/part.h"

namespace mistakes {

using grader::Mistake;

inline constexpr const char *kSplit = "Split, attend, put side by side, project",
                            *kReshape = "A reshape is not a split",
                            *kParameters = "Parameters: the same for every number of heads",
                            *kGrouped = "Heads that share keys and values", *kCross = "Cross-attention";

inline int int_of(std::size_t n) { return static_cast<int>(n); }
inline int length(const Tensor& x, int axis) { return int_of(x.length(axis)); }

// x (B,n,d) → (B,n,h,d_head)
inline Tensor apart(const Tensor& x, std::size_t h) {
  return reshape(x, {length(x, 0), length(x, 1), int_of(h), -1});
}

inline constexpr const char* kOffTheTape =
    "The numbers are right, but the gradients are 0: you computed with the numbers of array(), which the "
    "tape does not see. Write it with ops, such as reshape, permute, slice and matmul.";

using Split = Tensor (*)(const Tensor&, std::size_t);

inline const std::vector<Mistake<Split>> kOfSplitHeads = {
    {"reshape-only",
     "You reshaped straight to (B,h,n,d_head). A reshape keeps the numbers in their order, so head 0 gets "
     "all columns of the first tokens, and the last head those of the last tokens. Reshape to "
     "(B,n,h,d_head), then exchange the axes of tokens and heads.",
     kReshape,
     [](const Tensor& x, std::size_t h) {
       return reshape(x, {length(x, 0), int_of(h), length(x, 1), length(x, 2) / int_of(h)});
     }},
    {"axes-not-exchanged",
     "You reshaped to (B,n,h,d_head) and stopped. Attention works on the last two axes, so the tokens must "
     "stand next to the columns: exchange axes 1 and 2.",
     kSplit, [](const Tensor& x, std::size_t h) { return apart(x, h); }},
    {"every-h-th-column",
     "Your head i has the columns i, i+h, i+2h …. A head owns neighbouring columns: i·d_head and those "
     "after it. Reshape to (B,n,h,d_head), not to (B,n,d_head,h).",
     kSplit,
     [](const Tensor& x, std::size_t h) {
       return permute(reshape(x, {length(x, 0), length(x, 1), -1, int_of(h)}), {0, 3, 1, 2});
     }},
    {"heads-and-width-exchanged", "You made d/h heads of width h. There are h heads of width d/h.", kSplit,
     [](const Tensor& x, std::size_t h) {
       return permute(reshape(x, {length(x, 0), length(x, 1), -1, int_of(h)}), {0, 2, 1, 3});
     }},
    {"columns-before-tokens",
     "Your result has the shape (B,h,d_head,n). Each head needs its tokens as rows and its columns as "
     "columns: (B,h,n,d_head).",
     kSplit,
     [](const Tensor& x, std::size_t h) {
       return permute(apart(x, h), {0, 2, 3, 1});
     }},
    {"transposed-then-reshaped",
     "You transposed x and then reshaped it to (B,h,n,d_head). After the transpose the numbers of one "
     "column stand side by side, and the reshape makes rows of them. Reshape first, then permute.",
     kReshape,
     [](const Tensor& x, std::size_t h) {
       return reshape(transpose(x), {length(x, 0), int_of(h), length(x, 1), length(x, 2) / int_of(h)});
     }},
    {"batch-after-heads", "Your result has the shape (h,B,n,d_head). The batch stays the first axis.", kSplit,
     [](const Tensor& x, std::size_t h) {
       return permute(apart(x, h), {2, 0, 1, 3});
     }},
    {"off-the-tape", kOffTheTape, kSplit,
     [](const Tensor& x, std::size_t h) { return Tensor(solution::split_heads(x, h).array()); }},
};

using Merge = Tensor (*)(const Tensor&);

inline const std::vector<Mistake<Merge>> kOfMergeHeads = {
    {"reshape-only",
     "You reshaped straight to (B,n,h·w). The numbers of one token then come from one head and several "
     "tokens. Exchange the axes of heads and tokens first, then reshape.",
     kReshape,
     [](const Tensor& z) {
       return reshape(z, {length(z, 0), length(z, 2), length(z, 1) * length(z, 3)});
     }},
    {"heads-interleaved",
     "In your rows the heads take turns, column by column. All numbers of head 0 come first, then those of "
     "head 1: that is the order in which the heads own the rows of W_O.",
     kSplit,
     [](const Tensor& z) {
       return reshape(permute(z, {0, 2, 3, 1}), {length(z, 0), length(z, 2), length(z, 1) * length(z, 3)});
     }},
    {"not-joined",
     "You exchanged the axes, but the heads are still an axis of their own. Reshape (B,n,h,w) to (B,n,h·w).",
     kSplit,
     [](const Tensor& z) {
       return permute(z, {0, 2, 1, 3});
     }},
    {"heads-added",
     "You added the heads up. They are put side by side, so that W_O can treat each of them differently.",
     kSplit, [](const Tensor& z) { return sum(z, {1}); }},
    {"heads-averaged",
     "You took the mean of the heads. They are put side by side, so that W_O can treat each of them "
     "differently.",
     kSplit, [](const Tensor& z) { return mean(z, {1}); }},
    {"heads-below-each-other",
     "You put the heads below each other, as if they were more tokens. They belong side by side: a row per "
     "token, with the numbers of all heads.",
     kSplit,
     [](const Tensor& z) {
       return reshape(z, {length(z, 0), length(z, 1) * length(z, 2), length(z, 3)});
     }},
    {"last-axes-exchanged",
     "You exchanged the last two axes, tokens and columns, before the reshape. The axes to exchange are "
     "those of heads and tokens, 1 and 2.",
     kReshape,
     [](const Tensor& z) {
       return reshape(transpose(z), {length(z, 0), length(z, 2), length(z, 1) * length(z, 3)});
     }},
    {"off-the-tape", kOffTheTape, kSplit,
     [](const Tensor& z) { return Tensor(solution::merge_heads(z).array()); }},
};

using Count = std::size_t (*)(std::size_t d, std::size_t h, std::size_t g, std::size_t d_k, std::size_t d_v);

inline const std::vector<Mistake<Count>> kOfParametersOf = {
    {"a-W_O-for-each-head",
     "You counted a matrix (d,d) of W_O for every head: 3·h·d·d_k + h·d·d. There is one W_O, and its rows "
     "are the numbers that the heads put side by side: h·d_v of them.",
     kParameters,
     [](std::size_t d, std::size_t h, std::size_t, std::size_t d_k, std::size_t) {
       return 3 * h * d * d_k + h * d * d;
     }},
    {"W_O-of-h-times-d-rows",
     "You counted W_O as (h·d, d). A head's result has the width d_v, not d, so W_O has h·d_v rows.",
     kParameters,
     [](std::size_t d, std::size_t h, std::size_t g, std::size_t d_k, std::size_t d_v) {
       return d * h * d_k + d * g * (d_k + d_v) + h * d * d;
     }},
    {"four-d-squared",
     "You returned 4·d². That holds where d_k = d_v = d / n_heads and every head has its own keys and "
     "values. Here the widths may be chosen freely.",
     kParameters,
     [](std::size_t d, std::size_t, std::size_t, std::size_t, std::size_t) { return 4 * d * d; }},
    {"keys-for-every-query-head",
     "You counted keys and values for every head of queries. W_K and W_V have only n_kv_heads heads.",
     kGrouped,
     [](std::size_t d, std::size_t h, std::size_t, std::size_t d_k, std::size_t d_v) {
       return d * h * (2 * d_k + d_v) + h * d_v * d;
     }},
    {"no-W_O", "You left out W_O, which leads from the heads' results back to the width d.", kParameters,
     [](std::size_t d, std::size_t h, std::size_t g, std::size_t d_k, std::size_t d_v) {
       return d * h * d_k + d * g * (d_k + d_v);
     }},
    {"d_k-for-values", "You gave the values the width d_k. Theirs is d_v, in W_V and in the rows of W_O.",
     kParameters,
     [](std::size_t d, std::size_t h, std::size_t g, std::size_t d_k, std::size_t) {
       return d * h * d_k + 2 * d * g * d_k + h * d_k * d;
     }},
    {"d_k-in-W_V-only", "You counted W_V with the width d_k, as W_K. The values have the width d_v.",
     kParameters,
     [](std::size_t d, std::size_t h, std::size_t g, std::size_t d_k, std::size_t d_v) {
       return d * h * d_k + 2 * d * g * d_k + h * d_v * d;
     }},
    {"W_O-square",
     "You counted W_O as (d,d). Its rows are the numbers that the heads put side by side, h·d_v. That is d "
     "only where d_v = d / n_heads.",
     kParameters,
     [](std::size_t d, std::size_t h, std::size_t g, std::size_t d_k, std::size_t d_v) {
       return d * h * d_k + d * g * (d_k + d_v) + d * d;
     }},
    {"W_O-of-key-heads",
     "You gave W_O the rows of n_kv_heads heads. Every query head has a result of its own, so it has "
     "n_heads·d_v rows.",
     kGrouped,
     [](std::size_t d, std::size_t h, std::size_t g, std::size_t d_k, std::size_t d_v) {
       return d * h * d_k + d * g * (d_k + d_v) + g * d_v * d;
     }},
    {"one-head",
     "You counted the matrices of one head. d_k and d_v are widths of one head, and there are n_heads of "
     "them.",
     kParameters,
     [](std::size_t d, std::size_t, std::size_t, std::size_t d_k, std::size_t d_v) {
       return 2 * d * d_k + 2 * d * d_v;
     }},
    {"biases-too", "You added the numbers of biases. They are left out here.", kParameters,
     [](std::size_t d, std::size_t h, std::size_t g, std::size_t d_k, std::size_t d_v) {
       return (d + 1) * (h * d_k + g * (d_k + d_v)) + (h * d_v + 1) * d;
     }},
};

using Repeat = Tensor (*)(const Tensor&, std::size_t);

inline std::vector<Tensor> copies(const Tensor& k, std::size_t h) {
  return std::vector<Tensor>(h / k.length(1), k);
}
// (B,h,m,w), whatever the axes were.
inline Tensor as_heads(const Tensor& x, const Tensor& k, std::size_t h) {
  return reshape(x, {length(k, 0), int_of(h), length(k, 2), length(k, 3)});
}

inline const std::vector<Mistake<Repeat>> kOfRepeatKv = {
    {"tiled",
     "You put the whole group of heads behind itself: 0 1 0 1. Query heads that share are neighbours, so "
     "each head is repeated before the next one comes: 0 0 1 1.",
     kGrouped, [](const Tensor& k, std::size_t h) { return concat(copies(k, h), 1); }},
    {"keys-repeated",
     "You repeated along the axis of keys, so each head has its keys several times. The copies belong on "
     "the axis of heads.",
     kGrouped, [](const Tensor& k, std::size_t h) { return concat(copies(k, h), 2); }},
    {"width-repeated",
     "You repeated along the last axis, so each key became wider. The copies belong on the axis of heads.",
     kGrouped, [](const Tensor& k, std::size_t h) { return concat(copies(k, h), 3); }},
    {"batch-repeated",
     "You repeated along the batch and reshaped. In a batch of more than one sequence, heads of one "
     "sequence then land in another.",
     kGrouped, [](const Tensor& k, std::size_t h) { return as_heads(concat(copies(k, h), 0), k, h); }},
    {"copies-beside-each-key",
     "You put the copies beside each key, not beside each head: the new axis stands after the keys. The "
     "reshape then mixes keys and heads. Stack along axis 2, before the keys.",
     kReshape, [](const Tensor& k, std::size_t h) { return as_heads(stack(copies(k, h), 3), k, h); }},
    {"first-head-for-all", "All your heads are copies of head 0. Query head i uses head i / (h/g).", kGrouped,
     [](const Tensor& k, std::size_t h) { return concat(std::vector<Tensor>(h, slice(k, 1, 0, 1)), 1); }},
    {"not-repeated", "You returned k as it is. The result needs n_heads heads.", kGrouped,
     [](const Tensor& k, std::size_t) { return k * 1; }},
    {"an-axis-too-many",
     "Your copies stand on an axis of their own, (B,g,h/g,m,w). Reshape it to (B,h,m,w): then each head is "
     "followed by its copies.",
     kGrouped, [](const Tensor& k, std::size_t h) { return stack(copies(k, h), 2); }},
    {"group-taken-for-number",
     "You repeated each head n_heads times. It is repeated h/g times, so that there are h heads in the end.",
     kGrouped, [](const Tensor& k, std::size_t h) { return solution::repeat_kv(k, h * k.length(1)); }},
    {"off-the-tape", kOffTheTape, kGrouped,
     [](const Tensor& k, std::size_t h) { return Tensor(solution::repeat_kv(k, h).array()); }},
};

}  // namespace mistakes
