// The normalization around attention and MLP, at the model's end, and of queries and keys.
#pragma once

#include <string>

#include "headlight/core/registry.h"
#include "headlight/nn/module.h"

namespace headlight::nn {

enum class NormKind {
  layer,  // Ba et al. 2016
  rms,    // Zhang & Sennrich 2019
  none,   // y = x
};

// "layer", "rms", "none".
const Registry<NormKind>& norms();

// Its name in norms(), and back.
std::string to_string(NormKind kind);
NormKind norm_from(const std::string& name);  // throws Error for an unknown name

// Where a block normalizes: the input of attention and MLP, or the sum after each of them.
enum class NormPlace {
  pre,   // x + f(norm(x)) (Xiong et al. 2020)
  post,  // norm(x + f(x)) (Vaswani et al. 2017)
};

// "pre", "post".
const Registry<NormPlace>& norm_places();

// Its name in norm_places().
std::string to_string(NormPlace place);

// layer: y = (x - mean)/scale ⊙ w + b, scale = √(var + eps)        x (…,d) → (…,d). w starts as 1, b as 0.
// rms:   y = x/scale ⊙ w, scale = √(mean x² + eps), without b
// none:  y = x, without parameters and hook points
// Without `shift`, layer has no b either.
// Hook points: hook_scale (…,1) and hook_normalized (…,d), which is y.
struct Norm {
  NormKind kind;
  Tensor w, b;  // (d), or undefined
  double eps = 1e-5;

  explicit Norm(std::size_t d, NormKind kind = NormKind::layer, bool shift = true);
  Tensor operator()(const Tensor& x, const HooksAt& hooks = {}) const;
  void visit(auto&& v) const {
    v("w", w), v("b", b);
    if (kind != NormKind::none) v("hook_scale"), v("hook_normalized");
  }
};

}  // namespace headlight::nn
