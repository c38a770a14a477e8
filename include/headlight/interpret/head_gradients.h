// Gradients of the loss at what each head computes: its output z and its pattern.
#pragma once

#include <optional>
#include <vector>

#include "headlight/interpret/head_loss.h"

namespace headlight::interpret {

struct HeadGradientOptions {
  LossOver over = LossOver::predictable;

  // Also at patterns. The layers then differentiate the pattern and its product with the values step by step,
  // in place of the fused op. The loss and all activations keep their bits, but gradients take this slower
  // path and differ from those without patterns in the last digits.
  bool patterns = false;
};

// What the heads of a layer compute, and the gradients there, in nats per unit of the activation. L is a mean
// over targets, so a gradient shrinks as the batch grows.
struct LayerGradients {
  AttentionLayer layer;
  Array z, dz;              // (B,n,H,d_value): z, and dL/dz
  Array pattern, dpattern;  // (B,H,n,m): P, and dL/dP with each weight taken by itself; empty if not wanted.
                            // At hidden keys dL/dP is what attending there would change; P is 0
};

// One head in numbers, over all sequences of the batch.
struct HeadGradient {
  HeadAt at;
  double z_norm = 0;                   // ‖dL/dz‖
  double z_product = 0;                // Σ dL/dz · z, which is also Σ dL/dP · P, because z = P v
  std::optional<double> pattern_norm;  // ‖dL/dP‖ over the keys that each query sees
};

struct HeadGradients {
  double loss = 0;
  std::vector<LayerGradients> layers;  // in the order of attention_layers()
  std::vector<HeadGradient> heads;     // in the order of all_heads()
};

// By one forward and one backward pass over each shard of the batch; the number of threads changes no bit.
// Throws Error for a batch in which no target counts, for gradients that are not finite, and as the model
// does. Encoder–decoders give the gradients of all three stacks.
HeadGradients head_gradients(const nn::Transformer& model, const tasks::Batch& batch, ThreadPool& pool,
                             const HeadGradientOptions& options = {});

}  // namespace headlight::interpret
