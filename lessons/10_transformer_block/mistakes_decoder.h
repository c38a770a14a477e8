// What people get wrong in parts 3 and 4 of exercise 10, with two sequences.
#pragma once

#include <vector>

#include "exercise.h"
#include "grader/part.h"
#include "mistakes_model.h"
#include "weights.h"

namespace mistakes {

using DecoderBlock = Tensor (*)(const Tensor&, const Tensor&, const DecoderBlockWeights&, std::size_t,
                                const Tensor&);
using EncoderDecoder = Tensor (*)(const IntArray&, const IntArray&, const EncoderDecoderWeights&);

// x + cross(norm_cross(x), memory)
inline Tensor with_cross(const Tensor& x, const Tensor& memory, const DecoderBlockWeights& w,
                         std::size_t n_heads) {
  return x + attended(normed(x, w.norm_cross), memory, w.cross, n_heads, 1);
}

inline const std::vector<Mistake<DecoderBlock>> kOfDecoderBlock = {
    {"no-cross-attention",
     "The memory is not used: your block has no cross-attention. It stands between self-attention and MLP.",
     kTwoStacks,
     [](const Tensor& x, const Tensor&, const DecoderBlockWeights& w, std::size_t h, const Tensor& mask) {
       return with_mlp(with_attention(x, w, h, mask), w);
     }},
    {"keys-from-the-decoder",
     "Your cross-attention takes keys and values from x too. It would be a second self-attention, and "
     "nothing of the source would reach the decoder. Keys and values come from the memory.",
     kTwoStacks,
     [](const Tensor& x, const Tensor&, const DecoderBlockWeights& w, std::size_t h, const Tensor& mask) {
       const Tensor middle = with_attention(x, w, h, mask), read = normed(middle, w.norm_cross);
       return with_mlp(middle + attended(read, read, w.cross, h, 1), w);
     }},
    {"queries-from-the-memory",
     "Your cross-attention takes its queries from the memory, and keys and values from x: the wrong way "
     "round. The decoder asks, the memory answers.",
     kTwoStacks,
     [](const Tensor& x, const Tensor& memory, const DecoderBlockWeights& w, std::size_t h,
        const Tensor& mask) {
       const Tensor middle = with_attention(x, w, h, mask), read = normed(middle, w.norm_cross);
       return with_mlp(middle + attended(memory, read, w.cross, h, 1), w);
     }},
    {"mask-on-cross-attention",
     "You pass the mask to the cross-attention. It is for the answer, which must not see its own future. "
     "The source is known from the beginning: its mask is 1.",
     kTwoStacks,
     [](const Tensor& x, const Tensor& memory, const DecoderBlockWeights& w, std::size_t h,
        const Tensor& mask) {
       const Tensor middle = with_attention(x, w, h, mask);
       return with_mlp(middle + attended(normed(middle, w.norm_cross), memory, w.cross, h, mask), w);
     }},
    {"no-mask",
     "Your self-attention has no mask, so each position sees the letters that it is to predict. The mask "
     "belongs to the first attention.",
     kTwoStacks,
     [](const Tensor& x, const Tensor& memory, const DecoderBlockWeights& w, std::size_t h, const Tensor&) {
       return solution::decoder_block(x, memory, w, h, 1);
     }},
    {"cross-attention-first",
     "Your cross-attention comes before the self-attention. First the block looks at what is written so "
     "far, then it asks the source.",
     kTwoStacks,
     [](const Tensor& x, const Tensor& memory, const DecoderBlockWeights& w, std::size_t h,
        const Tensor& mask) { return with_mlp(with_attention(with_cross(x, memory, w, h), w, h, mask), w); }},
    {"cross-attention-last",
     "Your cross-attention comes after the MLP. It stands before it, so that the MLP can use what was "
     "read.",
     kTwoStacks,
     [](const Tensor& x, const Tensor& memory, const DecoderBlockWeights& w, std::size_t h,
        const Tensor& mask) { return with_cross(with_mlp(with_attention(x, w, h, mask), w), memory, w, h); }},
    {"cross-attention-replaces-the-stream",
     "The result of the cross-attention takes the place of x. It must be added, as every part's is.", kStream,
     [](const Tensor& x, const Tensor& memory, const DecoderBlockWeights& w, std::size_t h,
        const Tensor& mask) {
       const Tensor middle = with_attention(x, w, h, mask);
       return with_mlp(attended(normed(middle, w.norm_cross), memory, w.cross, h, 1), w);
     }},
    {"attention-replaces-the-stream",
     "The result of the self-attention takes the place of x. It must be added, as every part's is.", kStream,
     [](const Tensor& x, const Tensor& memory, const DecoderBlockWeights& w, std::size_t h,
        const Tensor& mask) {
       const Tensor read = normed(x, w.norm_1);
       return with_mlp(with_cross(attended(read, read, w.attention, h, mask), memory, w, h), w);
     }},
    {"norm-cross-forgotten",
     "The queries of the cross-attention come from the stream as it is. They must come from norm_cross(x).",
     kNorms,
     [](const Tensor& x, const Tensor& memory, const DecoderBlockWeights& w, std::size_t h,
        const Tensor& mask) {
       const Tensor middle = with_attention(x, w, h, mask);
       return with_mlp(middle + attended(middle, memory, w.cross, h, 1), w);
     }},
    {"memory-normalized", "You normalize the memory too. It comes out of the encoder's last norm already.",
     kNorms,
     [](const Tensor& x, const Tensor& memory, const DecoderBlockWeights& w, std::size_t h,
        const Tensor& mask) {
       return with_mlp(with_cross(with_attention(x, w, h, mask), normed(memory, w.norm_cross), w, h), w);
     }},
    {"norms-exchanged",
     "You use norm_2 before the cross-attention and norm_cross before the MLP. Exchange them.", kNorms,
     [](const Tensor& x, const Tensor& memory, const DecoderBlockWeights& w, std::size_t h,
        const Tensor& mask) {
       DecoderBlockWeights exchanged = w;
       std::swap(exchanged.norm_2, exchanged.norm_cross);
       return solution::decoder_block(x, memory, exchanged, h, mask);
     }},
    {"norm-1-twice", "You use norm_1 before the cross-attention too. Its own weights are w.norm_cross.",
     kNorms,
     [](const Tensor& x, const Tensor& memory, const DecoderBlockWeights& w, std::size_t h,
        const Tensor& mask) {
       const Tensor middle = with_attention(x, w, h, mask);
       return with_mlp(middle + attended(normed(middle, w.norm_1), memory, w.cross, h, 1), w);
     }},
    {"weights-of-self-attention-again",
     "Your cross-attention computes with w.attention. Its matrices are w.cross.", kTwoStacks,
     [](const Tensor& x, const Tensor& memory, const DecoderBlockWeights& w, std::size_t h,
        const Tensor& mask) {
       const Tensor middle = with_attention(x, w, h, mask);
       return with_mlp(middle + attended(normed(middle, w.norm_cross), memory, w.attention, h, 1), w);
     }},
    {"cross-attention-reads-the-old-x",
     "Your cross-attention asks with the x from before the self-attention. It must ask with the stream as "
     "the self-attention has left it.",
     kStream,
     [](const Tensor& x, const Tensor& memory, const DecoderBlockWeights& w, std::size_t h,
        const Tensor& mask) {
       return with_mlp(
           with_attention(x, w, h, mask) + attended(normed(x, w.norm_cross), memory, w.cross, h, 1), w);
     }},
    {"memory-cut-off",
     "Your numbers are right, but no gradient reaches the memory: the encoder would never learn. Pass the "
     "memory on as the Tensor it is.",
     kStream,
     [](const Tensor& x, const Tensor& memory, const DecoderBlockWeights& w, std::size_t h,
        const Tensor& mask) { return solution::decoder_block(x, Tensor(memory.array()), w, h, mask); }}};

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
