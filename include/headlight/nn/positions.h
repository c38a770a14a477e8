// The kinds of position information that a model can use.
#pragma once

#include <functional>

#include "headlight/core/registry.h"
#include "headlight/nn/module.h"
#include "headlight/ops/attention.h"

namespace headlight::nn {

// What a kind of positions may depend on.
struct PositionSizes {
  std::size_t n_ctx = 64;  // positions 0 … n_ctx-1
  std::size_t d_model = 64, n_heads = 4, d_head = 16;
  std::size_t max_distance = 32;  // from where on distances are alike, for relative and t5
  bool causal = true;             // no query sees a later key
};

// A kind of positions is a value made of functions. A kind may use three places: vectors that are added to
// the residual stream or to the input of queries and keys, a rotation of queries and keys, and a bias on the
// scores. What it does not use stays empty. The next kind is a file in src/engine/nn/positions/ and a line of
// the list in positions.cpp; programs may also call positions().add({name, help, kind}). A kind that reads
// max_distance says so: {name, help, kind, SettingKeys{"max_distance"}}.
//
// All functions take the first position, so that single positions can be evaluated, as in generation. (For
// the bias this is AttentionOptions::first_query.)
struct Positions {
  enum class Place { embedding, queries_and_keys };
  using Rotation = std::function<Tensor(const Tensor& x, std::size_t first)>;  // x (B,n,H·d_head)
  using Bias = std::function<RelativeBias(const Tensor& rel_bias)>;

  // The vectors of all positions, (n_ctx,d_model), and where they are added. If they are learned, they are
  // the parameter pos_embed.W_pos, and the rng draws its start.
  std::function<Tensor(const PositionSizes&, Rng&)> vectors = {};
  bool learned = true;
  Place place = Place::embedding;

  // The rotation that a layer applies to its queries and keys.
  std::function<Rotation(const PositionSizes&)> rotation = {};

  // The bias by head and distance that a layer adds to its scores, and the start of its learned numbers
  // attn.rel_bias, if it has such.
  std::function<Tensor(const PositionSizes&, Rng&)> rel_bias = {};
  std::function<Bias(const PositionSizes&)> bias = {};

  // Throws Error for sizes that the kind cannot use.
  std::function<void(const PositionSizes&)> check = {};
};

// "rotary", "learned", "learned-qk", "sinusoidal", "alibi", "relative", "t5", "none". Their formulas and
// papers are in src/engine/nn/positions/. Add kinds before other threads use the registry.
Registry<Positions>& positions();

}  // namespace headlight::nn
