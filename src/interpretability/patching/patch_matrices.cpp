#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/interpret/patching.h"

namespace headlight::interpret {
namespace {

double loss_of_targets(const train::Evaluation& e) { return e.loss_predictable.value_or(e.loss); }

// The mean over the positions that are predictable in both batches, and have different targets, of the logit
// of the clean target minus that of the corrupted one.
double logit_difference(const Array& logits, const tasks::Batch& clean, const tasks::Batch& corrupted) {
  const std::size_t vocab = logits.shape()[2];
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < clean.targets.size(); ++i) {
    const std::int32_t a = clean.targets.data()[i], b = corrupted.targets.data()[i];
    if (!clean.predictable.data()[i] || !corrupted.predictable.data()[i] || a == b || a < 0 || b < 0)
      continue;
    const Real* row = logits.data() + i * vocab;
    sum += static_cast<double>(row[a]) - static_cast<double>(row[b]);
    ++count;
  }
  check(count > 0,
        "[patch] no position is predictable in both batches with different targets. Hint: renamed() makes a "
        "batch to patch from.");
  return sum / static_cast<double>(count);
}

// The logits of a clean and of a corrupted run, and what is restored between them.
class Restoration {
 public:
  Restoration(const nn::Transformer& model, const tasks::Batch& clean, const tasks::Batch& corrupted,
              const WantedHooks& wanted)
      : model_(model), clean_(clean), corrupted_(corrupted) {
    check_pair();
    CachedRun run = run_with_cache(model, clean.tokens, wanted, {}, {clean.source});
    cache = std::move(run.cache);
    whole_ = logit_difference(run.logits, clean, corrupted);
    none_ = difference({});
    check(whole_ - none_ > 1e-6,
          "[patch] the clean run prefers the clean targets by {:.3g}, the corrupted run by {:.3g}: there is "
          "nothing to restore.",
          whole_, none_);
  }

  double of(const nn::Hooks& hooks) const { return (difference(hooks) - none_) / (whole_ - none_); }

  ActivationCache cache;  // of the clean run

 private:
  void check_pair() const {
    for (const tasks::Batch* batch : {&clean_, &corrupted_})
      tasks::check_batch(*batch, model_.config().d_vocab);
    const auto shape_of = [](const IntArray& part) {
      return Shape(part.shape().begin(), part.shape().end());
    };
    check(clean_.tokens.shape() == corrupted_.tokens.shape() &&
              clean_.source.shape() == corrupted_.source.shape(),
          "[patch] expected a clean and a corrupted batch of one shape, got tokens {} and {}, sources {} and "
          "{}.",
          shape_of(clean_.tokens), shape_of(corrupted_.tokens), shape_of(clean_.source),
          shape_of(corrupted_.source));
  }

  double difference(const nn::Hooks& hooks) const {
    const auto nothing = [](const std::string&) { return false; };
    return logit_difference(
        run_with_cache(model_, corrupted_.tokens, nothing, hooks, {corrupted_.source}).logits, clean_,
        corrupted_);
  }

  const nn::Transformer& model_;
  const tasks::Batch &clean_, &corrupted_;
  double whole_ = 0, none_ = 0;
};

}  // namespace

PatchMatrix patch_streams(const nn::Transformer& model, const tasks::Batch& clean,
                          const tasks::Batch& corrupted, ThreadPool& pool) {
  const Restoration restoration(model, clean, corrupted, [](const std::string& name) {
    return name.starts_with("blocks.") && name.ends_with("hook_resid_pre");
  });
  PatchMatrix matrix;
  for (std::size_t layer = 0; layer < model.config().n_layers; ++layer)
    matrix.hooks.push_back(fmt::format("blocks.{}.hook_resid_pre", layer));
  const std::size_t n = clean.tokens.shape()[1];
  for (std::size_t i = 0; i < n; ++i) matrix.positions.push_back(i);
  matrix.restored.assign(matrix.hooks.size(), std::vector<double>(n));
  pool.run(matrix.hooks.size() * n, [&](std::size_t task) {
    const std::size_t hook = task / n, position = task % n;
    matrix.restored[hook][position] =
        restoration.of(patch_activation(matrix.hooks[hook], restoration.cache, {position}));
  });
  return matrix;
}

PatchMatrix patch_heads(const nn::Transformer& model, const tasks::Batch& clean,
                        const tasks::Batch& corrupted, ThreadPool& pool) {
  const Restoration restoration(model, clean, corrupted, hooks_named("attn.hook_z"));
  const HeadSet heads = all_heads(model.config());
  PatchMatrix matrix;
  for (const HeadAt& head : heads) matrix.hooks.push_back(head_code(head));
  matrix.restored.assign(heads.size(), {0});
  pool.run(heads.size(), [&](std::size_t i) {
    matrix.restored[i][0] = restoration.of(replace_outputs(model.config(), {heads[i]}, restoration.cache));
  });
  return matrix;
}

PathMatrix path_matrix(const PathPatching& paths, const nn::Transformer& model, const tasks::Batch& clean,
                       ThreadPool& pool) {
  PathMatrix matrix;
  matrix.senders = all_heads(model.config());
  for (const HeadAt& head : matrix.senders)
    for (const auto& input : head_inputs().entries()) matrix.receivers.push_back({head, input.thing});
  const double intact = loss_of_targets(train::evaluate(model, clean, nn::Hooks()));
  matrix.rises.assign(matrix.senders.size(), std::vector<double>(matrix.receivers.size(), 0));
  matrix.to_logits.assign(matrix.senders.size(), 0);
  pool.run(matrix.senders.size(), [&](std::size_t s) {
    const ActivationCache streams = paths.streams({{matrix.senders[s]}});
    const auto rise = [&](const std::vector<Receiver>& receivers, bool to_logits) {
      return loss_of_targets(train::evaluate(model, clean, paths.into(receivers, to_logits, streams))) -
             intact;
    };
    for (std::size_t r = 0; r < matrix.receivers.size(); ++r)
      if (matrix.senders[s].layer < matrix.receivers[r].head.layer)
        matrix.rises[s][r] = rise({matrix.receivers[r]}, false);
    matrix.to_logits[s] = rise({}, true);
  });
  return matrix;
}

}  // namespace headlight::interpret
