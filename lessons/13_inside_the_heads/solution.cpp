// Lesson 13, solved: ablation, path patching, attribution, a verdict, and an experiment.
#include "evidence.h"
#include "examined.h"
#include "exercise.h"
#include "headlight/interpret/hooks.h"
#include "headlight/tasks/batch.h"

Tensor mean_ablated(const Tensor& z, const Tensor& reference, std::size_t head) {
  Array here = Array::from_shape({z.length(2), std::size_t{1}});  // 1 for the head, 0 for the others
  here.fill(0);
  here(head, 0) = 1;
  return z + Tensor(here) * (mean(reference, {0}, true) - z);
}

std::string z_name(std::size_t layer) { return fmt::format("blocks.{}.attn.hook_z", layer); }

double loss_rise(const nn::Transformer& model, const tasks::Batch& batch,
                 const std::vector<interpret::HeadAt>& heads) {
  IntArray targets = batch.targets;
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (!batch.predictable.data()[i]) targets.data()[i] = -1;
  const interpret::CachedRun intact = interpret::run_with_cache(model, batch.tokens);
  nn::Hooks hooks;
  for (const interpret::HeadAt& each : heads)
    hooks.add(z_name(each.layer), [reference = Tensor(intact.cache[z_name(each.layer)]), head = each.head](
                                      const Tensor& z) { return mean_ablated(z, reference, head); });
  const auto loss = [&](const Tensor& logits) {
    return cross_entropy(logits, targets, {.ignore_index = -1}).item();
  };
  return loss(interpret::run_with_hooks(model, batch.tokens, hooks)) - loss(Tensor(intact.logits));
}

// x with the slice of one head, along axis 2, from y.
Tensor with_head_of(const Tensor& x, const Tensor& y, std::size_t head) {
  const int h = static_cast<int>(head);
  return concat({slice(x, 2, 0, h), slice(y, 2, h, h + 1), slice(x, 2, h + 1)}, 2);
}

Tensor keys_patched(const nn::Transformer& model, const IntArray& tokens, const IntArray& others,
                    std::size_t sender, std::size_t receiver) {
  const Tensor other(interpret::run_with_cache(model, others).cache[z_name(0)]);
  const nn::Hooks sending{{z_name(0), [=](const Tensor& z) { return with_head_of(z, other, sender); }}};
  const Tensor keys(interpret::run_with_cache(model, tokens, {}, sending).cache["blocks.1.hook_k_input"]);
  return interpret::run_with_hooks(
      model, tokens,
      {{"blocks.1.hook_k_input", [=](const Tensor& x) { return with_head_of(x, keys, receiver); }}});
}

Tensor logit_parts(const Tensor& parts, const Tensor& w, const Tensor& W_U, std::size_t answer) {
  const Tensor x = sum(parts, {0});
  const Tensor scale = sqrt(var(x) + 1e-5);
  const Tensor each = matmul((parts - mean(parts, {-1}, true)) / scale * w, W_U);  // (S,V)
  const int column = static_cast<int>(answer);
  return reshape(slice(each, 1, column, column + 1), {-1}) - mean(each, {-1});
}

Finding verdict(const Evidence& e) {
  if (e.accuracy < 0.5) return {Kind::unsolved};
  std::size_t place = 0;
  for (std::size_t k = 0; k < e.looks.size(); ++k)
    if (e.looks[k] - e.control[k] > e.looks[place] - e.control[place]) place = k;
  if (e.looks[place] - e.control[place] < 0.4) return {Kind::another_way};  // not because of the tokens
  if (e.without_all > e.accuracy / 2) return {Kind::another_way};           // not needed
  if (e.keys_patched > e.accuracy / 2 && e.queries_patched > e.accuracy / 2) return {Kind::another_way};
  return place == 0 ? Finding{Kind::ordinary} : Finding{Kind::shifted, place};
}

double accuracy_scaled(double factor) {
  Array factors = Array::from_shape({std::size_t{4}, std::size_t{1}});
  factors.fill(1);
  factors(1, 0) = factor;
  return accuracy_with({{z_name(0), [scale = Tensor(factors)](const Tensor& z) { return z * scale; }}});
}

// The accuracy lies on a line from 0.23 to 1, and more of the head does no harm: so it seems.
std::vector<Trial> scaled_head() {
  std::vector<Trial> trials;
  for (const auto& [factor, expected] : {std::pair{0.25, 0.4}, {0.5, 0.6}, {2.0, 1.0}, {5.0, 1.0}})
    trials.push_back({factor, expected, accuracy_scaled(factor)});
  return trials;
}
