// What people write in the place of the parts that rearrange and count, and what is wrong with it.
#pragma once

#include <vector>

#include "exercise.h"
#include "grader/slips.h"

namespace mistakes {

using grader::Made;
using grader::Mistake;
using grader::Slip;
using grader::slips_of;

inline constexpr const char *kSplit = "Split, attend, put side by side, project",
                            *kReshape = "A reshape is not a split",
                            *kParameters = "Parameters: the same for every number of heads",
                            *kGrouped = "Heads that share keys and values", *kCross = "Cross-attention";

inline int int_of(std::size_t n) { return static_cast<int>(n); }
inline int length(const Tensor& x, int axis) { return int_of(x.length(axis)); }

inline constexpr const char* kOffTheTape =
    "The numbers are right, but the gradients are 0: you computed with the numbers of array(), which the "
    "tape does not see. Write it with ops, such as reshape, permute, slice and matmul.";

using Split = std::function<Tensor(const Tensor&, std::size_t)>;

inline Tensor split_with(const Made& made, const Tensor& x, std::size_t n_heads) {
  const int batch = length(x, 0), n = length(x, 1), heads = int_of(n_heads), width = length(x, 2) / heads;
  const Tensor numbers = made("off-the-tape") ? Tensor(x.array()) : x;
  const bool exchanged = made("heads-and-width-exchanged"), each_h = made("every-h-th-column");
  const int h = exchanged ? width : heads, w = exchanged ? heads : width;
  if (made("transposed-then-reshaped")) return reshape(transpose(numbers), {batch, h, n, w});
  if (made("reshape-only")) return reshape(numbers, {batch, h, n, w});
  Tensor apart = reshape(numbers, {batch, n, each_h ? w : h, each_h ? h : w});
  if (made("columns-from-i")) {
    std::vector<Tensor> parts;
    for (int i = 0; i < h; ++i) parts.push_back(slice(numbers, 2, i, i + w));
    apart = stack(parts, 2);
  }
  const int of_heads = each_h ? 3 : 2, of_width = each_h ? 2 : 3;
  if (made("heads-reversed")) apart = flip(apart, of_heads);
  if (made("axes-not-exchanged")) return apart;
  if (made("columns-before-tokens")) return permute(apart, {0, of_heads, of_width, 1});
  if (made("batch-after-heads")) return permute(apart, {of_heads, 0, 1, of_width});
  if (made("width-before-tokens")) return permute(apart, {0, of_width, 1, of_heads});
  return permute(apart, {0, of_heads, 1, of_width});
}

inline const std::vector<grader::Slip> kSlipsOfSplitHeads = {
    {"reshape-only",
     "You reshaped straight to (B,h,n,d_head). A reshape keeps the numbers in their order, so head 0 gets "
     "all columns of the first tokens, and the last head those of the last tokens. Reshape to "
     "(B,n,h,d_head), then exchange the axes of tokens and heads.",
     kReshape},
    {"axes-not-exchanged",
     "You reshaped to (B,n,h,d_head) and stopped. Attention works on the last two axes, so the tokens "
     "must stand next to the columns: exchange axes 1 and 2.",
     kSplit},
    {"every-h-th-column",
     "Your head i has the columns i, i+h, i+2h …. A head owns neighbouring columns: i·d_head and those "
     "after it. Reshape to (B,n,h,d_head), not to (B,n,d_head,h).",
     kSplit},
    {"columns-from-i",
     "Your head i has the columns i … i+d_head-1, so the heads overlap. It begins at column i·d_head.",
     kSplit},
    {"heads-reversed", "Your heads stand in the reverse order. Head 0 has the first d_head columns.", kSplit},
    {"heads-and-width-exchanged", "You made d/h heads of width h. There are h heads of width d/h.", kSplit},
    {"columns-before-tokens",
     "Your result has the shape (B,h,d_head,n). Each head needs its tokens as rows and its columns as "
     "columns: (B,h,n,d_head).",
     kSplit},
    {"width-before-tokens",
     "You exchanged tokens and columns of the heads: (B,d_head,n,h). The axes to exchange are those of "
     "tokens and heads, 1 and 2.",
     kSplit},
    {"transposed-then-reshaped",
     "You transposed x and then reshaped it to (B,h,n,d_head). After the transpose the numbers of one "
     "column stand side by side, and the reshape makes rows of them. Reshape first, then permute.",
     kReshape},
    {"batch-after-heads", "Your result has the shape (h,B,n,d_head). The batch stays the first axis.",
     kSplit},
    {"off-the-tape", kOffTheTape, kSplit}};

inline std::vector<Mistake<Split>> of_split_heads() {
  return slips_of<Split>(split_with, kSlipsOfSplitHeads);
}

using Merge = std::function<Tensor(const Tensor&)>;

inline Tensor merged_with(const Made& made, const Tensor& of) {
  Tensor z = made("off-the-tape") ? Tensor(of.array()) : of;
  const int batch = length(z, 0), n = length(z, made("heads-for-tokens") ? 1 : 2),
            all = length(z, 1) * length(z, 3);
  if (made("heads-reversed")) z = flip(z, 1);
  if (made("first-head-alone")) return reshape(slice(z, 1, 0, 1), {batch, n, length(z, 3)});
  if (made("last-head-alone")) return reshape(slice(z, 1, -1), {batch, n, length(z, 3)});
  if (made("heads-added")) return sum(z, {1});
  if (made("heads-averaged")) return mean(z, {1});
  if (made("heads-below-each-other")) return reshape(z, {batch, -1, length(z, 3)});
  if (made("last-axes-exchanged")) z = transpose(z);
  const Tensor beside = made("reshape-only") || made("last-axes-exchanged") ? z
                        : made("heads-interleaved")                         ? permute(z, {0, 2, 3, 1})
                        : made("width-before-heads")                        ? permute(z, {0, 3, 2, 1})
                                                                            : permute(z, {0, 2, 1, 3});
  return made("not-joined") ? beside : reshape(beside, {batch, n, made("heads-for-tokens") ? -1 : all});
}

inline const std::vector<grader::Slip> kSlipsOfMergeHeads = {
    {"reshape-only",
     "You reshaped straight to (B,n,h·w). The numbers of one token then come from one head and several "
     "tokens. Exchange the axes of heads and tokens first, then reshape.",
     kReshape},
    {"heads-interleaved",
     "In your rows the heads take turns, column by column. All numbers of head 0 come first, then those "
     "of head 1: that is the order in which the heads own the rows of W_O.",
     kSplit},
    {"width-before-heads",
     "You exchanged heads and columns, axes 1 and 3. The axes to exchange are those of heads and tokens, "
     "1 and 2.",
     kSplit},
    {"heads-for-tokens",
     "You took the number of heads, z.length(1), for the number of tokens. z is (B,h,n,w): that is "
     "z.length(2).",
     kSplit},
    {"not-joined",
     "You exchanged the axes, but the heads are still an axis of their own. Reshape (B,n,h,w) to "
     "(B,n,h·w).",
     kSplit},
    {"heads-added",
     "You added the heads up. They are put side by side, so that W_O can treat each of them differently.",
     kSplit},
    {"heads-averaged",
     "You took the mean of the heads. They are put side by side, so that W_O can treat each of them "
     "differently.",
     kSplit},
    {"first-head-alone", "You returned the first head alone. All are put side by side.", kSplit},
    {"last-head-alone", "You returned the last head alone. All are put side by side.", kSplit},
    {"heads-reversed",
     "You put the heads side by side in the reverse order. The numbers of head 0 come first.", kSplit},
    {"heads-below-each-other",
     "You put the heads below each other, as if they were more tokens. They belong side by side: a row "
     "per token, with the numbers of all heads.",
     kSplit},
    {"last-axes-exchanged",
     "You exchanged the last two axes, tokens and columns, before the reshape. The axes to exchange are "
     "those of heads and tokens, 1 and 2.",
     kReshape},
    {"off-the-tape", kOffTheTape, kSplit}};

inline std::vector<Mistake<Merge>> of_merge_heads() {
  return slips_of<Merge>(merged_with, kSlipsOfMergeHeads);
}

using Count =
    std::function<std::size_t(std::size_t d, std::size_t h, std::size_t g, std::size_t d_k, std::size_t d_v)>;

inline std::size_t counted_with(const Made& made, std::size_t d, std::size_t h, std::size_t g,
                                std::size_t d_k, std::size_t d_v) {
  if (made("d_k-for-values")) d_v = d_k;
  if (made("n_kv_heads-for-queries")) h = g;
  if (made("one-head")) h = g = 1;
  const std::size_t kv = made("keys-for-every-query-head") ? h : g, biased = made("biases-too") ? d + 1 : d;
  const std::size_t Q = made("W_Q-square") ? d * d
                                           : biased *
                                                 (made("one-head-of-queries") ? 1
                                                  : made("W_Q-of-key-heads")  ? g
                                                                              : h) *
                                                 (made("d_v-for-queries") ? d_v : d_k);
  const std::size_t K = biased * (made("h-heads-of-keys") ? h : kv) * (made("d_v-for-keys") ? d_v : d_k),
                    V = biased * (made("h-heads-of-values") ? h : kv) * (made("d_k-in-W_V-only") ? d_k : d_v);
  const std::size_t rows = made("W_O-square")              ? d
                           : made("W_O-of-h-times-d-rows") ? h * d
                           : made("W_O-of-key-heads")      ? g * d_v
                           : made("d_k-in-W_O-only")       ? h * d_k
                           : made("W_O-of-one-head")       ? d_v
                                                           : h * d_v;
  const std::size_t O = (rows + (made("biases-too") ? 1 : 0)) * d;
  if (made("four-d-squared")) return 4 * d * d;
  if (made("width-left-out")) return h * d_k + g * (d_k + d_v) + h * d_v;
  return (made("no-W_Q") ? 0 : Q) + (made("no-W_K") ? 0 : K) + (made("no-W_V") ? 0 : V) +
         (made("no-W_O") ? 0 : O);
}

inline const std::vector<grader::Slip> kSlipsOfParametersOf = {
    {"W_O-of-h-times-d-rows",
     "You counted W_O as (h·d, d). A head's result has the width d_v, not d, so W_O has h·d_v rows.",
     kParameters},
    {"four-d-squared",
     "You returned 4·d². That holds where d_k = d_v = d / n_heads and every head has its own keys and "
     "values. Here the widths may be chosen freely.",
     kParameters},
    {"width-left-out", "You left out the width d. Each matrix has d rows, or d columns.", kParameters},
    {"keys-for-every-query-head",
     "You counted keys and values for every head of queries. W_K and W_V have only n_kv_heads heads.",
     kGrouped},
    {"h-heads-of-keys", "You counted keys for every head of queries. W_K has only n_kv_heads heads, as W_V.",
     kGrouped},
    {"h-heads-of-values",
     "You counted values for every head of queries. W_V has only n_kv_heads heads, as W_K.", kGrouped},
    {"n_kv_heads-for-queries", "You counted n_kv_heads heads of queries. W_Q and W_O have n_heads heads.",
     kGrouped},
    {"W_Q-of-key-heads", "You gave W_Q n_kv_heads heads. The queries have n_heads.", kGrouped},
    {"W_Q-square",
     "You counted W_Q as (d,d). It has n_heads heads of the width d_k: that is d only where d_k = d / "
     "n_heads.",
     kParameters},
    {"one-head-of-queries", "You counted one head of W_Q. It has n_heads of them.", kParameters},
    {"no-W_O", "You left out W_O, which leads from the heads' results back to the width d.", kParameters},
    {"no-W_Q", "You left out W_Q.", kParameters},
    {"no-W_K", "You left out W_K, or counted one of W_K and W_V. Keys and values have a matrix each.",
     kParameters},
    {"no-W_V", "You left out W_V. Keys and values have a matrix each.", kParameters},
    {"d_k-for-values", "You gave the values the width d_k. Theirs is d_v, in W_V and in the rows of W_O.",
     kParameters},
    {"d_k-in-W_V-only", "You counted W_V with the width d_k, as W_K. The values have the width d_v.",
     kParameters},
    {"d_k-in-W_O-only",
     "You counted h·d_k rows of W_O. They are the numbers that the heads put side by side, h·d_v.",
     kParameters},
    {"d_v-for-queries", "You counted W_Q with the width d_v. Queries have the width of keys, d_k.",
     kParameters},
    {"d_v-for-keys", "You counted W_K with the width d_v. Keys have the width of queries, d_k.", kParameters},
    {"W_O-square",
     "You counted W_O as (d,d). Its rows are the numbers that the heads put side by side, h·d_v. That is "
     "d only where d_v = d / n_heads.",
     kParameters},
    {"W_O-of-key-heads",
     "You gave W_O the rows of n_kv_heads heads. Every query head has a result of its own, so it has "
     "n_heads·d_v rows.",
     kGrouped},
    {"W_O-of-one-head",
     "You gave W_O the rows of one head. All heads stand side by side, so it has n_heads·d_v rows.",
     kParameters},
    {"one-head",
     "You counted the matrices of one head. d_k and d_v are widths of one head, and there are n_heads of "
     "them.",
     kParameters},
    {"biases-too", "You added the numbers of biases. They are left out here.", kParameters}};

inline std::vector<Mistake<Count>> of_parameters_of() {
  return slips_of<Count>(counted_with, kSlipsOfParametersOf);
}

}  // namespace mistakes
