// The normalization before attention, before the MLP and at the model's end.
#pragma once

#include <string>

#include "headlight/core/registry.h"
#include "headlight/nn/module.h"

namespace headlight::inline HEADLIGHT_PRECISION::nn {

enum class NormKind {
  layer,  // Ba et al. 2016
  none,   // y = x
};

// "layer", "none".
const Registry<NormKind>& norms();

std::string to_string(NormKind kind);
NormKind norm_from(const std::string& name);  // throws Error for an unknown name

// layer: y = (x - mean)/scale ⊙ w + b, scale = √(var + eps)        x (…,d) → (…,d). w starts as 1, b as 0.
// none:  y = x, without parameters and hook points
// Hook points: hook_scale (…,1) and hook_normalized (…,d), which is y.
struct Norm {
  NormKind kind;
  Tensor w, b;  // (d), or undefined
  double eps = 1e-5;

  explicit Norm(std::size_t d, NormKind kind = NormKind::layer);
  Tensor operator()(const Tensor& x, const HooksAt& hooks = {}) const;
  void visit(auto&& v) const {
    v("w", w), v("b", b);
    if (kind != NormKind::none) v("hook_scale"), v("hook_normalized");
  }
};

}  // namespace headlight::inline HEADLIGHT_PRECISION::nn
