#include "headlight/nn/recurrent.h"

#include <cmath>

#include "headlight/ops/arithmetic.h"
#include "headlight/ops/elementwise.h"
#include "headlight/ops/matmul.h"
#include "headlight/ops/rearrange.h"

namespace headlight::nn {
namespace {

// The weights of a cell, whose gates lie side by side.
template <class Cell>
void set_weights(Cell& cell, std::size_t in, std::size_t hidden, std::size_t gates, Rng& rng) {
  check(in > 0 && hidden > 0, "a cell of {} inputs and {} hidden units is empty; both must be at least 1.",
        in, hidden);
  const double stddev = 1 / std::sqrt(static_cast<double>(hidden));
  cell.W_ih = normal_parameter({in, gates * hidden}, stddev, rng);
  cell.W_hh = normal_parameter({hidden, gates * hidden}, stddev, rng);
  cell.b_ih = bias_parameter(true, gates * hidden);
  cell.b_hh = bias_parameter(true, gates * hidden);
}

// x (…,n,in) as n tensors (…,in).
std::vector<Tensor> steps_of(const Tensor& x) {
  check(x.dim() >= 2 && x.length(-2) > 0, "[over_sequence] expected x (…,n,in) of at least one step, got {}.",
        x.shape());
  std::vector<Tensor> steps;
  for (int i = 0; i < static_cast<int>(x.length(-2)); ++i)
    steps.push_back(squeeze(slice(x, -2, i, i + 1), -2));
  return steps;
}

}  // namespace

GRUCell::GRUCell(std::size_t in, std::size_t hidden, Rng& rng) { set_weights(*this, in, hidden, 3, rng); }

Tensor GRUCell::operator()(const Tensor& x, const Tensor& h) const {
  const std::size_t hidden = W_hh.length(0);
  const auto from_x = split(linear(x, W_ih, b_ih), hidden, -1),
             from_h = split(linear(h, W_hh, b_hh), hidden, -1);
  const Tensor r = sigmoid(from_x[0] + from_h[0]), z = sigmoid(from_x[1] + from_h[1]),
               n = tanh(from_x[2] + r * from_h[2]);
  return (1 - z) * n + z * h;
}

LSTMCell::LSTMCell(std::size_t in, std::size_t hidden, Rng& rng) { set_weights(*this, in, hidden, 4, rng); }

LSTMState LSTMCell::operator()(const Tensor& x, const LSTMState& state) const {
  const auto gates = split(linear(x, W_ih, b_ih) + linear(state.h, W_hh, b_hh), W_hh.length(0), -1);
  const Tensor i = sigmoid(gates[0]), f = sigmoid(gates[1]), g = tanh(gates[2]), o = sigmoid(gates[3]);
  const Tensor c = f * state.c + i * g;
  return {o * tanh(c), c};
}

GRUSequence over_sequence(const GRUCell& cell, const Tensor& x, Tensor h) {
  std::vector<Tensor> outputs;
  for (const Tensor& step : steps_of(x)) outputs.push_back(h = cell(step, h));
  return {stack(outputs, -2), h};
}

LSTMSequence over_sequence(const LSTMCell& cell, const Tensor& x, LSTMState state) {
  std::vector<Tensor> outputs;
  for (const Tensor& step : steps_of(x)) {
    state = cell(step, state);
    outputs.push_back(state.h);
  }
  return {stack(outputs, -2), state};
}

}  // namespace headlight::nn
