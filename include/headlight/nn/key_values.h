// The keys and values of positions that a model has read before.
#pragma once

#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight::nn {

// Of one layer of self-attention. It starts empty, and each call adds the positions that it was given.
struct KeyValues {
  Tensor k, v;  // (B,m,Hkv·d_head) and (B,m,Hkv·d_value), as attention uses them; undefined at the start
  Tensor last_key;  // (B,1,Hkv·d_head), of the last position, before it was smeared

  std::size_t length() const { return k.defined() ? k.length(1) : 0; }

  // Adds the keys and values of new positions (B,n,…), and returns those of all in their place.
  void append(Tensor& keys, Tensor& values);

  // The keys of new positions (B,n,Hkv·d_head), smeared: each takes a share of the key before it.
  Tensor smeared(const Tensor& keys, const Tensor& smear);
};

// Of all layers, and what an encoder made of the source (B,m,d_model). A pass that throws leaves it as it
// was.
struct KeyValueCache {
  std::vector<KeyValues> layers;
  Tensor memory;
  IntArray source = IntArray::from_shape({0});  // (B,m), what the memory was made of

  std::size_t length() const { return layers.empty() ? 0 : layers.front().length(); }
};

}  // namespace headlight::nn
