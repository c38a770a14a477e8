// What people get wrong in part 1 of exercise 10, a block, and the words that all parts share.
#pragma once

#include <vector>

#include "exercise.h"
#include "grader/slips.h"
#include "weights.h"

namespace mistakes {

using grader::Made;
using grader::Mistake;
using grader::Slip;
using grader::slips_of;
using BlockOf = std::function<Tensor(const Tensor&, const BlockWeights&, std::size_t, const Tensor&)>;

inline constexpr const char *kStream = "The residual stream", *kParts = "Attention moves, the MLP computes",
                            *kNorms = "The norm, before or after", *kModel = "A model, and its parameters",
                            *kCausal = "A causal model", *kTwoStacks = "Encoder, decoder, cross-attention",
                            *kForming = "The anti-diagonal forms";

inline Tensor perceptron_with(const Made& made, const Tensor& x, const MlpWeights& w) {
  const bool bare = made("biases-forgotten");
  const Tensor read = made("relu-at-the-beginning") ? relu(x) : x;
  const bool late = made("b_in-after-relu");
  const Tensor h =
      bare || late || made("b_in-forgotten") ? matmul(read, w.W_in) : linear(read, w.W_in, w.b_in);
  const Tensor bent = made("no-relu") || made("relu-at-the-beginning") ? h
                      : made("gelu-for-relu")                          ? gelu(h)
                                                                       : relu(h);
  const Tensor inner = late ? bent + w.b_in : bent;
  const Tensor y = bare || made("b_out-forgotten") ? matmul(inner, w.W_out) : linear(inner, w.W_out, w.b_out);
  return made("relu-at-the-end") ? relu(y) : y;
}

// What goes on along the stream when a part that has read `read` adds this to it.
inline Tensor added(const Made& made, const char* replaces, const Tensor& stream, const Tensor& part) {
  return made(replaces) ? part : made("subtracted") ? stream - part : stream + part;
}

// x + attention(norm_1(x))
template <class Weights>
Tensor first_half(const Made& made, const Tensor& x, const Weights& w, const MultiHeadWeights& attention,
                  std::size_t n_heads, const Tensor& mask) {
  const NormWeights& norm = made("norm-2-for-norm-1") ? w.norm_2 : w.norm_1;
  Tensor read = made("norm-1-forgotten") || made("norms-after") ? x : normed(x, norm);
  if (made("norm-1-again")) read = normed(read, norm);
  const Tensor part = solution::lesson_08::multi_head_attention(
      made("queries-without-norm") ? x : read, made("keys-without-norm") ? x : read, attention,
      made("one-head") || made("one-head-in-self-attention") ? 1 : n_heads,
      made("mask-forgotten")  ? Tensor(1)
      : made("mask-inverted") ? 1 - mask
                              : mask);
  const Tensor y =
      added(made, "attention-replaces-the-stream", made("first-sum-from-the-norm") ? read : x, part);
  return made("norms-after") ? normed(y, norm) : y;
}

// middle + MLP(norm_2(middle)); x is the stream before the attention.
template <class Weights>
Tensor second_half(const Made& made, const Tensor& x, const Tensor& middle, const Weights& w,
                   const NormWeights& norm) {
  const Tensor from = made("side-by-side") ? x : middle;
  Tensor read = made("norm-2-forgotten") || made("norms-after") ? from : normed(from, norm);
  if (made("norm-2-again")) read = normed(read, norm);
  if (made("MLP-reads-norm-1-of-x")) read = normed(x, w.norm_1);
  const Tensor stream = made("second-sum-from-the-norm")    ? read
                        : made("second-sum-from-the-old-x") ? x
                                                            : middle;
  Tensor y = added(made, "MLP-replaces-the-stream", stream, perceptron_with(made, read, w.mlp));
  if (made("x-added-at-the-end")) y = y + x;
  return made("norms-after") ? normed(y, norm) : y;
}

inline Tensor block_with(const Made& made, const Tensor& of, const BlockWeights& w, std::size_t n_heads,
                         const Tensor& mask) {
  const Tensor x = made("cut-from-the-tape") ? Tensor(of.array()) : of;
  const NormWeights& norm_2 = made("one-norm-for-both") ? w.norm_1 : w.norm_2;
  if (made("MLP-first")) {
    const Tensor middle = second_half(made, x, x, w, norm_2);
    return first_half(made, middle, w, w.attention, n_heads, mask);
  }
  const Tensor middle = first_half(made, x, w, w.attention, n_heads, mask);
  if (made("no-MLP")) return middle;
  return second_half(made, x, middle, w, norm_2);
}

// The slips that all blocks have in common.
inline const std::vector<Slip> kSlipsOfHalves = {
    {"norms-after",
     "You add first and normalize the sum: norm(x + f(x)). That is post-norm. Here the norm stands before "
     "each part, x + f(norm(x)), and nothing changes the stream but additions.",
     kNorms},
    {"attention-replaces-the-stream",
     "The attention's result takes the place of x. It must be added to x: without the sum the token "
     "itself is lost, and so is the short way for gradients.",
     kStream},
    {"MLP-replaces-the-stream",
     "The MLP's result takes the place of x. It must be added to what the attention left.", kStream},
    {"subtracted", "You subtract what the parts make. It is added to the stream.", kStream},
    {"first-sum-from-the-norm",
     "Your first sum starts from norm_1(x). It must start from x: x + attention(norm_1(x)).", kNorms},
    {"second-sum-from-the-norm",
     "Your second sum starts from y = norm_2(x), which the MLP reads. It must start from the stream x, as "
     "the attention has left it: x + MLP(norm_2(x)).",
     kNorms},
    {"second-sum-from-the-old-x",
     "Your second sum starts from the x of before the attention, so what the attention has written is "
     "lost. It starts from the stream with the attention's result in it.",
     kStream},
    {"side-by-side",
     "Your MLP reads the x from before the attention. It must read the stream with the attention's result "
     "in it: the second part sees what the first has written.",
     kStream},
    {"norm-1-forgotten", "The attention reads x as it is. It must read norm_1(x).", kNorms},
    {"norm-1-again", "You apply norm_1 twice before the attention. Once is enough.", kNorms},
    {"norm-2-forgotten", "The MLP reads the stream as it is. It must read norm_2 of the stream.", kNorms},
    {"norm-2-again", "You apply norm_2 twice before the MLP. Once is enough.", kNorms},
    {"MLP-reads-norm-1-of-x",
     "Your MLP reads what the attention has read, norm_1(x). It must read norm_2 of the stream, in which the "
     "attention's result stands.",
     kStream},
    {"x-added-at-the-end",
     "You add x once more at the end. It stands in the stream already: each part is added once.", kStream},
    {"one-norm-for-both",
     "You use norm_1 before the MLP too. Each norm has weights of its own: the MLP's are w.norm_2.", kNorms},
    {"norm-2-for-norm-1",
     "You use norm_2 before the attention. Each norm has weights of its own: the attention's are w.norm_1.",
     kNorms},
    {"keys-without-norm",
     "Only the queries come from norm_1(x); keys and values come from x as it is. In self-attention x and "
     "source are the same, norm_1(x).",
     kNorms},
    {"queries-without-norm",
     "The queries come from x as it is. In self-attention queries, keys and values come from norm_1(x).",
     kNorms},
    {"no-relu",
     "There is no relu in your MLP. Two matrices without a bend between them are one matrix, and the MLP "
     "is for what a matrix cannot compute.",
     kParts},
    {"gelu-for-relu", "Your MLP bends with gelu. This exercise asks for relu.", kParts},
    {"relu-at-the-end",
     "You apply relu to the MLP's output too. Then the MLP can only add to the stream and never take "
     "away. Relu stands between the two matrices only.",
     kParts},
    {"relu-at-the-beginning",
     "You apply relu to what the MLP reads, and not between its matrices. There it belongs.", kParts},
    {"b_in-after-relu",
     "You add b_in after relu. It belongs before it: relu(y W_in + b_in). It moves where the bend is.",
     kParts},
    {"biases-forgotten", "You left out the MLP's biases b_in and b_out.", kParts},
    {"b_in-forgotten", "You left out the MLP's bias b_in.", kParts},
    {"b_out-forgotten", "You left out the MLP's bias b_out.", kParts},
    {"mask-forgotten",
     "You do not pass the mask on to the self-attention. With the mask 1 every position sees all others, "
     "also those to its right, which it is to predict.",
     kCausal},
    {"mask-inverted",
     "You took the mask for its opposite: each position sees only what comes after it. 1 means: may look.",
     kCausal},
    {"one-head", "Your attention computes with one head. Pass n_heads on.", kParts}};

inline std::vector<Slip> with_block(std::vector<Slip> slips) {
  slips.insert(slips.end(), kSlipsOfHalves.begin(), kSlipsOfHalves.end());
  return slips;
}

inline const std::vector<grader::Slip> kSlipsOfBlock = with_block(
    {{"MLP-first",
      "Your MLP comes before the attention. A block begins with attention: first read from other "
      "positions, then compute with what was read.",
      kParts},
     {"no-MLP", "Your block ends with the attention. The MLP is missing.", kParts},
     {"cut-from-the-tape",
      "Your numbers are right, but the tape does not see how they came about, so no gradient reaches "
      "x. Compute with Tensors, not with the numbers of their arrays.",
      kStream}});

inline std::vector<Mistake<BlockOf>> of_block() { return slips_of<BlockOf>(block_with, kSlipsOfBlock); }

}  // namespace mistakes
