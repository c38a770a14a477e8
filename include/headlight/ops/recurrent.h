// Recurrent layers: a step, composed of simple ops, and all steps of a sequence as one node on the tape.
// nn/recurrent.h has the cells.
#pragma once

#include <utility>

#include "headlight/autograd/tensor.h"

namespace headlight {

// A step of a GRU. from_x = x W_ih + b_ih and from_h = h W_hh + b_hh (…,3·hidden) hold r, z, n side by side;
// h (…,hidden) → the next h:
//   r = σ(x_r + h_r)   z = σ(x_z + h_z)   n = tanh(x_n + r ⊙ h_n)   h' = (1 - z) ⊙ n + z ⊙ h
Tensor gru_step(const Tensor& from_x, const Tensor& from_h, const Tensor& h);

// A step of an LSTM. from_x and from_h (…,4·hidden) hold i, f, g, o side by side; c (…,hidden) → the next h
// and c:
//   i, f, o = σ(x + h)   g = tanh(x_g + h_g)   c' = f ⊙ c + i ⊙ g   h' = o ⊙ tanh c'
std::pair<Tensor, Tensor> lstm_step(const Tensor& from_x, const Tensor& from_h, const Tensor& c);

// All steps of a GRU: from_x (…,n,3·hidden), W_hh (hidden,3·hidden), b_hh (3·hidden), and the h (…,hidden)
// that the first step reads → h after each step (…,n,hidden). Throws Error for other shapes.
Tensor gru(const Tensor& from_x, const Tensor& W_hh, const Tensor& b_hh, const Tensor& h);

// All steps of an LSTM: from_x (…,n,4·hidden), W_hh (hidden,4·hidden), b_hh (4·hidden), h and c (…,hidden) →
// h and c after each step, side by side (…,n,2·hidden). Throws Error for other shapes.
Tensor lstm(const Tensor& from_x, const Tensor& W_hh, const Tensor& b_hh, const Tensor& h, const Tensor& c);

// The same, step by step.
namespace reference {
Tensor gru(const Tensor& from_x, const Tensor& W_hh, const Tensor& b_hh, Tensor h);
Tensor lstm(const Tensor& from_x, const Tensor& W_hh, const Tensor& b_hh, Tensor h, Tensor c);
}  // namespace reference

}  // namespace headlight
