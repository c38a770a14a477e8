// Muon: momentum, orthogonalised by Newton–Schulz steps, for matrices; AdamW for all other parameters.
#pragma once

#include "headlight/optim/adam.h"

namespace headlight::optim {

// G = U S Vᵀ (m,n) → about U Vᵀ (m,n): the singular vectors stay, and the singular values go to about 1 (0.68
// to 1.21 after five steps, for singular values of at least 0.002 ‖G‖). A step, with X = G / (‖G‖ + 1e-7) in
// the beginning and the Frobenius norm, is
//   X ← aX + (bA + cA²)X,   A = XXᵀ,   (a,b,c) = (3.4445, -4.7750, 2.0315)
// so each singular value s becomes as + bs³ + cs⁵. For m > n the products are X(bA + cA²) with A = XᵀX, which
// are the same and smaller. Throws Error for an array that is no matrix.
Array orthogonalized(const Array& g, int steps = 5);

// For a matrix W (fan_in, fan_out), as nn::Linear holds it:
//   v ← βv + g,   W ← W - lr·weight_decay·W - lr·√max(1, fan_out/fan_in)·orthogonalized(g + βv)
// with momentum β = beta1 (Jordan et al. 2024, with Nesterov's momentum; the paper's weights are (fan_out,
// fan_in)). All other parameters get AdamW's step with all settings of the config.
//
// A parameter of two axes is a matrix, unless set_group says `.matrix = false`. Say so for tables:
// embeddings, whose rows are looked up one by one, and the unembedding. train::task_trainer() does this for a
// nn::Transformer.
//
// Matrices and other parameters share one learning rate. A matrix moves by lr in each of its singular
// directions, whatever its gradient's size; 0.02 is the usual value.
class Muon : public AdamW {
 public:
  Muon(std::vector<Tensor> parameters,
       const OptimizerConfig& config = {.learning_rate = 0.02, .beta1 = 0.95});
  template <Number T>  // not a double, which `{}` would make 0
  Muon(std::vector<Tensor> parameters, T learning_rate)
      : Muon(std::move(parameters),
             OptimizerConfig{.learning_rate = static_cast<double>(learning_rate), .beta1 = 0.95}) {}

  std::string kind() const override { return "Muon"; }

 protected:
  void update(std::size_t index, Real* parameter, const Real* gradient, std::size_t n) override;

 private:
  double momentum_;
};

}  // namespace headlight::optim
