// What people get wrong in part 3 of exercise 10, a block with cross-attention.
#pragma once

#include <vector>

#include "exercise.h"
#include "grader/part.h"
#include "mistakes_model.h"
#include "weights.h"

namespace mistakes {

using DecoderBlock = Tensor (*)(const Tensor&, const Tensor&, const DecoderBlockWeights&, std::size_t,
                                const Tensor&);

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
     kTwoStacks,
     [](const Tensor& x, const Tensor& memory, const DecoderBlockWeights& w, std::size_t h,
        const Tensor& mask) {
       const Tensor middle = with_attention(x, w, h, mask);
       return with_mlp(middle + attended(middle, memory, w.cross, h, 1), w);
     }},
    {"memory-normalized", "You normalize the memory too. It comes out of the encoder's last norm already.",
     kTwoStacks,
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

}  // namespace mistakes
