// Attribution patching (Nanda 2023; Syed et al. 2023): the effect of replacing each head's output, for all
// heads at once to first order, and the true effects to compare with.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "headlight/interpret/head_loss.h"

namespace headlight::inline HEADLIGHT_PRECISION::interpret {

// z of every head: (B,n,H,d_value) for each layer of attention_layers().
using HeadOutputs = std::vector<Array>;

// z of the model on a batch, without gradients.
HeadOutputs head_outputs(const nn::Transformer& model, const tasks::Batch& batch, ThreadPool& pool);

// What replaces z, made from z of shape (B,n,H,d_value).
// 0 everywhere.
HeadOutputs zero_outputs(const HeadOutputs& z);

// The mean over the sequences of the batch, at each position (ARENA 1.2), or over the positions too.
enum class MeanOver { sequences, positions_too };
HeadOutputs mean_outputs(const HeadOutputs& z, MeanOver over = MeanOver::sequences);

// Row b gets the outputs of row rows[b]: of another sequence. Throws Error unless there are B rows, each
// below B.
HeadOutputs resampled_outputs(const HeadOutputs& z, std::span<const std::size_t> rows);

// Rows for it: a random order in which no sequence keeps its place. Throws Error for fewer than 2 sequences.
std::vector<std::size_t> other_rows(std::size_t sequences, Rng& rng);

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
  std::vector<HeadEffect> heads;  // in the order of heads_of()
};

// To first order: effect = Σ dL/dz · (z' - z), summed over sequences, positions and d_value, and at_position
// without the sum over positions. One forward and one backward pass for all heads. It leaves out curvature:
// of the softmax and norms of later layers, and of the loss. Positions are the layer's queries, so those of
// an encoder are the source's. Throws Error unless `replacement` has the shapes of head_outputs() of this
// batch, and as head_gradients() does.
PatchEffects attribute_patches(const nn::Transformer& model, const tasks::Batch& batch,
                               const HeadOutputs& replacement, ThreadPool& pool,
                               LossOver over = LossOver::predictable);

// Truly: one forward pass for each head, in which a hook on hook_z replaces this head's z. Later layers
// compute with the change. The effect is a difference of two losses, so effects below a millionth of the loss
// are rounding in the float build. Throws as attribute_patches() does.
PatchEffects patch_heads(const nn::Transformer& model, const tasks::Batch& batch,
                         const HeadOutputs& replacement, ThreadPool& pool, const PatchOptions& options = {});

struct PatchComparison {
  PatchEffects estimated, actual;
  std::optional<double> correlation;           // over heads (Pearson)
  std::optional<double> position_correlation;  // over heads and positions, with PatchOptions::positions
};

// Both, and how well they agree.
PatchComparison compare_with_true(const nn::Transformer& model, const tasks::Batch& batch,
                                  const HeadOutputs& replacement, ThreadPool& pool,
                                  const PatchOptions& options = {});

// Σ(x-x̄)(y-ȳ) / √(Σ(x-x̄)² Σ(y-ȳ)²), in -1 … 1. Absent for fewer than 2 pairs, and where x or y does not
// vary. Throws Error for different numbers of x and y.
std::optional<double> pearson(std::span<const double> x, std::span<const double> y);

}  // namespace headlight::inline HEADLIGHT_PRECISION::interpret
