#include "headlight/interpret/hooks.h"

#include "headlight/autograd/record.h"
#include "headlight/core/check.h"
#include "headlight/core/names.h"

namespace headlight::inline HEADLIGHT_PRECISION::interpret {

const Array& ActivationCache::operator[](const std::string& name) const {
  const auto found = activations_.find(name);
  if (found == activations_.end())
    fail("the cache has no activation '{}'.{}", name, did_you_mean(name, names()));
  return found->second;
}

std::vector<std::string> ActivationCache::names() const {
  std::vector<std::string> result;
  for (const auto& [name, activation] : activations_) result.push_back(name);
  return result;
}

CachedRun run_with_cache(const nn::Transformer& model, const IntArray& tokens,
                         const std::function<bool(const std::string&)>& wanted, nn::Hooks interventions,
                         const nn::Given& given) {
  const NoGrad no_grad;
  CachedRun run;
  for (const std::string& name : nn::hook_names(model)) {
    if (wanted && !wanted(name)) continue;
    interventions.add(name, [&run, name](const Tensor& activation) {
      run.cache.put(name, activation.array());
      return Tensor();
    });
  }
  run.logits = model(tokens, interventions, given).array();
  return run;
}

Tensor run_with_hooks(const nn::Transformer& model, const IntArray& tokens, const nn::Hooks& interventions,
                      const nn::Given& given) {
  return model(tokens, interventions, given);
}

std::string pattern_name(std::size_t layer) { return fmt::format("blocks.{}.attn.hook_pattern", layer); }

}  // namespace headlight::inline HEADLIGHT_PRECISION::interpret
