#include "models_by_hand.h"

#include <algorithm>

namespace headlight::studies {
namespace {

using nn::Broken;
using nn::Coordinates;
using nn::MultiHeadAttention;

nn::InductionByHand of_size(std::size_t size) { return {.d_vocab = size, .n_ctx = size, .n_heads = 2}; }

// The part of a head's matrix W_Q, W_K or W_V that reads tokens from `from` reads them from `to` instead.
void read_from(Tensor& W, std::size_t head, const Coordinates& from, const Coordinates& to) {
  Array& numbers = W.mutable_array();
  const std::size_t width = numbers.shape()[1] / 2;
  for (std::size_t i = 0; i < from.size; ++i)
    for (std::size_t j = head * width; j < head * width + from.size; ++j)
      std::swap(numbers(from.first + i, j), numbers(to.first + i, j));
}

// What a head writes to `from` it writes to `to`.
void write_to(MultiHeadAttention& attn, std::size_t head, const Coordinates& from, const Coordinates& to) {
  Array& W = attn.W_O.mutable_array();
  const std::size_t width = W.shape()[0] / 2;
  for (std::size_t i = head * width; i < (head + 1) * width; ++i)
    for (std::size_t j = 0; j < from.size; ++j) std::swap(W(i, from.first + j), W(i, to.first + j));
}

void scale_writing(MultiHeadAttention& attn, std::size_t head, double factor) {
  Array& W = attn.W_O.mutable_array();
  const std::size_t width = W.shape()[0] / 2;
  for (std::size_t i = head * width; i < (head + 1) * width; ++i)
    for (std::size_t j = 0; j < W.shape()[1]; ++j) W(i, j) *= static_cast<Real>(factor);
}

// Head 1 becomes head 0 of another layer.
void copy_to_second(const MultiHeadAttention& from, MultiHeadAttention& to) {
  const std::size_t width = to.W_O.array().shape()[0] / 2, d_model = to.W_O.array().shape()[1];
  const std::pair<const Tensor*, Tensor*> readers[] = {
      {&from.W_Q, &to.W_Q}, {&from.W_K, &to.W_K}, {&from.W_V, &to.W_V}};
  for (const auto& [W, copy] : readers)
    for (std::size_t i = 0; i < d_model; ++i)
      for (std::size_t j = 0; j < width; ++j) copy->mutable_array()(i, width + j) = W->array()(i, j);
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t j = 0; j < d_model; ++j) to.W_O.mutable_array()(width + i, j) = from.W_O.array()(i, j);
}

// The circuit, and the same again as head 1 of both layers, whose tokens pass through the unused pointer
// block.
nn::Transformer twice(std::size_t size) {
  nn::Transformer model = nn::induction_by_hand(of_size(size));
  const nn::StreamByHand stream = nn::stream_by_hand(of_size(size));
  MultiHeadAttention &first = model.blocks[0].attn, &second = model.blocks[1].attn;
  copy_to_second(first, first), copy_to_second(second, second);
  write_to(first, 1, stream.previous, stream.pointer);
  read_from(second.W_K, 1, stream.previous, stream.pointer);
  return model;
}

nn::Transformer looking_back(std::size_t size, std::size_t distance) {
  nn::InductionByHand options = of_size(size);
  options.broken = Broken::position_only, options.offset = distance;
  return nn::induction_by_hand(options);
}

}  // namespace

nn::Transformer decorative_head(std::size_t size, double part) {
  nn::Transformer model = twice(size);
  const nn::StreamByHand stream = nn::stream_by_hand(of_size(size));
  MultiHeadAttention &first = model.blocks[0].attn, &second = model.blocks[1].attn;
  // L0H1 looks two places back, so L1H1 finds the place after the follower; L0H0 wrote the follower there.
  const nn::Transformer two_back = looking_back(size, 2);
  copy_to_second(two_back.blocks[1].attn, first);
  write_to(first, 1, stream.output, stream.pointer);
  read_from(second.W_V, 1, stream.token, stream.previous);
  scale_writing(second, 0, part);
  return model;
}

nn::Transformer redundant_circuits(std::size_t size) { return twice(size); }

nn::Transformer positional_backup(std::size_t size, std::size_t offset) {
  nn::Transformer model = nn::induction_by_hand(of_size(size));
  copy_to_second(looking_back(size, offset).blocks[1].attn, model.blocks[1].attn);
  return model;
}

nn::Transformer decoy(std::size_t size) {
  const nn::Transformer two = nn::induction_by_hand(of_size(size));
  nn::TransformerConfig config = two.config();
  config.n_layers = 3;
  Rng rng(0);  // for weights that are all replaced
  nn::Transformer three(config, rng);
  const auto set = [](nn::MultiHeadAttention& to, const nn::MultiHeadAttention& from) {
    to.W_Q.mutable_array() = from.W_Q.array(), to.W_K.mutable_array() = from.W_K.array();
    to.W_V.mutable_array() = from.W_V.array(), to.W_O.mutable_array() = from.W_O.array();
  };
  three.embed.W.mutable_array() = two.embed.W.array();
  three.unembed.W.mutable_array() = two.unembed.W.array();
  three.W_pos.mutable_array() = two.W_pos.array();
  set(three.blocks[0].attn, two.blocks[0].attn);
  set(three.blocks[1].attn, two.blocks[1].attn);
  set(three.blocks[2].attn, two.blocks[1].attn);
  scale_writing(three.blocks[1].attn, 0, 0);
  return three;
}

nn::Transformer anticopying_head(std::size_t size) {
  nn::Transformer model = nn::induction_by_hand(of_size(size));
  MultiHeadAttention& second = model.blocks[1].attn;
  copy_to_second(second, second);
  scale_writing(second, 1, -0.5);
  return model;
}

}  // namespace headlight::studies
