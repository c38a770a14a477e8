// What people get wrong in part 2 of exercise 10, a causal model.
#pragma once

#include "mistakes.h"

namespace mistakes {

using CausalModel = std::function<Tensor(const IntArray&, const CausalModelWeights&)>;

// The positions first … first+n-1 for x (B,n,d).
inline Tensor positions_from(std::size_t first, const Tensor& x) {
  const Tensor all = solution::lesson_06::sinusoidal_table(first + x.length(1), x.length(2));
  return slice(all, 0, static_cast<int>(first));
}

inline Tensor embedded(const Made& made, const IntArray& tokens, const Tensor& embedding) {
  const Tensor rows = solution::lesson_06::embed(embedding, tokens);
  return made("times-root-d") ? rows * sqrt(Tensor(rows.length(2))) : rows;
}

inline Tensor past_of(const Made& made, const Tensor& x) {
  const std::size_t n = x.length(made("mask-as-long-as-the-stream-is-wide") ? 2 : 1);
  const Tensor mask = solution::lesson_07::causal_mask_of(n, n);
  if (made("mask-inverted")) return 1 - mask;
  return made("mask-turned-round") ? transpose(mask) : mask;
}

// The weights of block i of so many.
inline std::size_t block_at(const Made& made, std::size_t i, std::size_t blocks) {
  return made("first-block-again") ? 0 : made("blocks-from-the-end") ? blocks - 1 - i : i;
}

// What goes on along the stream behind a block.
inline Tensor behind(const Made& made, const Tensor& x, const Tensor& after) {
  return made("results-dropped") ? x : made("stream-added-again") ? x + after : after;
}

inline Tensor unembedded(const Made& made, const Tensor& x, const Tensor& embedding,
                         const Tensor& unembedding) {
  const Tensor logits = matmul(x, made("embedding-for-the-unembedding") ? transpose(embedding) : unembedding);
  return made("softmax-at-the-end")       ? softmax(logits)
         : made("log-softmax-at-the-end") ? log_softmax(logits)
                                          : logits;
}

inline Tensor causal_with(const Made& made, const IntArray& tokens, const CausalModelWeights& w) {
  Tensor x = embedded(made, tokens, w.embedding);
  const std::size_t blocks = w.blocks.size();
  const bool late = made("positions-in-each-block") && blocks > 0;
  const bool anew = made("each-block-reads-the-embedding");
  if (made("n-and-d-exchanged"))
    x = x + solution::lesson_06::sinusoidal_table(x.length(2), x.length(1));
  else if (!made("no-positions") && !late)
    x = x + positions_from(made("positions-from-1") ? 1 : 0, x);
  if (made("final-norm-first")) x = normed(x, w.final_norm);
  const Tensor start = x;
  const std::size_t begin = made("first-block-left-out") ? 1 : 0,
                    end = made("one-block-only")        ? std::min<std::size_t>(blocks, 1)
                          : made("last-block-left-out") ? blocks - std::min<std::size_t>(blocks, 1)
                                                        : blocks;
  const bool in_loop = made("final-norm-in-each-block");
  for (std::size_t i = begin; i < end; ++i) {
    if (late || made("positions-again-in-each-block")) x = x + positions_from(0, x);
    x = behind(
        made, x,
        solution::block(anew ? start : x, w.blocks[block_at(made, i, blocks)],
                        made("one-head") ? 1 : w.n_heads, made("no-mask") ? Tensor(1) : past_of(made, x)));
    if (in_loop || made("final-norm-in-each-block-too")) x = normed(x, w.final_norm);
  }
  if (made("embedding-added-at-the-end")) x = x + start;
  if (!made("no-final-norm") && !made("final-norm-first") && !(in_loop && blocks > 0))
    x = normed(x, w.final_norm);
  return unembedded(made, x, w.embedding, w.unembedding);
}

// The slips that both models have in common.
inline std::vector<Slip> with_model(std::vector<Slip> slips) {
  const std::vector<Slip> common = {
      {"times-root-d", "You multiply the embedding by √d. This model takes its rows as they are.", kModel},
      {"no-final-norm",
       "The final norm is missing. Nothing has normalized the stream since the embedding, so its size is "
       "what the blocks made of it.",
       kNorms},
      {"mask-as-long-as-the-stream-is-wide",
       "Your mask has d rows and columns, the width of the stream. It needs a row for each query and a column "
       "for each key: causal_mask_of(n, n), with the number n of tokens.",
       kCausal},
      {"no-mask",
       "There is no causal mask. In training it sees the letters that it is to predict, and the loss is "
       "perfect; when it writes, they are not there.",
       kCausal},
      {"mask-turned-round",
       "Your mask is turned round: each query sees itself and what comes after it. Row i of the mask has "
       "its ones in the columns 0 … i.",
       kCausal},
      {"mask-inverted",
       "You took the mask for its opposite: each query sees only what comes after it. 1 means: may look.",
       kCausal},
      {"first-block-again", "You use the weights of the first block for all of them. Walk over all blocks.",
       kModel},
      {"blocks-from-the-end",
       "You run the blocks from the last to the first. The first one is the one that reads the embedding.",
       kModel},
      {"one-head", "You let the blocks compute with one head. The model has w.n_heads.", kModel},
      {"results-dropped",
       "What your blocks return is dropped: the stream behind the last is as it was before the first. Assign "
       "it, x = block(x, …).",
       kStream},
      {"stream-added-again", "You add x to what a block returns. The block has added to the stream already.",
       kStream},
      {"embedding-for-the-unembedding",
       "You multiply by the embedding, transposed. Some models share the two, but this one has a matrix of "
       "its own, w.unembedding.",
       kModel},
      {"softmax-at-the-end",
       "You return probabilities. The model gives logits: cross-entropy applies the softmax itself.", kModel},
      {"log-softmax-at-the-end",
       "You return log-probabilities. The model gives logits: cross-entropy applies the softmax itself.",
       kModel}};
  slips.insert(slips.end(), common.begin(), common.end());
  return slips;
}

inline const std::vector<grader::Slip> kSlipsOfCausalModel = with_model(
    {{"no-positions", "You do not add the positions. Attention by itself does not know where a token stands.",
      kModel},
     {"positions-from-1", "Your positions begin at 1. The first token stands at position 0.", kModel},
     {"n-and-d-exchanged",
      "You ask for the positions with n and d exchanged. sinusoidal_table(n, d) has a row for each "
      "position, and as many columns as the embedding.",
      kModel},
     {"positions-in-each-block",
      "You add the positions before every block. They are added once, to the embedding; from there the "
      "stream carries them.",
      kModel},
     {"positions-again-in-each-block",
      "You add the positions to the embedding, and again before every block. They are added once; from "
      "there the stream carries them.",
      kModel},
     {"final-norm-first",
      "Your final norm stands before the blocks. It belongs behind the last one, before the "
      "unembedding.",
      kNorms},
     {"final-norm-in-each-block",
      "You apply the final norm after every block. It stands once, behind the last.", kNorms},
     {"final-norm-in-each-block-too",
      "You apply the final norm after every block, and once more at the end. It stands once, behind "
      "the last block.",
      kNorms},
     {"each-block-reads-the-embedding",
      "Each of your blocks reads the embedding, so only the last one counts. A block reads what the one before "
      "it has left in the stream: x = block(x, …).",
      kStream},
     {"embedding-added-at-the-end",
      "You add the embedding once more behind the blocks. It is in the stream already: blocks only add to it.",
      kStream},
     {"one-block-only",
      "You run one block, however many there are. Each reads what the one before it has left in the "
      "stream.",
      kModel},
     {"first-block-left-out", "You left out the first block. Count from 0.", kModel},
     {"last-block-left-out", "You left out the last block. Run all of them.", kModel}});

inline std::vector<Mistake<CausalModel>> of_causal_model() {
  return slips_of<CausalModel>(causal_with, kSlipsOfCausalModel);
}

}  // namespace mistakes
