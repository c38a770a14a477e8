// What people get wrong in part 4 of exercise 10, two stacks.
#pragma once

#include <utility>
#include <vector>

#include "exercise.h"
#include "grader/part.h"
#include "mistakes_model.h"
#include "weights.h"

namespace mistakes {

using EncoderDecoder = Tensor (*)(const IntArray&, const IntArray&, const EncoderDecoderWeights&);

// What the encoder makes of its first stream, under this mask.
inline Tensor encoded(const Tensor& x, const EncoderDecoderWeights& w, const Tensor& mask) {
  return normed(through(x, w.encoder, w.n_heads, mask), w.encoder_norm);
}
inline Tensor encoded(const IntArray& source, const EncoderDecoderWeights& w) {
  return encoded(solution::placed(source, w.embedding), w, 1);
}
// The logits that the decoder makes of its first stream and the memory.
inline Tensor decoded(Tensor x, const Tensor& memory, const EncoderDecoderWeights& w, const Tensor& mask) {
  for (const DecoderBlockWeights& each : w.decoder)
    x = solution::decoder_block(x, memory, each, w.n_heads, mask);
  return matmul(normed(x, w.final_norm), w.unembedding);
}
inline Tensor decoded(const IntArray& tokens, const Tensor& memory, const EncoderDecoderWeights& w) {
  const Tensor x = solution::placed(tokens, w.embedding);
  return decoded(x, memory, w, past(x));
}

inline const std::vector<Mistake<EncoderDecoder>> kOfEncoderDecoder = {
    {"mask-in-the-encoder",
     "Your encoder has the causal mask. The source is known from the beginning: all of its positions may "
     "see each other. The mask belongs to the decoder.",
     kTwoStacks,
     [](const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
       const Tensor x = solution::placed(source, w.embedding);
       return decoded(tokens, encoded(x, w, past(x)), w);
     }},
    {"no-mask-in-the-decoder",
     "Your decoder has no causal mask. In training it sees the letters that it is to predict, and is "
     "perfect; when it writes, they are not there.",
     kCausal,
     [](const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
       return decoded(solution::placed(tokens, w.embedding), encoded(source, w), w, 1);
     }},
    {"masks-exchanged",
     "Your encoder has the causal mask and your decoder has none. It is the other way round: the source "
     "is known, the answer is not.",
     kTwoStacks,
     [](const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
       const Tensor x = solution::placed(source, w.embedding);
       return decoded(solution::placed(tokens, w.embedding), encoded(x, w, past(x)), w, 1);
     }},
    {"source-and-tokens-exchanged",
     "Your encoder reads the tokens, and your decoder the source. The encoder reads the source; the "
     "logits are those of the tokens.",
     kTwoStacks,
     [](const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
       return solution::encoder_decoder(tokens, source, w);
     }},
    {"encoder-reads-the-tokens", "Both of your stacks read the tokens. The encoder must read the source.",
     kTwoStacks,
     [](const IntArray&, const IntArray& tokens, const EncoderDecoderWeights& w) {
       return solution::encoder_decoder(tokens, tokens, w);
     }},
    {"no-encoder-norm",
     "The memory comes out of your encoder without its last norm, w.encoder_norm. No norm stands before "
     "the keys of cross-attention, so this one must.",
     kTwoStacks,
     [](const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
       return decoded(tokens, through(solution::placed(source, w.embedding), w.encoder, w.n_heads, 1), w);
     }},
    {"encoder-norm-in-the-loop",
     "You apply w.encoder_norm after every block of the encoder, inside the loop. It stands once, behind the "
     "last block: within the stack nothing changes the stream but additions.",
     kTwoStacks,
     [](const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
       Tensor memory = solution::placed(source, w.embedding);
       for (const BlockWeights& each : w.encoder)
         memory = normed(solution::block(memory, each, w.n_heads, 1), w.encoder_norm);
       return decoded(tokens, memory, w);
     }},
    {"encoder-norm-in-the-loop-too",
     "You apply w.encoder_norm after every block of the encoder, and once more at its end. It stands once, "
     "behind the last block.",
     kTwoStacks,
     [](const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
       Tensor memory = solution::placed(source, w.embedding);
       for (const BlockWeights& each : w.encoder)
         memory = normed(solution::block(memory, each, w.n_heads, 1), w.encoder_norm);
       return decoded(tokens, normed(memory, w.encoder_norm), w);
     }},
    {"final-norm-in-the-loop",
     "You apply w.final_norm after every block of the decoder, inside the loop. It stands once, behind the "
     "last block.",
     kNorms,
     [](const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
       const Tensor memory = encoded(source, w);
       Tensor x = solution::placed(tokens, w.embedding);
       for (const DecoderBlockWeights& each : w.decoder)
         x = normed(solution::decoder_block(x, memory, each, w.n_heads, past(x)), w.final_norm);
       return matmul(w.decoder.empty() ? normed(x, w.final_norm) : x, w.unembedding);
     }},
    {"final-norm-in-the-loop-too",
     "You apply w.final_norm after every block of the decoder, and once more at the end. It stands once, "
     "behind the last block.",
     kNorms,
     [](const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
       const Tensor memory = encoded(source, w);
       Tensor x = solution::placed(tokens, w.embedding);
       for (const DecoderBlockWeights& each : w.decoder)
         x = normed(solution::decoder_block(x, memory, each, w.n_heads, past(x)), w.final_norm);
       return matmul(normed(x, w.final_norm), w.unembedding);
     }},
    {"final-norm-for-the-memory",
     "You use w.final_norm for the memory too. The encoder's last norm has weights of its own: "
     "w.encoder_norm.",
     kTwoStacks,
     [](const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
       EncoderDecoderWeights one = w;
       one.encoder_norm = w.final_norm;
       return solution::encoder_decoder(source, tokens, one);
     }},
    {"encoder-norm-for-both",
     "You use w.encoder_norm behind the decoder too. Its last norm has weights of its own: w.final_norm.",
     kTwoStacks,
     [](const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
       EncoderDecoderWeights one = w;
       one.final_norm = w.encoder_norm;
       return solution::encoder_decoder(source, tokens, one);
     }},
    {"mask-as-long-as-the-source",
     "Your decoder's mask is as long as the source. It is for self-attention of the tokens, so it has a row "
     "and a column for each token: causal_mask_of(n, n), with n of the tokens (B,n).",
     kTwoStacks,
     [](const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
       const Tensor from = solution::placed(source, w.embedding), x = solution::placed(tokens, w.embedding);
       return decoded(x, encoded(from, w, 1), w, past(from));
     }},
    {"positions-again-in-each-block",
     "You add the positions to the embeddings, and again before every block. They are added once to each "
     "sequence; from there the stream carries them.",
     kModel,
     [](const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
       Tensor from = solution::placed(source, w.embedding), x = solution::placed(tokens, w.embedding);
       for (const BlockWeights& each : w.encoder)
         from = solution::block(from + positions_from(0, from), each, w.n_heads, 1);
       const Tensor memory = normed(from, w.encoder_norm);
       for (const DecoderBlockWeights& each : w.decoder)
         x = solution::decoder_block(x + positions_from(0, x), memory, each, w.n_heads, past(x));
       return matmul(normed(x, w.final_norm), w.unembedding);
     }},
    {"no-final-norm", "The decoder's last norm, w.final_norm, is missing before the unembedding.", kNorms,
     [](const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
       const Tensor memory = encoded(source, w);
       Tensor x = solution::placed(tokens, w.embedding);
       for (const DecoderBlockWeights& each : w.decoder)
         x = solution::decoder_block(x, memory, each, w.n_heads, past(x));
       return matmul(x, w.unembedding);
     }},
    {"last-norms-exchanged",
     "You use final_norm for the memory and encoder_norm for the decoder. Exchange them.", kNorms,
     [](const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
       EncoderDecoderWeights exchanged = w;
       std::swap(exchanged.encoder_norm, exchanged.final_norm);
       return solution::encoder_decoder(source, tokens, exchanged);
     }},
    {"no-positions-in-the-source",
     "You add no positions to the source. For an encoder without them a word is a bag of letters, and "
     "nobody can turn it round.",
     kModel,
     [](const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
       return decoded(tokens, encoded(rows_of(w.embedding, source), w, 1), w);
     }},
    {"no-positions-in-the-tokens",
     "You add no positions to the tokens. Then a query does not know how far the answer has come.", kModel,
     [](const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
       const Tensor x = rows_of(w.embedding, tokens);
       return decoded(x, encoded(source, w), w, past(x));
     }},
    {"positions-go-on",
     "The positions of your tokens begin where those of the source end. Each of the two sequences begins "
     "at 0.",
     kTwoStacks,
     [](const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
       const Tensor rows = rows_of(w.embedding, tokens), x = rows + positions_from(source.shape()[1], rows);
       return decoded(x, encoded(source, w), w, past(x));
     }},
    {"encoder-skipped", "Your decoder reads the embedded source: the blocks of the encoder are missing.",
     kTwoStacks,
     [](const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
       return decoded(tokens, normed(solution::placed(source, w.embedding), w.encoder_norm), w);
     }},
    {"memory-after-each-block",
     "Block i of your decoder reads what block i of the encoder has made. All of them read the memory, "
     "which is what came out at the encoder's end.",
     kTwoStacks,
     [](const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
       Tensor from = solution::placed(source, w.embedding), x = solution::placed(tokens, w.embedding);
       for (std::size_t i = 0; i < w.decoder.size(); ++i) {
         from = solution::block(from, w.encoder.at(i), w.n_heads, 1);
         x = solution::decoder_block(x, normed(from, w.encoder_norm), w.decoder[i], w.n_heads, past(x));
       }
       return matmul(normed(x, w.final_norm), w.unembedding);
     }},
    {"source-unused",
     "Your decoder reads its own stream as the memory. Cross-attention must read what the encoder has "
     "made of the source.",
     kTwoStacks,
     [](const IntArray&, const IntArray& tokens, const EncoderDecoderWeights& w) {
       Tensor x = solution::placed(tokens, w.embedding);
       for (const DecoderBlockWeights& each : w.decoder)
         x = solution::decoder_block(x, x, each, w.n_heads, past(x));
       return matmul(normed(x, w.final_norm), w.unembedding);
     }},
    {"memory-cut-off",
     "Your numbers are right, but no gradient reaches the encoder, so it would never learn. Do not take "
     "the memory out of its Tensor.",
     kStream, [](const IntArray& source, const IntArray& tokens, const EncoderDecoderWeights& w) {
       return decoded(tokens, Tensor(encoded(source, w).array()), w);
     }}};

}  // namespace mistakes
