// Gradient norms of each head along training: which head begins to learn first.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "headlight/interpret/head_loss.h"
#include "headlight/train/history.h"

namespace headlight::interpret {

// Of one head, in nats per unit of its parameters, or of its output.
struct HeadNorms {
  HeadAt at;
  double W_Q = 0, W_K = 0, W_V = 0, W_O = 0;  // ‖dL/dW‖ of the head's columns, or rows of W_O
  double parameters = 0;                      // √(W_Q² + W_K² + W_V² + W_O²)
  double z = 0;                               // ‖dL/dz‖ over sequences, positions and d_value
};

struct NormsAtStep {
  std::int64_t step = 0;
  double loss = 0;               // mean over the counted targets of the batch
  std::vector<HeadNorms> heads;  // in the order of all_heads()
};

// The norms of one model. Biases do not count. Heads that share keys and values (grouped heads) have the same
// W_K and W_V, which every head of the group counts in full. The number of threads changes no bit. Throws
// Error for a batch in which no target counts, for gradients that are not finite, and as the model does.
NormsAtStep head_gradient_norms(const nn::Transformer& model, const tasks::Batch& batch, ThreadPool& pool,
                                LossOver over = LossOver::predictable);

// The norms at each snapshot of a run, in their order, on the same batch. The model gives the config; it does
// not change. Also throws Error, which names the step, for a snapshot of another model.
std::vector<NormsAtStep> head_gradient_norms(const nn::Transformer& model,
                                             const std::vector<train::Snapshot>& snapshots,
                                             const tasks::Batch& batch, ThreadPool& pool,
                                             LossOver over = LossOver::predictable);

// The columns of HeadNorms, by the keys that files use.
struct NormKey {
  const char* key;
  double HeadNorms::*value;
};
inline constexpr NormKey kNormKeys[] = {{"W_Q", &HeadNorms::W_Q},
                                        {"W_K", &HeadNorms::W_K},
                                        {"W_V", &HeadNorms::W_V},
                                        {"W_O", &HeadNorms::W_O},
                                        {"parameters", &HeadNorms::parameters},
                                        {"z", &HeadNorms::z}};

// What the fraction is of.
enum class FractionOf {
  own_largest,  // the head's own largest norm along training
  largest,      // the largest norm of any head
};

// When a head learned.
struct LearningStart {
  HeadAt at;
  std::optional<std::int64_t> first_step;  // the first kept step with a norm above fraction × largest, if any
  double largest = 0;                      // the head's largest norm, and the first step that has it
  std::int64_t largest_step = 0;
};

// The start of each head, in the order of all_heads(). "Above" is strict, so a head whose gradients are all 0
// never starts. A step is only as exact as the snapshots are dense. Throws Error for no snapshots, and for a
// fraction outside of 0 … 1 (1 itself is too large: no norm is above the largest).
std::vector<LearningStart> learning_starts(const std::vector<NormsAtStep>& norms, double fraction = 0.5,
                                           FractionOf of = FractionOf::own_largest,
                                           double HeadNorms::*norm = &HeadNorms::parameters);

// The same heads, those that start first at the front; heads that start together keep their order, and those
// that never do come last.
std::vector<LearningStart> by_start(std::vector<LearningStart> starts);

}  // namespace headlight::interpret
