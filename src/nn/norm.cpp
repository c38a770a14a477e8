#include "headlight/nn/norm.h"

#include "headlight/ops/arithmetic.h"
#include "headlight/ops/elementwise.h"
#include "headlight/ops/layer_norm.h"
#include "headlight/ops/reduce.h"

namespace headlight::inline HEADLIGHT_PRECISION::nn {
namespace {

Tensor layer(const Norm& norm, const Tensor& x, const HooksAt& hooks) {
  const Tensor y = layer_norm(x, norm.w, norm.b, norm.eps);
  if (!hooks.has("hook_scale")) return y;
  const Tensor centred = x - mean(x, {-1}, true);
  const Tensor scale = sqrt(mean(centred * centred, {-1}, true) + norm.eps),
               used = hooks("hook_scale", scale);
  return hooks.choose(y, hooks.changed(scale, used), [&] { return centred / used * norm.w + norm.b; });
}

}  // namespace

const Registry<NormKind>& norms() {
  static const Registry<NormKind> all(
      "kind of norm",
      {{"layer", "each row is shifted to mean 0, scaled to variance 1, and given learned scales and shifts",
        NormKind::layer},
       {"none", "nothing is normalized", NormKind::none}});
  return all;
}

std::string to_string(NormKind kind) {
  for (const auto& entry : norms().entries())
    if (entry.thing == kind) return entry.name;
  fail("this kind of norm has no name.");
}

NormKind norm_from(const std::string& name) { return norms().find(name); }

Norm::Norm(std::size_t d, NormKind the_kind) : kind(the_kind) {
  if (kind == NormKind::none) return;
  w = parameter(ones({d}));
  b = parameter(zeros({d}));
}

Tensor Norm::operator()(const Tensor& x, const HooksAt& hooks) const {
  check_hooks(*this, hooks);
  if (kind == NormKind::none) return x;
  return hooks("hook_normalized", layer(*this, x, hooks));
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::nn
