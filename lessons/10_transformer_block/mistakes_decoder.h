// What people get wrong in part 3 of exercise 10, a block with cross-attention.
#pragma once

#include "mistakes.h"

namespace mistakes {

using DecoderBlock = std::function<Tensor(const Tensor&, const Tensor&, const DecoderBlockWeights&,
                                          std::size_t, const Tensor&)>;

// middle + cross(norm_cross(middle), memory); x is the stream before the self-attention.
inline Tensor cross_half(const Made& made, const Tensor& x, const Tensor& middle, const Tensor& memory,
                         const DecoderBlockWeights& w, std::size_t n_heads, const Tensor& mask) {
  const NormWeights& norm = made("norm-1-for-cross")   ? w.norm_1
                            : made("norm-2-for-cross") ? w.norm_2
                                                       : w.norm_cross;
  const Tensor from = made("cross-attention-reads-the-old-x") ? x : middle;
  const Tensor read = made("norm-cross-forgotten") || made("norms-after") ? from : normed(from, norm);
  const Tensor source = made("keys-from-the-decoder") || made("queries-from-the-memory") ? read
                        : made("memory-normalized") ? normed(memory, norm)
                                                    : memory;
  const Tensor part = solution::lesson_08::multi_head_attention(
      made("queries-from-the-memory") ? memory : read, source,
      made("weights-of-self-attention-again") ? w.attention : w.cross,
      made("one-head") || made("one-head-in-cross-attention") ? 1 : n_heads,
      made("mask-on-cross-attention") ? mask : Tensor(1));
  const Tensor stream = made("cross-sum-from-the-old-x")  ? x
                        : made("cross-sum-from-the-norm") ? read
                                                          : middle;
  const Tensor y = added(made, "cross-attention-replaces-the-stream", stream, part);
  return made("norms-after") ? normed(y, norm) : y;
}

inline Tensor decoder_block_with(const Made& made, const Tensor& x, const Tensor& of_encoder,
                                 const DecoderBlockWeights& w, std::size_t n_heads, const Tensor& mask) {
  const Tensor memory = made("memory-cut-off") ? Tensor(of_encoder.array()) : of_encoder;
  const auto attend = [&](const Tensor& stream) {
    return first_half(made, stream, w, made("cross-weights-in-self-attention") ? w.cross : w.attention,
                      n_heads, mask);
  };
  const auto cross = [&](const Tensor& before, const Tensor& stream) {
    return made("no-cross-attention") ? stream : cross_half(made, before, stream, memory, w, n_heads, mask);
  };
  const auto compute = [&](const Tensor& before, const Tensor& stream) {
    return second_half(made, before, stream, w,
                       made("one-norm-for-both")       ? w.norm_1
                       : made("norm-cross-for-norm-2") ? w.norm_cross
                                                       : w.norm_2);
  };
  if (made("cross-attention-first")) return compute(x, attend(cross(x, x)));
  const Tensor looked = attend(x);
  if (made("cross-attention-last")) return cross(x, compute(x, looked));
  const Tensor middle = cross(x, looked);
  return compute(x, middle);
}

inline const std::vector<grader::Slip> kSlipsOfDecoderBlock = with_block(
    {{"no-cross-attention",
      "The memory is not used: your block has no cross-attention. It stands between self-attention and "
      "MLP.",
      kTwoStacks},
     {"keys-from-the-decoder",
      "Your cross-attention takes keys and values from x too. It would be a second self-attention, and "
      "nothing of the source would reach the decoder. Keys and values come from the memory.",
      kTwoStacks},
     {"queries-from-the-memory",
      "Your cross-attention takes its queries from the memory, and keys and values from x: the wrong "
      "way round. The decoder asks, the memory answers.",
      kTwoStacks},
     {"mask-on-cross-attention",
      "You pass the mask to the cross-attention. It is for the answer, which must not see its own "
      "future. The source is known from the beginning: its mask is 1.",
      kTwoStacks},
     {"cross-attention-first",
      "Your cross-attention comes before the self-attention. First the block looks at what is written "
      "so far, then it asks the source.",
      kTwoStacks},
     {"cross-attention-last",
      "Your cross-attention comes after the MLP. It stands before it, so that the MLP can use what was "
      "read.",
      kTwoStacks},
     {"cross-attention-replaces-the-stream",
      "The result of the cross-attention takes the place of x. It must be added, as every part's is.",
      kStream},
     {"cross-sum-from-the-old-x",
      "The sum with the cross-attention starts from the x of before the self-attention, whose result "
      "is lost. It starts from the stream.",
      kStream},
     {"cross-sum-from-the-norm",
      "The sum with the cross-attention starts from norm_cross(x). It must start from the stream x.", kNorms},
     {"norm-cross-forgotten",
      "The queries of the cross-attention come from the stream as it is. They must come from "
      "norm_cross(x).",
      kTwoStacks},
     {"memory-normalized", "You normalize the memory too. It comes out of the encoder's last norm already.",
      kTwoStacks},
     {"norm-1-for-cross", "You use norm_1 before the cross-attention too. Its own weights are w.norm_cross.",
      kNorms},
     {"norm-2-for-cross", "You use norm_2 before the cross-attention. Its own weights are w.norm_cross.",
      kNorms},
     {"norm-cross-for-norm-2", "You use norm_cross before the MLP. Its own weights are w.norm_2.", kNorms},
     {"weights-of-self-attention-again",
      "Your cross-attention computes with w.attention. Its matrices are w.cross.", kTwoStacks},
     {"cross-weights-in-self-attention",
      "Your self-attention computes with w.cross. Its matrices are w.attention.", kTwoStacks},
     {"cross-attention-reads-the-old-x",
      "Your cross-attention asks with the x from before the self-attention. It must ask with the "
      "stream as the self-attention has left it.",
      kStream},
     {"one-head-in-cross-attention", "Your cross-attention computes with one head. Pass n_heads on.",
      kTwoStacks},
     {"one-head-in-self-attention", "Your self-attention computes with one head. Pass n_heads on.", kParts},
     {"memory-cut-off",
      "Your numbers are right, but no gradient reaches the memory: the encoder would never learn. Pass "
      "the memory on as the Tensor it is.",
      kStream}});

inline std::vector<Mistake<DecoderBlock>> of_decoder_block() {
  return slips_of<DecoderBlock>(decoder_block_with, kSlipsOfDecoderBlock);
}

}  // namespace mistakes
