// What people get wrong in part 4 of exercise 10, two stacks.
#pragma once

#include "mistakes_model.h"

namespace mistakes {

using EncoderDecoder = std::function<Tensor(const IntArray&, const IntArray&, const EncoderDecoderWeights&)>;

// The two streams, as blocks pass them on.
struct Streams {
  const Made& made;
  const EncoderDecoderWeights& w;
  Tensor from, x;
  Tensor first_from = {}, first_x = {};  // in front of the blocks

  std::size_t heads() const { return made("one-head") ? 1 : w.n_heads; }

  void encode(std::size_t i) {
    if (made("positions-again-in-each-block")) from = from + positions_from(0, from);
    const BlockWeights& each = w.encoder.at(block_at(made, i, w.encoder.size()));
    from = behind(made, from,
                  solution::block(made("encoder-blocks-read-the-embedding") ? first_from : from, each,
                                  heads(), made("mask-in-the-encoder") ? past_of(made, from) : Tensor(1)));
    if (made("encoder-norm-in-the-loop") || made("encoder-norm-in-the-loop-too"))
      from = normed(from, w.encoder_norm);
  }

  Tensor memory() const {
    Tensor m = made("no-encoder-norm") || made("encoder-norm-first") || made("encoder-norm-in-the-loop")
                   ? from
                   : normed(from, made("final-norm-for-the-memory") ? w.final_norm : w.encoder_norm);
    if (made("memory-normalized-again")) m = normed(m, w.encoder_norm);
    return made("memory-cut-off") ? Tensor(m.array()) : m;
  }

