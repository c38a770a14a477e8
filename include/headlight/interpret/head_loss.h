// The loss whose gradients say what heads do, and where the parts of a head are.
#pragma once

#include <string>
#include <vector>

#include "headlight/core/thread_pool.h"
#include "headlight/interpret/attention_layers.h"
#include "headlight/tasks/batch.h"

namespace headlight::interpret {

// Which targets of a batch the loss is the mean over.
enum class LossOver {
  predictable,  // those that follow from the tokens so far (Batch::predictable)
  targets,      // all, for tasks without predictable tokens
};

// "predictable", "targets".
const Registry<LossOver>& loss_kinds();

// The batch's targets (B,n), with tasks::kNoTarget where a target does not count. Throws Error for a batch in
// which none counts.
IntArray counted_targets(const tasks::Batch& batch, LossOver over);

// Predictable targets if the batch has any, else all.
LossOver natural_loss(const tasks::Batch& batch);

// L = mean over the counted targets of -log softmax(logits)[target], in nats, with activations replaced by
// hooks. It never drops anything, also for models with dropout. Sequences are divided into fixed shards, so
// the number of threads changes no bit; a hook sees one shard, and is called by several threads at once.
// Throws Error for a batch in which no target counts, and as the model does.
double head_loss(const nn::Transformer& model, const tasks::Batch& batch, ThreadPool& pool,
                 LossOver over = LossOver::predictable, const nn::Hooks& hooks = {});

// The attention of a head's layer. Throws Error for a head that the model does not have.
const nn::MultiHeadAttention& attention_of(const nn::Transformer& model, const HeadAt& head);

// One of the four matrices of a head, as TransformerLens has them.
struct HeadMatrix {
  std::string name;        // "W_Q"
  Tensor parameter;        // that holds the head's numbers: W_Q, or W_QKV of a layer with fused_qkv
  bool rows;               // the head owns rows of the parameter (W_O), else columns
  std::size_t first;       // the first row or column
  Shape shape;             // (d_model,d_head) of W_Q; (d_value,d_model) of W_O
  std::size_t offset = 0;  // where it begins in a flat array of the head's numbers

  std::size_t size() const { return shape[0] * shape[1]; }

  // Copies the head's numbers from an array of the parameter's shape to `flat`, row by row, or back.
  void take(const Array& whole, Real* flat) const;
  void put(const Real* flat, Array& whole) const;
};

// A head's W_Q, W_K, W_V and W_O, without biases. Heads that share keys and values (grouped heads) share the
// numbers of W_K and W_V. Throws Error for a head that the model does not have.
std::vector<HeadMatrix> head_matrices(const nn::Transformer& model, const HeadAt& head);

// The numbers of the four matrices, one after the other, each row by row: (N),
// N = d_head·d_model + d_head·d_memory + d_value·d_memory + d_value·d_model.
Array head_parameters(const nn::Transformer& model, const HeadAt& head);

}  // namespace headlight::interpret
