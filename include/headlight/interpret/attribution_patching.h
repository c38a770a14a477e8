// Attribution patching (Nanda 2023; Syed et al. 2023): the effect of replacing each head's output, for all
// heads at once to first order, and the true effects to compare with.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "headlight/interpret/ablation.h"
#include "headlight/interpret/head_loss.h"

namespace headlight::interpret {

struct PatchOptions {
  LossOver over = LossOver::predictable;
  bool positions = false;  // true patching of each head at each position by itself: n times as many passes
};

// L(replaced) - L in nats: positive where the head's own output is worth more than the replacement.
struct HeadEffect {
  HeadAt at;
  double effect = 0;                // at all positions
  std::vector<double> at_position;  // (n), at this position of every sequence alone; empty if not wanted
};

struct PatchEffects {
  double loss = 0;                // L, unpatched
  std::vector<HeadEffect> heads;  // in the order of all_heads()
};

// To first order: effect = Σ dL/dz · (z' - z), summed over sequences, positions and d_value, and at_position
// without the sum over positions. One forward and one backward pass for all heads. It leaves out curvature:
// of the softmax and norms of later layers, and of the loss. Positions are the layer's queries, so those of
// an encoder are the source's. `replacement` holds z' of all heads, from outputs_for() or outputs_of().
// Throws Error unless it fits the batch, and as head_gradients() does.
PatchEffects attribute_patches(const nn::Transformer& model, const tasks::Batch& batch,
                               const ActivationCache& replacement, ThreadPool& pool,
                               LossOver over = LossOver::predictable);

// Truly: one forward pass for each head, in which a hook on hook_z replaces this head's z. Later layers
// compute with the change. The effect is a difference of two losses, so effects below a millionth of the loss
// are rounding in the float build. Throws as attribute_patches() does.
PatchEffects measure_patches(const nn::Transformer& model, const tasks::Batch& batch,
                             const ActivationCache& replacement, ThreadPool& pool,
                             const PatchOptions& options = {});

struct PatchComparison {
  PatchEffects estimated, actual;
  std::optional<double> correlation;           // over heads (Pearson)
  std::optional<double> position_correlation;  // over heads and positions, with PatchOptions::positions
};

// Both, and how well they agree.
PatchComparison compare_with_true(const nn::Transformer& model, const tasks::Batch& batch,
                                  const ActivationCache& replacement, ThreadPool& pool,
                                  const PatchOptions& options = {});

// Σ(x-x̄)(y-ȳ) / √(Σ(x-x̄)² Σ(y-ȳ)²), in -1 … 1. Absent for fewer than 2 pairs, and where x or y does not
// vary. Throws Error for different numbers of x and y.
std::optional<double> pearson(std::span<const double> x, std::span<const double> y);

// Spearman's: that of the ranks; equal numbers share the mean of theirs.
std::optional<double> spearman(std::span<const double> x, std::span<const double> y);

}  // namespace headlight::interpret
