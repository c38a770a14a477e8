#include "headlight/interpret/ablation.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "headlight/core/check.h"
#include "headlight/core/numbers.h"
#include "headlight/system/text.h"

namespace headlight::interpret {
namespace {

// The heads of each hook point.
std::map<std::string, std::vector<std::size_t>> by_hook(const nn::TransformerConfig& config,
                                                        const HeadSet& heads, const std::string& hook) {
  std::map<std::string, std::vector<std::size_t>> hooks;
  for (const HeadAt& head : heads) hooks[layer_of(config, head).hook(hook)].push_back(head.head);
  return hooks;
}

// z (B,n,H,d) with the rows of these heads and positions taken from `other`, whose B and n may be 1. What all
// sequences have may be of longer ones.
Array with_rows_of(const Array& z, const Array& other, const std::vector<std::size_t>& heads,
                   const std::vector<std::size_t>& positions) {
  const std::size_t batch = z.shape()[0], n = z.shape()[1], count = z.shape()[2], width = z.shape()[3];
  const bool same_heads = other.dimension() == 4 && other.shape()[2] == count && other.shape()[3] == width;
  const std::size_t batch2 = same_heads ? other.shape()[0] : 0, n2 = same_heads ? other.shape()[1] : 0;
  check(same_heads && (batch2 == 1 ? n2 == 1 || n2 >= n : batch2 == batch && (n2 == 1 || n2 == n)),
        "[ablation] expected outputs for {} sequences of {} tokens with {} heads of width {}, got shape {}.",
        batch, n, count, width, other.shape());
  Array replaced = z;
  const auto take = [&](std::size_t b, std::size_t i) {
    const Real* from = other.data() + ((batch2 == 1 ? 0 : b) * n2 + (n2 == 1 ? 0 : i)) * count * width;
    Real* to = replaced.data() + (b * n + i) * count * width;
    for (const std::size_t h : heads) std::copy_n(from + h * width, width, to + h * width);
  };
  for (std::size_t b = 0; b < batch; ++b) {
    if (positions.empty())
      for (std::size_t i = 0; i < n; ++i) take(b, i);
    for (const std::size_t i : positions) {
      check(i < n, "[ablation] position {} is outside a sequence of {} tokens.", i, n);
      take(b, i);
    }
  }
  return replaced;
}

double loss_of(const train::Evaluation& e) { return e.loss_predictable.value_or(e.loss); }

// "1.3", with "C" or "E" before it.
HeadAt read_head(const std::string& text, const nn::TransformerConfig& config) {
  HeadAt head;
  std::string digits = text;
  for (const Stack stack : {Stack::encoder, Stack::cross})
    if (!digits.empty() && digits[0] == names_of(stack).letter[0]) head.stack = stack, digits.erase(0, 1);
  if (!digits.empty() && digits[0] == names_of(Stack::self).letter[0]) digits.erase(0, 1);
  const std::size_t dot = digits.find_first_of(".H");
  const auto number = [&](const std::string& part) {
    try {
      return number_from_text<std::size_t>(part);
    } catch (const Error&) {
      fail("'{}' is no head: expected layer and head such as 1.3, or several such as 1.0,1.3.", text);
    }
  };
  head.layer = number(digits.substr(0, dot));
  head.head = number(dot == std::string::npos ? "" : digits.substr(dot + 1));
  layer_of(config, head);
  return head;
}

}  // namespace

const Registry<Ablation>& ablations() {
  static const Registry<Ablation> all(
      "ablation",
      {{"zero", "the heads write nothing", Ablation::zero},
       {"mean", "the heads write their mean over the sequences, position by position", Ablation::mean},
       {"resample", "the heads write what they write on other sequences", Ablation::resample}});
  return all;
}

std::string codes_of(const HeadSet& heads) {
  std::string text;
  for (const HeadAt& head : heads) text += (text.empty() ? "" : ", ") + head_code(head);
  return text.empty() ? "none" : text;
}

HeadSet read_heads(const std::string& text, const nn::TransformerConfig& config) {
  HeadSet heads;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t comma = std::min(text.find(',', first), text.size());
    std::string part = text.substr(first, comma - first);
    std::erase(part, ' ');
    const HeadAt head = read_head(part, config);
    check(std::find(heads.begin(), heads.end(), head) == heads.end(), "head '{}' is named twice in '{}'.",
          part, text);
    heads.push_back(head);
    first = comma + 1;
  }
  return heads;
}

HeadSet without(const HeadSet& all, const HeadSet& some) {
  HeadSet rest;
  for (const HeadAt& head : all)
    if (std::find(some.begin(), some.end(), head) == some.end()) rest.push_back(head);
  return rest;
}

ActivationCache outputs_of(const nn::Transformer& model, const tasks::Batch& batch) {
  return run_with_cache(model, batch.tokens, hooks_named("attn.hook_z"), {}, {batch.source}).cache;
}

