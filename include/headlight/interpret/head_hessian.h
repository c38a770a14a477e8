// Curvature of the loss in one head's parameters: products with the Hessian, and its extreme eigenvalues.
#pragma once

#include <cstdint>

#include "headlight/interpret/head_loss.h"

namespace headlight::interpret {

// In this header θ (N) are the numbers of a head's W_Q, W_K, W_V and W_O, flat as head_parameters() has them;
// all other parameters stay fixed. The functions throw Error for a head that the model does not have, for a
// batch in which no target counts, and for results that are not finite.

// dL/dθ (N).
Array head_gradient(const nn::Transformer& model, const tasks::Batch& batch, const HeadAt& head,
                    ThreadPool& pool, LossOver over = LossOver::predictable);

// H v (N), H = d²L/dθ², v = direction (N): exact, as the gradient of vᵀ dL/dθ (Pearlmutter 1994). The
// backward pass is recorded (create_graph), and so fused attention differentiates through its reference,
// which keeps patterns (B,H,n,n). Also throws Error for a direction of another length.
Array hessian_vector_product(const nn::Transformer& model, const tasks::Batch& batch, const HeadAt& head,
                             const Array& direction, ThreadPool& pool, LossOver over = LossOver::predictable);

enum class Extreme {
  magnitude,  // the eigenvalue with the largest |λ|
  largest,    // the largest: the sharpest direction
  smallest,   // the smallest: negative at a saddle
};

struct PowerOptions {
  LossOver over = LossOver::predictable;
  Extreme which = Extreme::magnitude;
  double tolerance = 1e-3;           // on ‖H v - λ v‖ / |λ|, λ that of the largest magnitude
  std::size_t max_iterations = 200;  // products; for largest and smallest up to twice as many
  std::uint64_t seed = 0;            // of the first direction
};

struct HeadEigenvalue {
  double value = 0;            // vᵀ H v, in nats per unit of θ squared
  Array vector;                // v (N), ‖v‖ = 1
  double residual = 0;         // ‖H v - value·v‖: some eigenvalue is this near to `value`
  std::size_t iterations = 0;  // products that were computed
  bool converged = false;      // whether the residual passed the tolerance
};

// By power iteration: v ← H v / ‖H v‖. For largest and smallest, if this is not the eigenvalue λ of largest
// magnitude, by a second iteration with H - λ. It converges slowly where two eigenvalues have nearly the same
// magnitude, and not at all where they differ in sign only; then converged is false, and largest or smallest
// may still converge. Throws Error for a tolerance that is not positive and for 0 iterations.
HeadEigenvalue extreme_eigenvalue(const nn::Transformer& model, const tasks::Batch& batch, const HeadAt& head,
                                  ThreadPool& pool, const PowerOptions& options = {});

}  // namespace headlight::interpret
