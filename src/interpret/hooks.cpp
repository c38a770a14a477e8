#include "headlight/interpret/hooks.h"

#include <algorithm>
#include <numeric>

#include "headlight/autograd/record.h"
#include "headlight/core/check.h"

namespace headlight::interpret {
namespace {

// Levenshtein's distance between two names.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

std::string nearest(const std::string& name, const std::vector<std::string>& known) {
  const auto best = std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) {
    return distance(name, a) < distance(name, b);
  });
  return best == known.end() ? "" : fmt::format(" Did you mean '{}'?", *best);
}

}  // namespace

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
  fail("the model has no hook point '{}'.{}", name, nearest(name, names));
}

const Array& ActivationCache::operator[](const std::string& name) const {
  const auto found = activations_.find(name);
  if (found == activations_.end()) fail("the cache has no activation '{}'.{}", name, nearest(name, names()));
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
