// What people get wrong in part 2 of exercise 10, a causal model.
#pragma once

#include <algorithm>
#include <vector>

#include "exercise.h"
#include "grader/part.h"
#include "mistakes.h"
#include "weights.h"

namespace mistakes {

using CausalModel = Tensor (*)(const IntArray&, const CausalModelWeights&);

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

inline const std::vector<Mistake<CausalModel>> kOfCausalModel = {
    {"no-positions", "You do not add the positions. Attention by itself does not know where a token stands.",
     kModel,
     [](const IntArray& tokens, const CausalModelWeights& w) {
       const Tensor x = rows_of(w.embedding, tokens);
       return ended(through(x, w.blocks, w.n_heads, past(x)), w);
     }},
    {"positions-from-1", "Your positions begin at 1. The first token stands at position 0.", kModel,
     [](const IntArray& tokens, const CausalModelWeights& w) {
       const Tensor rows = rows_of(w.embedding, tokens), x = rows + positions_from(1, rows);
       return ended(through(x, w.blocks, w.n_heads, past(x)), w);
     }},
    {"n-and-d-exchanged",
     "You ask for the positions with n and d exchanged. sinusoidal_table(n, d) has a row for each "
     "position, and as many columns as the embedding.",
     kModel,
     [](const IntArray& tokens, const CausalModelWeights& w) {
       const Tensor rows = rows_of(w.embedding, tokens);
       const Tensor x = rows + solution::lesson_06::sinusoidal_table(rows.length(2), rows.length(1));
       return ended(through(x, w.blocks, w.n_heads, past(x)), w);
     }},
    {"positions-in-each-block",
     "You add the positions before every block. They are added once, to the embedding; from there the "
     "stream carries them.",
     kModel,
     [](const IntArray& tokens, const CausalModelWeights& w) {
       Tensor x = rows_of(w.embedding, tokens);
       for (const BlockWeights& each : w.blocks)
         x = solution::block(x + positions_from(0, x), each, w.n_heads, past(x));
       return ended(w.blocks.empty() ? x + positions_from(0, x) : x, w);
     }},
    {"positions-again-in-each-block",
     "You add the positions to the embedding, and again before every block. They are added once; from there "
     "the stream carries them.",
     kModel,
     [](const IntArray& tokens, const CausalModelWeights& w) {
       Tensor x = solution::placed(tokens, w.embedding);
       for (const BlockWeights& each : w.blocks)
         x = solution::block(x + positions_from(0, x), each, w.n_heads, past(x));
       return ended(x, w);
     }},
    {"no-final-norm",
     "The final norm is missing. Nothing has normalized the stream since the embedding, so its size is "
     "what the blocks made of it.",
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
    {"final-norm-in-each-block-too",
     "You apply the final norm after every block, and once more at the end. It stands once, behind the last "
     "block.",
     kNorms,
     [](const IntArray& tokens, const CausalModelWeights& w) {
       Tensor x = solution::placed(tokens, w.embedding);
       for (const BlockWeights& each : w.blocks)
         x = normed(solution::block(x, each, w.n_heads, past(x)), w.final_norm);
       return ended(x, w);
     }},
    {"mask-as-long-as-the-stream-is-wide",
     "Your mask has d rows and columns, the width of the stream. It needs a row for each query and a column "
     "for each key: causal_mask_of(n, n), with the number n of tokens.",
     kCausal,
     [](const IntArray& tokens, const CausalModelWeights& w) {
       const Tensor x = solution::placed(tokens, w.embedding);
       const Tensor mask = solution::lesson_07::causal_mask_of(x.length(2), x.length(2));
       return ended(through(x, w.blocks, w.n_heads, mask), w);
     }},
    {"no-mask",
     "Your blocks have no causal mask. Position i sees token i+1, which it is to predict: the loss will "
     "be perfect, and what the model writes will be wrong.",
     kCausal,
     [](const IntArray& tokens, const CausalModelWeights& w) {
       return ended(through(solution::placed(tokens, w.embedding), w.blocks, w.n_heads, 1), w);
     }},
    {"mask-turned-round",
     "Your mask is turned round: each query sees itself and what comes after it. Row i of the mask has "
     "its ones in the columns 0 … i.",
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
       const std::vector<BlockWeights> first(w.blocks.begin(), w.blocks.begin() + (w.blocks.empty() ? 0 : 1));
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
     "its own, w.unembedding.",
     kModel,
     [](const IntArray& tokens, const CausalModelWeights& w) {
       const Tensor x = solution::placed(tokens, w.embedding);
       return matmul(normed(through(x, w.blocks, w.n_heads, past(x)), w.final_norm), transpose(w.embedding));
     }},
    {"softmax-at-the-end",
     "You return probabilities. The model gives logits: cross-entropy applies the softmax itself.", kModel,
     [](const IntArray& tokens, const CausalModelWeights& w) {
       return softmax(solution::causal_model(tokens, w));
     }}};

}  // namespace mistakes
