// Recurrent cells: one step of a sequence each, and all steps. The equations and the order of the gates are
// PyTorch's, so its weights can be copied; its matrices are the transposes of these.
#pragma once

#include "headlight/nn/module.h"

namespace headlight::nn {

// Gated recurrent unit (Cho et al. 2014), PyTorch's GRUCell. x (…,in), h (…,hidden) → the next h:
//   r = σ(x W_ir + b_ir + h W_hr + b_hr)           how much of h the candidate sees
//   z = σ(x W_iz + b_iz + h W_hz + b_hz)           how much of h stays
//   n = tanh(x W_in + b_in + r ⊙ (h W_hn + b_hn))  the candidate
//   h' = (1 - z) ⊙ n + z ⊙ h
// W_ih (in,3·hidden), W_hh (hidden,3·hidden) and the biases (3·hidden) hold r, z, n side by side. Weights
// start as N(0, 1/hidden), biases as 0.
struct GRUCell {
  Tensor W_ih, W_hh, b_ih, b_hh;

  GRUCell(std::size_t in, std::size_t hidden, Rng& rng);
  Tensor operator()(const Tensor& x, const Tensor& h) const;
  void visit(auto&& v) const { v("W_ih", W_ih), v("W_hh", W_hh), v("b_ih", b_ih), v("b_hh", b_hh); }
};

// What an LSTM carries from step to step, both (…,hidden).
struct LSTMState {
  Tensor h;  // its output
  Tensor c;  // its memory
};

// Long short-term memory (Hochreiter and Schmidhuber 1997; forget gate: Gers et al. 2000), PyTorch's
// LSTMCell. x (…,in) → the next state:
//   i = σ(x W_ii + b_ii + h W_hi + b_hi)     how much is written to the memory
//   f = σ(x W_if + b_if + h W_hf + b_hf)     how much of the memory stays
//   g = tanh(x W_ig + b_ig + h W_hg + b_hg)  what is written
//   o = σ(x W_io + b_io + h W_ho + b_ho)     how much of the memory is shown
//   c' = f ⊙ c + i ⊙ g     h' = o ⊙ tanh c'
// W_ih (in,4·hidden), W_hh (hidden,4·hidden) and the biases (4·hidden) hold i, f, g, o side by side. Weights
// start as N(0, 1/hidden), biases as 0.
struct LSTMCell {
  Tensor W_ih, W_hh, b_ih, b_hh;

  LSTMCell(std::size_t in, std::size_t hidden, Rng& rng);
  LSTMState operator()(const Tensor& x, const LSTMState& state) const;
  void visit(auto&& v) const { v("W_ih", W_ih), v("W_hh", W_hh), v("b_ih", b_ih), v("b_hh", b_hh); }
};

// All steps of a sequence x (…,n,in): the outputs h of each (…,n,hidden), from a state (…,hidden) on. The
// last state is that from which a next part goes on.
struct GRUSequence {
  Tensor outputs, last;
};
struct LSTMSequence {
  Tensor outputs;
  LSTMState last;
};
GRUSequence over_sequence(const GRUCell& cell, const Tensor& x, const Tensor& h);
LSTMSequence over_sequence(const LSTMCell& cell, const Tensor& x, const LSTMState& state);

}  // namespace headlight::nn
