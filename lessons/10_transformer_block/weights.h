// The weights of lesson 10's exercise. d is the width of the residual stream, V the number of tokens. The
// library lists the parameters of each struct: nn::parameters(w).
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "08_multi_head_attention/multi_head.h"
#include "headlight/nn/module.h"
#include "headlight/ops/ops.h"

namespace headlight {

// normed(x, w) has mean 0 and variance 1 in each row, times w.w, plus w.b.       x (…,d) → (…,d)
struct NormWeights {
  Tensor w, b;  // (d), (d)
  void visit(auto&& v) const { v("w", w), v("b", b); }
};
inline Tensor normed(const Tensor& x, const NormWeights& w) { return layer_norm(x, w.w, w.b); }

struct MlpWeights {
  Tensor W_in, b_in, W_out, b_out;  // (d,d_mlp), (d_mlp), (d_mlp,d), (d)
  void visit(auto&& v) const { v("W_in", W_in), v("b_in", b_in), v("W_out", W_out), v("b_out", b_out); }
};

struct BlockWeights {
  NormWeights norm_1;
  MultiHeadWeights attention;  // W_Q, W_K, W_V, W_O
  NormWeights norm_2;
  MlpWeights mlp;
  void visit(auto&& v) const;
};

struct DecoderBlockWeights {
  NormWeights norm_1;
  MultiHeadWeights attention;
  NormWeights norm_cross;
  MultiHeadWeights cross;
  NormWeights norm_2;
  MlpWeights mlp;
  void visit(auto&& v) const;
};

struct CausalModelWeights {
  std::size_t n_heads;
  Tensor embedding;  // (V,d)
  std::vector<BlockWeights> blocks;
  NormWeights final_norm;
  Tensor unembedding;  // (d,V)
  void visit(auto&& v) const;
};

struct EncoderDecoderWeights {
  std::size_t n_heads;
  Tensor embedding;  // (V,d), of both sequences
  std::vector<BlockWeights> encoder;
  NormWeights encoder_norm;
  std::vector<DecoderBlockWeights> decoder;
  NormWeights final_norm;
  Tensor unembedding;  // (d,V)
  void visit(auto&& v) const;
};

// ---- What is drawn at the start of training, and how the parameters are listed ----

void visit_heads(const char* name, const MultiHeadWeights& w, auto&& v) {
  const std::string of = name;
  v(of + ".W_Q", w.W_Q), v(of + ".W_K", w.W_K), v(of + ".W_V", w.W_V), v(of + ".W_O", w.W_O);
}

void BlockWeights::visit(auto&& v) const {
  v("norm_1", norm_1), visit_heads("attention", attention, v), v("norm_2", norm_2), v("mlp", mlp);
}
void DecoderBlockWeights::visit(auto&& v) const {
  v("norm_1", norm_1), visit_heads("attention", attention, v), v("norm_cross", norm_cross);
  visit_heads("cross", cross, v), v("norm_2", norm_2), v("mlp", mlp);
}
void CausalModelWeights::visit(auto&& v) const {
  v("embedding", embedding), v("blocks", blocks), v("final_norm", final_norm), v("unembedding", unembedding);
}
void EncoderDecoderWeights::visit(auto&& v) const {
  v("embedding", embedding), v("encoder", encoder), v("encoder_norm", encoder_norm), v("decoder", decoder);
  v("final_norm", final_norm), v("unembedding", unembedding);
}

// Draws weights as N(0, 1/rows), so that a product keeps the size of its input. The norms begin as w = 1 and
// b = 0, or, `shaken`, with random numbers, so that a check can tell them apart.
class Draw {
 public:
  Draw(std::size_t d, std::size_t d_mlp, Rng& rng, double shaken = 0)
      : d_(d), d_mlp_(d_mlp), rng_(rng), shaken_(shaken) {}

  Tensor matrix(std::size_t rows, std::size_t columns) {
    return parameter(randn({rows, columns}, rng_, 1 / std::sqrt(static_cast<double>(rows))));
  }
  Tensor embedding(std::size_t tokens) { return parameter(randn({tokens, d_}, rng_)); }
  Tensor vector(std::size_t n, double start) { return parameter(start + randn({n}, rng_, shaken_)); }
  NormWeights norm() { return {vector(d_, 1), vector(d_, 0)}; }
  MultiHeadWeights heads() { return {matrix(d_, d_), matrix(d_, d_), matrix(d_, d_), matrix(d_, d_)}; }
  MlpWeights mlp() { return {matrix(d_, d_mlp_), vector(d_mlp_, 0), matrix(d_mlp_, d_), vector(d_, 0)}; }
  BlockWeights block() { return {norm(), heads(), norm(), mlp()}; }
  DecoderBlockWeights decoder_block() { return {norm(), heads(), norm(), heads(), norm(), mlp()}; }

  CausalModelWeights causal_model(std::size_t tokens, std::size_t n_heads, std::size_t blocks) {
    CausalModelWeights w{n_heads, embedding(tokens), {}, norm(), matrix(d_, tokens)};
    for (std::size_t i = 0; i < blocks; ++i) w.blocks.push_back(block());
    return w;
  }
  EncoderDecoderWeights encoder_decoder(std::size_t tokens, std::size_t n_heads, std::size_t blocks) {
    EncoderDecoderWeights w{n_heads, embedding(tokens), {}, norm(), {}, norm(), matrix(d_, tokens)};
    for (std::size_t i = 0; i < blocks; ++i) w.encoder.push_back(block());
    for (std::size_t i = 0; i < blocks; ++i) w.decoder.push_back(decoder_block());
    return w;
  }

 private:
  std::size_t d_, d_mlp_;
  Rng& rng_;
  double shaken_;
};

}  // namespace headlight
