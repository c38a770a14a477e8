#include "headlight/nn/recurrent.h"

#include <cmath>

#include "headlight/ops/matmul.h"
#include "headlight/ops/rearrange.h"
#include "headlight/ops/recurrent.h"

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

void check_steps(const Tensor& x) {
  check(x.dim() >= 2 && x.length(-2) > 0, "[over_sequence] expected x (…,n,in) of at least one step, got {}.",
        x.shape());
}

// (…,n,hidden) → (…,hidden)
Tensor last_of(const Tensor& outputs) {
  const int n = static_cast<int>(outputs.length(-2));
  return squeeze(slice(outputs, -2, n - 1, n), -2);
}

}  // namespace

GRUCell::GRUCell(std::size_t in, std::size_t hidden, Rng& rng) { set_weights(*this, in, hidden, 3, rng); }

Tensor GRUCell::operator()(const Tensor& x, const Tensor& h) const {
  return gru_step(linear(x, W_ih, b_ih), linear(h, W_hh, b_hh), h);
}

LSTMCell::LSTMCell(std::size_t in, std::size_t hidden, Rng& rng) { set_weights(*this, in, hidden, 4, rng); }

LSTMState LSTMCell::operator()(const Tensor& x, const LSTMState& state) const {
  const auto [h, c] = lstm_step(linear(x, W_ih, b_ih), linear(state.h, W_hh, b_hh), state.c);
  return {h, c};
}

GRUSequence over_sequence(const GRUCell& cell, const Tensor& x, const Tensor& h) {
  check_steps(x);
  const Tensor outputs = gru(linear(x, cell.W_ih, cell.b_ih), cell.W_hh, cell.b_hh, h);
  return {outputs, last_of(outputs)};
}

LSTMSequence over_sequence(const LSTMCell& cell, const Tensor& x, const LSTMState& state) {
  check_steps(x);
  const Tensor both = lstm(linear(x, cell.W_ih, cell.b_ih), cell.W_hh, cell.b_hh, state.h, state.c);
  const auto parts = split(both, cell.W_hh.length(0), -1);
  return {parts[0], {last_of(parts[0]), last_of(parts[1])}};
}

}  // namespace headlight::nn
