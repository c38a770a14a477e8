#include "headlight/nn/norm.h"

#include "headlight/ops/arithmetic.h"
#include "headlight/ops/elementwise.h"
#include "headlight/ops/layer_norm.h"
#include "headlight/ops/reduce.h"
#include "headlight/ops/rms_norm.h"

namespace headlight::nn {
namespace {

Tensor normalized(const Norm& norm, const Tensor& x, const HooksAt& hooks) {
  const bool layer = norm.kind == NormKind::layer;
  const Tensor y = layer ? layer_norm(x, norm.w, norm.b, norm.eps) : rms_norm(x, norm.w, norm.eps);
  if (!hooks.has("hook_scale")) return y;
  const Tensor centred = layer ? centered(x, {-1}) : x;
  const Tensor scale = sqrt(mean(centred * centred, {-1}, true) + norm.eps),
               used = hooks("hook_scale", scale);
  return hooks.choose(y, hooks.changed(scale, used), [&] {
    const Tensor scaled = centred / used * norm.w;
    return norm.b.defined() ? scaled + norm.b : scaled;
  });
}

template <class Value>
std::string name_in(const Registry<Value>& registry, Value value) {
  for (const auto& entry : registry.entries())
    if (entry.thing == value) return entry.name;
  fail("this {} has no name.", registry.kind());
}

}  // namespace

const Registry<NormKind>& norms() {
  static const Registry<NormKind> all(
      "kind of norm",
      {{"layer", "each row is shifted to mean 0, scaled to variance 1, and given learned scales and shifts",
        NormKind::layer},
       {"rms", "each row is scaled to mean square 1, and given learned scales", NormKind::rms},
       {"none", "nothing is normalized", NormKind::none}});
  return all;
}

const Registry<NormPlace>& norm_places() {
  static const Registry<NormPlace> all(
      "place of norms",
      {{"pre", "the input of attention and MLP is normalized", NormPlace::pre},
       {"post", "the sum after attention and after the MLP is normalized", NormPlace::post}});
  return all;
}

std::string to_string(NormKind kind) { return name_in(norms(), kind); }
std::string to_string(NormPlace place) { return name_in(norm_places(), place); }

NormKind norm_from(const std::string& name) { return norms().find(name); }

Norm::Norm(std::size_t d, NormKind the_kind, bool shift) : kind(the_kind) {
  if (kind == NormKind::none) return;
  w = parameter(ones({d}));
  if (kind == NormKind::layer && shift) b = parameter(zeros({d}));
}

Tensor Norm::operator()(const Tensor& x, const HooksAt& hooks) const {
  check_hooks(*this, hooks);
  if (kind == NormKind::none) return x;
  return hooks("hook_normalized", normalized(*this, x, hooks));
}

}  // namespace headlight::nn
