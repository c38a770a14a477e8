#include "headlight/interpret/hooks.h"

#include "headlight/autograd/record.h"
#include "headlight/core/check.h"
#include "headlight/core/names.h"

namespace headlight::interpret {
HookScope::~HookScope() {
  for (const auto& [point, id] : added_) point->remove(id);
}

void HookScope::add(const std::string& name, nn::Hook hook) {
  for (const auto& [known, point] : points_)
    if (known == name) {
      added_.emplace_back(point, point->add(std::move(hook)));
      return;
    }
  std::vector<std::string> names;
  for (const auto& [known, point] : points_) names.push_back(known);
  fail("the model has no hook point '{}'.{}", name, did_you_mean(name, names));
}

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

CachedRun run_with_cache(nn::Transformer& model, const IntArray& tokens,
                         const std::function<bool(const std::string&)>& wanted) {
  const NoGrad no_grad;
  CachedRun run;
  HookScope hooks(model);
  for (const auto& [name, point] : hooks.points()) {
    if (wanted && !wanted(name)) continue;
    hooks.add(name, [&run, key = name](const Tensor& activation) {
      run.cache.put(key, activation.array());
      return Tensor();
    });
  }
  run.logits = model(tokens).array();
  return run;
}

std::string pattern_name(std::size_t layer) { return fmt::format("blocks.{}.attn.hook_pattern", layer); }

}  // namespace headlight::interpret
