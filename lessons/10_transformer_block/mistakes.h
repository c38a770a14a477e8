// What people get wrong in part 1 of exercise 10, a block, and the words that all parts share.
#pragma once

#include <vector>

#include "exercise.h"
#include "grader/part.h"
#include "weights.h"

namespace mistakes {

using grader::Mistake;
using BlockOf = Tensor (*)(const Tensor&, const BlockWeights&, std::size_t, const Tensor&);

inline constexpr const char *kStream = "The residual stream", *kParts = "Attention moves, the MLP computes",
                            *kNorms = "The norm, before or after", *kModel = "A model, and its parameters",
                            *kCausal = "A causal model", *kTwoStacks = "Encoder, decoder, cross-attention",
                            *kForming = "The anti-diagonal forms";

inline Tensor attended(const Tensor& read, const Tensor& source, const MultiHeadWeights& w,
                       std::size_t n_heads, const Tensor& mask) {
  return solution::lesson_08::multi_head_attention(read, source, w, n_heads, mask);
}
inline Tensor attended(const Tensor& read, const BlockWeights& w, std::size_t n_heads, const Tensor& mask) {
  return attended(read, read, w.attention, n_heads, mask);
}
inline Tensor computed(const Tensor& read, const MlpWeights& w) { return solution::perceptron(read, w); }

// The second half of a block: x + MLP(norm_2(x)).
template <class Weights>
Tensor with_mlp(const Tensor& x, const Weights& w) {
  return x + computed(normed(x, w.norm_2), w.mlp);
}
// The first half: x + attention(norm_1(x)).
template <class Weights>
Tensor with_attention(const Tensor& x, const Weights& w, std::size_t n_heads, const Tensor& mask) {
  const Tensor read = normed(x, w.norm_1);
  return x + attended(read, read, w.attention, n_heads, mask);
}

inline const std::vector<Mistake<BlockOf>> kOfBlock = {
    {"norms-after",
     "You add first and normalize the sum: norm(x + f(x)). That is post-norm. Here the norm stands before "
     "each part, x + f(norm(x)), and nothing changes the stream but additions.",
     kNorms,
     [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
       const Tensor middle = normed(x + attended(x, w, h, mask), w.norm_1);
       return normed(middle + computed(middle, w.mlp), w.norm_2);
     }},
    {"attention-replaces-the-stream",
     "The attention's result takes the place of x. It must be added to x: without the sum the token "
     "itself is lost, and so is the short way for gradients.",
     kStream,
     [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
       return with_mlp(attended(normed(x, w.norm_1), w, h, mask), w);
     }},
    {"MLP-replaces-the-stream",
     "The MLP's result takes the place of x. It must be added to what the attention left.", kStream,
     [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
       return computed(normed(with_attention(x, w, h, mask), w.norm_2), w.mlp);
     }},
    {"only-sums-left-out",
     "You run attention and MLP one after the other and add neither to x. Both must be added to the "
     "stream.",
     kStream,
     [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
       return computed(normed(attended(normed(x, w.norm_1), w, h, mask), w.norm_2), w.mlp);
     }},
    {"normalized-stream-goes-on",
     "You add to the normalized x. The norm is for what a part reads; the sum needs x itself: x + "
     "f(norm(x)).",
     kNorms,
     [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
       const Tensor read = normed(x, w.norm_1), middle = read + attended(read, w, h, mask);
       const Tensor again = normed(middle, w.norm_2);
       return again + computed(again, w.mlp);
     }},
    {"first-sum-from-the-norm",
     "Your first sum starts from norm_1(x). It must start from x: x + attention(norm_1(x)).", kNorms,
     [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
       const Tensor read = normed(x, w.norm_1);
       return with_mlp(read + attended(read, w, h, mask), w);
     }},
    {"second-sum-from-the-norm",
     "Your second sum starts from y = norm_2(x), which the MLP reads. It must start from the stream x, as "
     "the attention has left it: x + MLP(norm_2(x)).",
     kNorms,
     [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
       const Tensor read = normed(with_attention(x, w, h, mask), w.norm_2);
       return read + computed(read, w.mlp);
     }},
    {"norm-1-forgotten", "The attention reads x as it is. It must read norm_1(x).", kNorms,
     [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
       return with_mlp(x + attended(x, w, h, mask), w);
     }},
    {"norm-2-forgotten", "The MLP reads the stream as it is. It must read norm_2 of the stream.", kNorms,
     [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
       const Tensor middle = with_attention(x, w, h, mask);
       return middle + computed(middle, w.mlp);
     }},
    {"one-norm-for-both",
     "You use norm_1 before the MLP too. Each norm has weights of its own: the MLP's are w.norm_2.", kNorms,
     [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
       const Tensor middle = with_attention(x, w, h, mask);
       return middle + computed(normed(middle, w.norm_1), w.mlp);
     }},
    {"keys-without-norm",
     "Only the queries come from norm_1(x); keys and values come from x as it is. In self-attention x and "
     "source are the same, norm_1(x).",
     kNorms,
     [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
       return with_mlp(x + attended(normed(x, w.norm_1), x, w.attention, h, mask), w);
     }},
    {"side-by-side",
     "Your MLP reads the x from before the attention. It must read the stream with the attention's result "
     "in it: the second part sees what the first has written.",
     kStream,
     [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
       return with_attention(x, w, h, mask) + computed(normed(x, w.norm_2), w.mlp);
     }},
    {"no-relu",
     "There is no relu in your MLP. Two matrices without a bend between them are one matrix, and the MLP "
     "is for what a matrix cannot compute.",
     kParts,
     [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
       const Tensor middle = with_attention(x, w, h, mask), read = normed(middle, w.norm_2);
       return middle + linear(linear(read, w.mlp.W_in, w.mlp.b_in), w.mlp.W_out, w.mlp.b_out);
     }},
    {"gelu-for-relu", "Your MLP bends with gelu. This exercise asks for relu.", kParts,
     [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
       const Tensor middle = with_attention(x, w, h, mask), read = normed(middle, w.norm_2);
       return middle + linear(gelu(linear(read, w.mlp.W_in, w.mlp.b_in)), w.mlp.W_out, w.mlp.b_out);
     }},
    {"relu-at-the-end",
     "You apply relu to the MLP's output too. Then the MLP can only add to the stream and never take "
     "away. Relu stands between the two matrices only.",
     kParts,
     [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
       const Tensor middle = with_attention(x, w, h, mask);
       return middle + relu(computed(normed(middle, w.norm_2), w.mlp));
     }},
    {"biases-forgotten", "You left out the MLP's biases b_in and b_out.", kParts,
     [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
       const Tensor middle = with_attention(x, w, h, mask), read = normed(middle, w.norm_2);
       return middle + matmul(relu(matmul(read, w.mlp.W_in)), w.mlp.W_out);
     }},
    {"MLP-first",
     "Your MLP comes before the attention. A block begins with attention: first read from other "
     "positions, then compute with what was read.",
     kParts,
     [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
       return with_attention(with_mlp(x, w), w, h, mask);
     }},
    {"mask-forgotten",
     "You do not pass the mask on. With the mask 1 every position sees all others, also those to its "
     "right.",
     kCausal,
     [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor&) {
       return solution::block(x, w, h, 1);
     }},
    {"cut-from-the-tape",
     "Your numbers are right, but the tape does not see how they came about, so no gradient reaches x. "
     "Compute with Tensors, not with the numbers of their arrays.",
     kStream, [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
       return solution::block(Tensor(x.array()), w, h, mask);
     }}};

}  // namespace mistakes
