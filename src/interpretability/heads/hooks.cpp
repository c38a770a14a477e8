#include "headlight/interpret/hooks.h"

#include "headlight/autograd/record.h"
#include "headlight/core/check.h"
#include "headlight/core/memory.h"
#include "headlight/core/names.h"
#include "headlight/core/setting_text.h"
#include "headlight/interpret/attention_layers.h"

namespace headlight::interpret {

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

// Of the patterns that are wanted, (B,H,n,m) each; the other activations are small beside them.
double bytes_of_patterns(const nn::TransformerConfig& config, const IntArray& tokens, const nn::Given& given,
                         const WantedHooks& wanted) {
  if (tokens.dimension() != 2) return 0;  // the model throws
  const auto rows = static_cast<double>(tokens.shape()[0]), n = static_cast<double>(tokens.shape()[1]),
             m = given.source.dimension() == 2 ? static_cast<double>(given.source.shape()[1]) : 0.0;
  double bytes = 0;
  for (const AttentionLayer& layer : attention_layers(config)) {
    if (wanted && !wanted(layer.pattern)) continue;
    const double cells = layer.stack == Stack::encoder ? m * m : layer.stack == Stack::cross ? n * m : n * n;
    bytes += rows * static_cast<double>(config.n_heads) * cells * sizeof(Real);
  }
  return bytes;
}

WantedHooks hooks_named(std::string end) {
  return [end = std::move(end)](const std::string& name) { return name.ends_with(end); };
}

CachedRun run_with_cache(const nn::Transformer& model, const IntArray& tokens, const WantedHooks& wanted,
                         nn::Hooks interventions, const nn::Given& given) {
  const NoGrad no_grad;
  require_memory(bytes_of_patterns(model.config(), tokens, given, wanted),
                 SettingText("keeping these patterns"),
                 SettingText("they grow with the square of the sequence"));
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

}  // namespace headlight::interpret
