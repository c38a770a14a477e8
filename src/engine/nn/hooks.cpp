#include "headlight/nn/hooks.h"

#include <algorithm>
#include <cstring>

#include "headlight/core/names.h"

namespace headlight::nn {

Hooks::Hooks(std::initializer_list<std::pair<std::string, Hook>> hooks) {
  for (const auto& [name, hook] : hooks) add(name, hook);
}

Hooks& Hooks::add(const std::string& name, Hook hook) {
  check(static_cast<bool>(hook), "[hooks] the hook on '{}' is an empty function.", name);
  hooks_[name].push_back(std::move(hook));
  return *this;
}

Hooks& Hooks::add(const Hooks& others) {
  for (const auto& [name, hooks] : others.hooks_)
    for (const Hook& hook : hooks) add(name, hook);
  return *this;
}

std::vector<std::string> Hooks::names() const {
  std::vector<std::string> names;
  for (const auto& [name, hooks] : hooks_) names.push_back(name);
  return names;
}

HooksAt HooksAt::below(const char* module) const {
  HooksAt there;
  if (hooks_ == nullptr) return there;
  std::string prefix = prefix_ + module + ".";
  const auto first = hooks_->hooks_.lower_bound(prefix);
  if (first == hooks_->hooks_.end() || !first->first.starts_with(prefix)) return there;
  there.hooks_ = hooks_;
  there.prefix_ = std::move(prefix);
  return there;
}

HooksAt HooksAt::below(const char* modules, std::size_t index) const {
  return hooks_ == nullptr ? *this : below((modules + ("." + std::to_string(index))).c_str());
}

bool HooksAt::has(const char* name) const {
  return hooks_ != nullptr && hooks_->hooks_.contains(prefix_ + name);
}

Tensor HooksAt::operator()(const char* name, const Tensor& activation) const {
  if (hooks_ == nullptr) return activation;
  const auto found = hooks_->hooks_.find(prefix_ + name);
  if (found == hooks_->hooks_.end()) return activation;
  Tensor current = activation;
  for (std::size_t i = 0, n = found->second.size(); i < n; ++i) {
    const Tensor replaced = found->second[i](current);
    if (!replaced.defined()) continue;
    check(replaced.shape() == current.shape(),
          "[hooks] the hook on '{}' expected to return shape {}, got {}.", found->first, current.shape(),
          replaced.shape());
    current = replaced;
  }
  return current;
}

bool HooksAt::changed(const Tensor& before, const Tensor& after) {
  return !same_node(before, after) && before.size() > 0 &&
         std::memcmp(before.array().data(), after.array().data(), before.size() * sizeof(Real)) != 0;
}

void HooksAt::check_names(const std::vector<std::string>& names) const {
  for (const auto& [name, hooks] : hooks_->hooks_)
    if (std::find(names.begin(), names.end(), name) == names.end())
      fail("the model has no hook point '{}'.{}", name, did_you_mean(name, names));
}

// slow   y = slow, rounded as the plain pass rounds it     slow̄ = ȳ
Tensor HooksAt::with_bits_of(const Tensor& plain, const Tensor& slow) {
  return record("bits_of_plain", {slow}, Array(plain.array()),
                [](const Tensor& g, const Tensor&) { return g; });
}

}  // namespace headlight::nn