  void decode(std::size_t i, const Tensor& memory, const Tensor& mask) {
    if (made("positions-again-in-each-block")) x = x + positions_from(0, x);
    const DecoderBlockWeights& each = w.decoder[block_at(made, i, w.decoder.size())];
    const Tensor& read = made("decoder-blocks-read-the-embedding") ? first_x : x;
    x = behind(made, x,
               solution::decoder_block(read, made("source-unused") ? x : memory, each, heads(), mask));
    if (made("final-norm-in-the-loop") || made("final-norm-in-the-loop-too")) x = normed(x, w.final_norm);
  }
};

// One after the last block of a stack that is run.
inline std::size_t end_of(const Made& made, std::size_t blocks) {
  return made("last-blocks-left-out") && blocks > 0 ? blocks - 1 : blocks;
}

inline Tensor both_with(const Made& made, const IntArray& of_source, const IntArray& of_tokens,
                        const EncoderDecoderWeights& w) {
  const bool exchanged = made("source-and-tokens-exchanged");
  const IntArray &source = exchanged || made("encoder-reads-the-tokens") ? of_tokens : of_source,
                 &tokens = exchanged || made("decoder-reads-the-source") ? of_source : of_tokens;
  Streams s{made, w, embedded(made, source, w.embedding), embedded(made, tokens, w.embedding)};
  const bool none = made("no-positions");
  const std::size_t first = made("positions-from-1") ? 1 : 0;
  if (!none && !made("no-positions-in-the-source")) s.from = s.from + positions_from(first, s.from);
  if (!none && !made("no-positions-in-the-tokens"))
    s.x = s.x + positions_from(made("positions-go-on") ? s.from.length(1) : first, s.x);
  if (made("encoder-norm-first")) s.from = normed(s.from, w.encoder_norm);
  if (made("final-norm-first")) s.x = normed(s.x, w.final_norm);
  s.first_from = s.from, s.first_x = s.x;
  const Tensor mask = made("no-mask")                      ? Tensor(1)
                      : made("mask-as-long-as-the-source") ? past_of(made, s.from)
                                                           : past_of(made, s.x);
  const bool in_turn = made("memory-after-each-block");
  if (!in_turn && !made("encoder-skipped"))
    for (std::size_t i = made("first-blocks-left-out") ? 1 : 0; i < end_of(made, w.encoder.size()); ++i)
      s.encode(i);
  const Tensor memory = s.memory();
  for (std::size_t i = made("first-blocks-left-out") ? 1 : 0; i < end_of(made, w.decoder.size()); ++i) {
    if (in_turn) s.encode(i);
    s.decode(i, in_turn ? s.memory() : memory, mask);
  }
  const bool normalized = made("final-norm-first") || (made("final-norm-in-the-loop") && !w.decoder.empty());
  if (!made("no-final-norm") && !normalized)
    s.x = normed(s.x, made("encoder-norm-for-both") ? w.encoder_norm : w.final_norm);
  return unembedded(made, s.x, w.embedding, w.unembedding);
}

inline const std::vector<grader::Slip> kSlipsOfEncoderDecoder = with_model(
    {{"mask-in-the-encoder",
      "Your encoder has the causal mask. The source is known from the beginning: all of its positions "
      "may see each other. The mask belongs to the decoder.",
      kTwoStacks},
     {"source-and-tokens-exchanged",
      "Your encoder reads the tokens, and your decoder the source. The encoder reads the source; the "
      "logits are those of the tokens.",
      kTwoStacks},
     {"encoder-reads-the-tokens", "Both of your stacks read the tokens. The encoder must read the source.",
      kTwoStacks},
     {"decoder-reads-the-source", "Both of your stacks read the source. The decoder must read the tokens.",
      kTwoStacks},
     {"no-encoder-norm",
      "The memory comes out of your encoder without its last norm, w.encoder_norm. No norm stands "
      "before the keys of cross-attention, so this one must.",
      kTwoStacks},
     {"encoder-norm-in-the-loop",
      "You apply w.encoder_norm after every block of the encoder, inside the loop. It stands once, "
      "behind the last block: within the stack nothing changes the stream but additions.",
      kTwoStacks},
     {"encoder-norm-in-the-loop-too",
      "You apply w.encoder_norm after every block of the encoder, and once more at its end. It stands "
      "once, behind the last block.",
      kTwoStacks},
     {"encoder-norm-first",
      "Your w.encoder_norm stands before the blocks of the encoder. It stands behind the last one: the memory "
      "is what comes out of it.",
      kTwoStacks},
     {"final-norm-first",
      "Your w.final_norm stands before the blocks of the decoder. It stands behind the last one, before the "
      "unembedding.",
      kNorms},
     {"encoder-blocks-read-the-embedding",
      "Each block of your encoder reads the embedded source, so only the last one counts. A block reads what "
      "the one before it has left in the stream.",
      kStream},
     {"decoder-blocks-read-the-embedding",
      "Each block of your decoder reads the embedded tokens, so only the last one counts. A block reads what "
      "the one before it has left in the stream.",
      kStream},
     {"first-blocks-left-out", "You left out the first block of each stack. Count from 0.", kModel},
     {"last-blocks-left-out", "You left out the last block of each stack. Run all of them.", kModel},
     {"positions-from-1", "Your positions begin at 1. The first token stands at position 0.", kModel},
     {"memory-normalized-again", "You apply w.encoder_norm twice. It stands once, behind the encoder.",
      kTwoStacks},
     {"final-norm-in-the-loop",
      "You apply w.final_norm after every block of the decoder, inside the loop. It stands once, "
      "behind the last block.",
      kNorms},
     {"final-norm-in-the-loop-too",
      "You apply w.final_norm after every block of the decoder, and once more at the end. It stands "
      "once, behind the last block.",
      kNorms},
     {"final-norm-for-the-memory",
      "You use w.final_norm for the memory. The encoder's last norm has weights of its own: "
      "w.encoder_norm.",
      kTwoStacks},
     {"encoder-norm-for-both",
      "You use w.encoder_norm behind the decoder. Its last norm has weights of its own: w.final_norm.",
      kTwoStacks},
     {"mask-as-long-as-the-source",
      "Your decoder's mask is as long as the source. It is for self-attention of the tokens, so it has "
      "a row and a column for each token: causal_mask_of(n, n), with n of the tokens (B,n).",
      kTwoStacks},
     {"positions-again-in-each-block",
      "You add the positions to the embeddings, and again before every block. They are added once to "
      "each sequence; from there the stream carries them.",
      kModel},
     {"no-positions",
      "You add no positions, neither to the source nor to the tokens. Attention by itself does not "
      "know where a token stands.",
      kModel},
     {"no-positions-in-the-source",
      "You add no positions to the source. For an encoder without them a word is a bag of letters, and "
      "nobody can turn it round.",
      kModel},
     {"no-positions-in-the-tokens",
      "You add no positions to the tokens. Then a query does not know how far the answer has come.", kModel},
     {"positions-go-on",
      "The positions of your tokens begin where those of the source end. Each of the two sequences "
      "begins at 0.",
      kTwoStacks},
     {"encoder-skipped", "Your decoder reads the embedded source: the blocks of the encoder are missing.",
      kTwoStacks},
     {"memory-after-each-block",
      "Block i of your decoder reads what block i of the encoder has made. All of them read the "
      "memory, which is what came out at the encoder's end.",
      kTwoStacks},
     {"source-unused",
      "Your decoder reads its own stream as the memory. Cross-attention must read what the encoder has "
      "made of the source.",
      kTwoStacks},
     {"memory-cut-off",
      "Your numbers are right, but no gradient reaches the encoder, so it would never learn. Do not "
      "take the memory out of its Tensor.",
      kStream}});

inline std::vector<Mistake<EncoderDecoder>> of_encoder_decoder() {
  return slips_of<EncoderDecoder>(both_with, kSlipsOfEncoderDecoder);
}

}  // namespace mistakes
