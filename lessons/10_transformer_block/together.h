// What people get wrong together.
#pragma once

#include <vector>

#include "mistakes.h"
#include "mistakes_decoder.h"
#include "mistakes_model.h"
#include "mistakes_training.h"
#include "mistakes_two_stacks.h"

namespace mistakes {

using grader::with_together;

inline std::vector<Mistake<BlockOf>> of_block() {
  using W = const BlockWeights&;
  return with_together<BlockOf>(
      kOfBlock,
      {{{"norm-1-forgotten", "norm-2-forgotten"},
        [](const Tensor& x, W w, std::size_t h, const Tensor& mask) {
          const Tensor middle = x + attended(x, w, h, mask);
          return middle + computed(middle, w.mlp);
        }},
       {{"keys-without-norm", "norm-2-forgotten"},
        [](const Tensor& x, W w, std::size_t h, const Tensor& mask) {
          const Tensor middle = x + attended(normed(x, w.norm_1), x, w.attention, h, mask);
          return middle + computed(middle, w.mlp);
        }},
       {{"mask-forgotten", "norm-2-forgotten"},
        [](const Tensor& x, W w, std::size_t h, const Tensor&) {
          const Tensor middle = with_attention(x, w, h, 1);
          return middle + computed(middle, w.mlp);
        }},
       {{"no-relu", "biases-forgotten"}, [](const Tensor& x, W w, std::size_t h, const Tensor& mask) {
          const Tensor middle = with_attention(x, w, h, mask);
          return middle + matmul(matmul(normed(middle, w.norm_2), w.mlp.W_in), w.mlp.W_out);
        }}});
}

inline std::vector<Mistake<CausalModel>> of_causal_model() {
  using W = const CausalModelWeights&;
  return with_together<CausalModel>(
      kOfCausalModel, {{{"no-positions", "no-mask"},
                        [](const IntArray& tokens, W w) {
                          return ended(through(rows_of(w.embedding, tokens), w.blocks, w.n_heads, 1), w);
                        }},
                       {{"no-positions", "no-final-norm"},
                        [](const IntArray& tokens, W w) {
                          const Tensor x = rows_of(w.embedding, tokens);
                          return matmul(through(x, w.blocks, w.n_heads, past(x)), w.unembedding);
                        }},
                       {{"no-mask", "no-final-norm"}, [](const IntArray& tokens, W w) {
                          const Tensor x = solution::placed(tokens, w.embedding);
                          return matmul(through(x, w.blocks, w.n_heads, 1), w.unembedding);
                        }}});
}

inline std::vector<Mistake<DecoderBlock>> of_decoder_block() {
  using W = const DecoderBlockWeights&;
  return with_together<DecoderBlock>(
      kOfDecoderBlock,
      {{{"mask-on-cross-attention", "no-mask"},
        [](const Tensor& x, const Tensor& memory, W w, std::size_t h, const Tensor& mask) {
          const Tensor middle = with_attention(x, w, h, 1);
          return with_mlp(middle + attended(normed(middle, w.norm_cross), memory, w.cross, h, mask), w);
        }},
       {{"norm-cross-forgotten", "memory-normalized"},
        [](const Tensor& x, const Tensor& memory, W w, std::size_t h, const Tensor& mask) {
          const Tensor middle = with_attention(x, w, h, mask);
          return with_mlp(middle + attended(middle, normed(memory, w.norm_cross), w.cross, h, 1), w);
        }},
       {{"norm-cross-forgotten", "no-mask"},
        [](const Tensor& x, const Tensor& memory, W w, std::size_t h, const Tensor&) {
          const Tensor middle = with_attention(x, w, h, 1);
          return with_mlp(middle + attended(middle, memory, w.cross, h, 1), w);
        }}});
}

inline std::vector<Mistake<EncoderDecoder>> of_encoder_decoder() {
  using W = const EncoderDecoderWeights&;
  return with_together<EncoderDecoder>(
      kOfEncoderDecoder,
      {{{"no-encoder-norm", "no-final-norm"},
        [](const IntArray& source, const IntArray& tokens, W w) {
          const Tensor memory = through(solution::placed(source, w.embedding), w.encoder, w.n_heads, 1);
          Tensor x = solution::placed(tokens, w.embedding);
          for (const DecoderBlockWeights& each : w.decoder)
            x = solution::decoder_block(x, memory, each, w.n_heads, past(x));
          return matmul(x, w.unembedding);
        }},
       {{"no-encoder-norm", "no-mask-in-the-decoder"},
        [](const IntArray& source, const IntArray& tokens, W w) {
          const Tensor memory = through(solution::placed(source, w.embedding), w.encoder, w.n_heads, 1);
          return decoded(solution::placed(tokens, w.embedding), memory, w, 1);
        }},
       {{"mask-in-the-encoder", "no-encoder-norm"},
        [](const IntArray& source, const IntArray& tokens, W w) {
          const Tensor x = solution::placed(source, w.embedding);
          return decoded(tokens, through(x, w.encoder, w.n_heads, past(x)), w);
        }},
       {{"no-positions-in-the-source", "no-positions-in-the-tokens"},
        [](const IntArray& source, const IntArray& tokens, W w) {
          const Tensor x = rows_of(w.embedding, tokens);
          return decoded(x, encoded(rows_of(w.embedding, source), w, 1), w, past(x));
        }}});
}

inline std::vector<Mistake<AnswerLoss>> of_answer_loss() {
  using W = const EncoderDecoderWeights&;
  return with_together<AnswerLoss>(
      kOfAnswerLoss,
      {{{"answer-not-shifted", "sum-for-mean"},
        [](const IntArray& source, const IntArray& answer, W w) {
          return cross_entropy(solution::encoder_decoder(source, answer, w), answer,
                               {.reduction = Reduction::sum});
        }},
       {{"softmax-twice", "sum-for-mean"}, [](const IntArray& source, const IntArray& answer, W w) {
          return cross_entropy(softmax(logits_of(source, answer, w)), answer, {.reduction = Reduction::sum});
        }}});
}

}  // namespace mistakes
