// What people get wrong in parts 1 and 2 of exercise 10, a block and a causal model.
#pragma once

#include <algorithm>
#include <vector>

#include "exercise.h"
#include "grader/part.h"
#include "weights.h"

namespace mistakes {

using grader::Mistake;
using BlockOf = Tensor (*)(const Tensor&, const BlockWeights&, std::size_t, const Tensor&);
using CausalModel = Tensor (*)(const IntArray&, const CausalModelWeights&);

inline constexpr const char *kStream = "The residual stream", *kParts = "Attention moves, the MLP computes",
                            *kNorms = "The norm, before or after", *kModel = "A model, and its parameters",
                            *kCausal = "A causal model", *kTwoStacks = "Encoder, decoder, cross-attention";

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

inline std::vector<Mistake<BlockOf>> of_block() {
  return {
      {"norms-after",
       "You add first and normalize the sum: norm(x + f(x)). That is post-norm. Here the norm stands before "
       "each "
       "part, x + f(norm(x)), and nothing changes the stream but additions.",
       kNorms,
       [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
         const Tensor middle = normed(x + attended(x, w, h, mask), w.norm_1);
         return normed(middle + computed(middle, w.mlp), w.norm_2);
       }},
      {"attention-replaces-the-stream",
       "The attention's result takes the place of x. It must be added to x: without the sum the token itself "
       "is "
       "lost, and so is the short way for gradients.",
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
       "source "
       "are the same, norm_1(x).",
       kNorms,
       [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
         return with_mlp(x + attended(normed(x, w.norm_1), x, w.attention, h, mask), w);
       }},
      {"side-by-side",
       "Your MLP reads the x from before the attention. It must read the stream with the attention's result "
       "in it: "
       "the second part sees what the first has written.",
       kStream,
       [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
         return with_attention(x, w, h, mask) + computed(normed(x, w.norm_2), w.mlp);
       }},
      {"no-relu",
       "There is no relu in your MLP. Two matrices without a bend between them are one matrix, and the MLP "
       "is for "
       "what a matrix cannot compute.",
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
       "You apply relu to the MLP's output too. Then the MLP can only add to the stream and never take away. "
       "Relu "
       "stands between the two matrices only.",
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
       "Your MLP comes before the attention. A block begins with attention: first read from other positions, "
       "then "
       "compute with what was read.",
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
       "Compute "
       "with Tensors, not with the numbers of their arrays.",
       kStream, [](const Tensor& x, const BlockWeights& w, std::size_t h, const Tensor& mask) {
         return solution::block(Tensor(x.array()), w, h, mask);
       }}};
}

// The stream after all blocks.
inline Tensor through(Tensor x, const std::vector<BlockWeights>& blocks, std::size_t n_heads,
                      const Tensor& mask) {
  for (const BlockWeights& each : blocks) x = solution::block(x, each, n_heads, mask);
  return x;
}
inline Tensor past(const Tensor& x) { return solution::lesson_07::causal_mask_of(x.length(1), x.length(1)); }
inline Tensor rows_of(const Tensor& embedding, const IntArray& tokens) {
  return solution::lesson_06::embed(embedding, tokens);
}
// The positions first … first+n-1 for x (B,n,d).
inline Tensor positions_from(std::size_t first, const Tensor& x) {
  const Tensor all = solution::lesson_06::sinusoidal_table(first + x.length(1), x.length(2));
  return slice(all, 0, static_cast<int>(first));
}
inline Tensor ended(const Tensor& x, const CausalModelWeights& w) {
  return matmul(normed(x, w.final_norm), w.unembedding);
}

inline std::vector<Mistake<CausalModel>> of_causal_model() {
  return {
      {"no-positions",
       "You do not add the positions. Attention by itself does not know where a token stands.", kModel,
       [](const IntArray& tokens, const CausalModelWeights& w) {
         const Tensor x = rows_of(w.embedding, tokens);
         return ended(through(x, w.blocks, w.n_heads, past(x)), w);
       }},
      {"positions-from-1", "Your positions begin at 1. The first token stands at position 0.", kModel,
       [](const IntArray& tokens, const CausalModelWeights& w) {
         const Tensor rows = rows_of(w.embedding, tokens), x = rows + positions_from(1, rows);
         return ended(through(x, w.blocks, w.n_heads, past(x)), w);
       }},
      {"positions-in-each-block",
       "You add the positions before every block. They are added once, to the embedding; from there the "
       "stream "
       "carries them.",
       kModel,
       [](const IntArray& tokens, const CausalModelWeights& w) {
         Tensor x = rows_of(w.embedding, tokens);
         for (const BlockWeights& each : w.blocks)
           x = solution::block(x + positions_from(0, x), each, w.n_heads, past(x));
         return ended(w.blocks.empty() ? x + positions_from(0, x) : x, w);
       }},
      {"no-final-norm",
       "The final norm is missing. Nothing has normalized the stream since the embedding, so its size is "
       "what the "
       "blocks made of it.",
       kNorms,
       [](const IntArray& tokens, const CausalModelWeights& w) {
         const Tensor x = solution::placed(tokens, w.embedding);
         return matmul(through(x, w.blocks, w.n_heads, past(x)), w.unembedding);
       }},
      {"final-norm-first",
       "Your final norm stands before the blocks. It belongs behind the last one, before the unembedding.",
       kNorms,
       [](const IntArray& tokens, const CausalModelWeights& w) {
         const Tensor x = normed(solution::placed(tokens, w.embedding), w.final_norm);
         return matmul(through(x, w.blocks, w.n_heads, past(x)), w.unembedding);
       }},
      {"final-norm-in-each-block",
       "You apply the final norm after every block. It stands once, behind the last.", kNorms,
       [](const IntArray& tokens, const CausalModelWeights& w) {
         Tensor x = solution::placed(tokens, w.embedding);
         for (const BlockWeights& each : w.blocks)
           x = normed(solution::block(x, each, w.n_heads, past(x)), w.final_norm);
         return matmul(w.blocks.empty() ? normed(x, w.final_norm) : x, w.unembedding);
       }},
      {"no-mask",
       "Your blocks have no causal mask. Position i sees token i+1, which it is to predict: the loss will be "
       "perfect, and what the model writes will be wrong.",
       kCausal,
       [](const IntArray& tokens, const CausalModelWeights& w) {
         return ended(through(solution::placed(tokens, w.embedding), w.blocks, w.n_heads, 1), w);
       }},
      {"mask-turned-round",
       "Your mask is turned round: each query sees itself and what comes after it. Row i of the mask has its "
       "ones "
       "in the columns 0 … i.",
       kCausal,
       [](const IntArray& tokens, const CausalModelWeights& w) {
         const Tensor x = solution::placed(tokens, w.embedding);
         return ended(through(x, w.blocks, w.n_heads, transpose(past(x))), w);
       }},
      {"first-block-again", "You use the weights of the first block for all of them. Walk over w.blocks.",
       kModel,
       [](const IntArray& tokens, const CausalModelWeights& w) {
         const Tensor x = solution::placed(tokens, w.embedding);
         std::vector<BlockWeights> same(w.blocks);
         std::fill(same.begin(), same.end(), w.blocks.empty() ? BlockWeights() : w.blocks[0]);
         return ended(through(x, same, w.n_heads, past(x)), w);
       }},
      {"one-block-only",
       "You run one block, however many there are. Each reads what the one before it has left in the stream.",
       kModel,
       [](const IntArray& tokens, const CausalModelWeights& w) {
         const Tensor x = solution::placed(tokens, w.embedding);
         const std::vector<BlockWeights> first(w.blocks.begin(),
                                               w.blocks.begin() + (w.blocks.empty() ? 0 : 1));
         return ended(through(x, first, w.n_heads, past(x)), w);
       }},
      {"blocks-from-the-end",
       "You run the blocks from the last to the first. w.blocks[0] is the one that reads the embedding.",
       kModel,
       [](const IntArray& tokens, const CausalModelWeights& w) {
         const Tensor x = solution::placed(tokens, w.embedding);
         const std::vector<BlockWeights> turned(w.blocks.rbegin(), w.blocks.rend());
         return ended(through(x, turned, w.n_heads, past(x)), w);
       }},
      {"one-head", "You let the blocks compute with one head. The model has w.n_heads.", kModel,
       [](const IntArray& tokens, const CausalModelWeights& w) {
         const Tensor x = solution::placed(tokens, w.embedding);
         return ended(through(x, w.blocks, 1, past(x)), w);
       }},
      {"embedding-for-the-unembedding",
       "You multiply by the embedding, transposed. Some models share the two, but this one has a matrix of "
       "its own, "
       "w.unembedding.",
       kModel,
       [](const IntArray& tokens, const CausalModelWeights& w) {
         const Tensor x = solution::placed(tokens, w.embedding);
         return matmul(normed(through(x, w.blocks, w.n_heads, past(x)), w.final_norm),
                       transpose(w.embedding));
       }},
      {"softmax-at-the-end",
       "You return probabilities. The model gives logits: cross-entropy applies the softmax itself.", kModel,
       [](const IntArray& tokens, const CausalModelWeights& w) {
         return softmax(solution::causal_model(tokens, w));
       }}};
}

}  // namespace mistakes