ActivationCache mean_outputs(const nn::Transformer& model, const tasks::Batch& batch) {
  constexpr std::size_t kAtOnce = 32;  // rows, so that their activations stay in a processor's cache
  const std::size_t rows = batch.tokens.shape()[0];
  std::map<std::string, xt::xarray<double>> sums;
  for (std::size_t first = 0; first < rows; first += kAtOnce) {
    const ActivationCache outputs =
        outputs_of(model, tasks::batch_rows(batch, first, std::min(kAtOnce, rows - first)));
    for (const std::string& name : outputs.names()) {
      const Array& z = outputs[name];  // (B,n,H,d_value)
      const auto [at, is_new] = sums.try_emplace(name);
      xt::xarray<double>& sum = at->second;
      if (is_new) sum = xt::zeros<double>({std::size_t{1}, z.shape()[1], z.shape()[2], z.shape()[3]});
      for (std::size_t b = 0; b < z.shape()[0]; ++b)
        for (std::size_t i = 0; i < sum.size(); ++i)
          sum.data()[i] += static_cast<double>(z.data()[b * sum.size() + i]);
    }
  }
  ActivationCache means;
  for (const auto& [name, sum] : sums) means.put(name, xt::cast<Real>(sum / static_cast<double>(rows)));
  return means;
}

ActivationCache no_outputs(const nn::Transformer& model) {
  const nn::TransformerConfig& c = model.config();
  const std::size_t width = c.d_head > 0 ? c.d_head : c.d_model / c.n_heads;
  ActivationCache zeros;
  for (const AttentionLayer& layer : attention_layers(c))
    zeros.put(layer.hook("hook_z"), full_array({1, 1, c.n_heads, width}, 0));
  return zeros;
}

ActivationCache outputs_for(Ablation ablation, const nn::Transformer& model, const tasks::Batch& batch) {
  if (ablation == Ablation::zero) return no_outputs(model);
  return ablation == Ablation::mean ? mean_outputs(model, batch) : outputs_of(model, batch);
}

nn::Hooks replace_outputs(const nn::TransformerConfig& config, const HeadSet& heads,
                          const ActivationCache& outputs, const std::vector<std::size_t>& positions) {
  nn::Hooks hooks;
  for (const auto& [name, of_layer] : by_hook(config, heads, "hook_z"))
    hooks.add(name, [&other = outputs[name], of_layer = of_layer, positions](const Tensor& z) {
      return Tensor(with_rows_of(z.array(), other, of_layer, positions));
    });
  return hooks;
}

nn::Hooks cut_edges(const nn::TransformerConfig& config, const HeadSet& heads,
                    const std::function<bool(std::size_t, std::size_t)>& cut) {
  nn::Hooks hooks;
  for (const auto& [name, of_layer] : by_hook(config, heads, "hook_pattern"))
    hooks.add(name, [cut, of_layer = of_layer](const Tensor& pattern) {  // (B,H,n,m)
      Array weights = pattern.array();
      const std::size_t n = weights.shape()[2], m = weights.shape()[3];
      for (std::size_t b = 0; b < weights.shape()[0]; ++b)
        for (const std::size_t h : of_layer)
          for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < m; ++j)
              if (cut(i, j)) weights(b, h, i, j) = 0;
      return Tensor(std::move(weights));
    });
  return hooks;
}

namespace {

train::Evaluation finite(const train::Evaluation& e) {
  check(std::isfinite(e.loss),
        "[ablation] the loss is not finite: the model's parameters are too large or damaged.");
  return e;
}

}  // namespace

AblationStudy::AblationStudy(const nn::Transformer& model, const tasks::Batch& batch,
                             const ActivationCache& outputs, ThreadPool& pool)
    : model_(model),
      batch_(batch),
      outputs_(outputs),
      pool_(pool),
      intact_(finite(train::evaluate(model, batch, nn::Hooks()))) {}

Damage AblationStudy::damage(const HeadSet& heads, const train::Evaluation& after) const {
  return {heads, after, loss_of(after) - loss_of(intact_),
          intact_.accuracy_predictable.value_or(0) - after.accuracy_predictable.value_or(0)};
}

Damage AblationStudy::of(const HeadSet& heads) const {
  return damage(heads,
                finite(train::evaluate(model_, batch_, replace_outputs(model_.config(), heads, outputs_))));
}

std::vector<Damage> AblationStudy::of_each(const std::vector<HeadSet>& sets) const {
  std::vector<Damage> all(sets.size());
  pool_.run(sets.size(), [&](std::size_t i) { all[i] = of(sets[i]); });
  return all;
}

std::vector<Damage> AblationStudy::singles() const {
  std::vector<HeadSet> sets;
  for (const HeadAt& head : all_heads(model_.config())) sets.push_back({head});
  return of_each(sets);
}

std::vector<Damage> AblationStudy::pairs() const {
  const HeadSet heads = all_heads(model_.config());
  std::vector<HeadSet> sets;
  for (std::size_t i = 0; i < heads.size(); ++i)
    for (std::size_t j = i + 1; j < heads.size(); ++j) sets.push_back({heads[i], heads[j]});
  return of_each(sets);
}

std::vector<Damage> AblationStudy::greedy(double accuracy) const {
  std::vector<Damage> path;
  HeadSet chosen, rest = all_heads(model_.config());
  while (!rest.empty() && (path.empty() || path.back().after.accuracy_predictable.value_or(0) > accuracy)) {
    std::vector<HeadSet> sets;
    for (const HeadAt& head : rest) {
      sets.push_back(chosen);
      sets.back().push_back(head);
    }
    const std::vector<Damage> tried = of_each(sets);
    const auto worst = std::max_element(tried.begin(), tried.end(), [](const Damage& a, const Damage& b) {
      return a.loss_rise < b.loss_rise;
    });
    chosen = worst->heads;
    rest = without(rest, chosen);
    path.push_back(*worst);
  }
  return path;
}

}  // namespace headlight::interpret
