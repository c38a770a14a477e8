#include "headlight/ops/recurrent.h"

#include <algorithm>
#include <tuple>

#include "headlight/autograd/record_fused.h"
#include "headlight/core/check.h"
#include "headlight/core/gemm.h"
#include "headlight/core/kernels.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/elementwise.h"
#include "headlight/ops/matmul.h"
#include "headlight/ops/rearrange.h"

namespace headlight {
namespace {

// B sequences of n steps, with `hidden` numbers of state and `width` of all gates.
struct Sizes {
  std::size_t B, n, hidden, width;
};

Sizes sizes_of(const char* op, std::size_t gates, const Tensor& from_x, const Tensor& W, const Tensor& b,
               std::initializer_list<std::reference_wrapper<const Tensor>> states) {
  check(W.dim() == 2 && W.length(0) > 0 && W.length(1) == gates * W.length(0),
        "[{}] expected W_hh (hidden,{}·hidden), got {}.", op, gates, W.shape());
  const std::size_t hidden = W.length(0), width = gates * hidden;
  check(from_x.dim() >= 2 && from_x.length(-1) == width && from_x.length(-2) > 0,
        "[{}] expected from_x (…,n,{}) of at least one step, got {}.", op, width, from_x.shape());
  check(b.shape() == Shape{width}, "[{}] expected b_hh ({}), got {}.", op, width, b.shape());
  Shape wanted = from_x.shape();
  wanted.erase(wanted.end() - 2);
  wanted.back() = hidden;
  for (const Tensor& state : states)
    check(state.shape() == wanted,
          "[{}] expected a state {}, got {}. Hint: zeros({}) is a start that knows nothing.", op, wanted,
          state.shape(), wanted);
  const std::size_t n = from_x.length(-2), B = from_x.size() / (n * width);
  return {B, B == 0 ? 0 : n, hidden, width};  // no sequences have no steps, and no memory to step through
}

Shape shape_of_outputs(const Tensor& from_x, std::size_t columns) {
  Shape shape = from_x.shape();
  shape.back() = columns;
  return shape;
}

// (B,hidden) of B rows that lie `stride` apart; and back.
Array columns_of(const Sizes& s, const Real* x, std::size_t stride) {
  Array y = empty_array({s.B, s.hidden});
  for (std::size_t b = 0; b < s.B; ++b) std::copy_n(x + b * stride, s.hidden, y.data() + b * s.hidden);
  return y;
}
void put_columns(const Sizes& s, const Array& x, Real* y, std::size_t stride) {
  for (std::size_t b = 0; b < s.B; ++b) std::copy_n(x.data() + b * s.hidden, s.hidden, y + b * stride);
}

// h W + b (B,width)
Array from_state(const Sizes& s, const Array& h, const Array& W, const Array& b) {
  Array y = empty_array({s.B, s.width});
  for (std::size_t row = 0; row < s.B; ++row) std::copy_n(b.data(), s.width, y.data() + row * s.width);
  gemm({h.data(), s.B, s.hidden, s.hidden}, {W.data(), s.hidden, s.width, s.width},
       {y.data(), s.B, s.width, s.width}, 1, 1);
  return y;
}

// h̄ = ȳ Wᵀ (+ h̄) for the cotangent of h W + b at step t, which is that of `dy` (B,n,width).
void to_state(const Sizes& s, const Array& dy, std::size_t t, const Array& W, Array& dh, Real beta) {
  gemm({dy.data() + t * s.width, s.B, s.width, s.n * s.width}, {W.data(), s.hidden, s.width, s.width, true},
       {dh.data(), s.B, s.hidden, s.hidden}, 1, beta);
}

// W̄ = Σ_t h_{t-1}ᵀ ȳ_t, as one product over all steps, and b̄ = Σ_t ȳ_t. `before` (B,n,hidden) are the
// h_{t-1}.
Array weight_cotangent(const Sizes& s, const Array& before, const Array& dy) {
  Array dW = empty_array({s.hidden, s.width});
  gemm({before.data(), s.B * s.n, s.hidden, s.hidden, true}, {dy.data(), s.B * s.n, s.width, s.width},
       {dW.data(), s.hidden, s.width, s.width});
  return dW;
}
Array bias_cotangent(const Sizes& s, const Array& dy) {
  Array db = full_array({s.width}, 0);
  for (std::size_t row = 0; row < s.B * s.n; ++row)
    for (std::size_t j = 0; j < s.width; ++j) db.data()[j] += dy.data()[row * s.width + j];
  return db;
}

// Undefined where an input requires no gradient.
template <class... Arrays>
std::vector<Tensor> cotangents_for(std::span<const Input> in, Arrays&... arrays) {
  std::vector<Tensor> cotangents;
  const auto add = [&](Array& array) {
    const Tensor& x = in[cotangents.size()].tensor;
    if (x.requires_grad()) array.reshape(x.shape());
    cotangents.push_back(x.requires_grad() ? Tensor(std::move(array)) : Tensor());
  };
  (add(arrays), ...);
  return cotangents;
}

Tensor step_at(const Tensor& x, std::size_t t) {
  return squeeze(slice(x, -2, static_cast<int>(t), static_cast<int>(t) + 1), -2);
}

struct GruStep {
  Array r, z, n, h_n;  // all (B,hidden); h_n is h W_hn + b_hn
};

struct LstmStep {
  Array i, f, g, o, c_before, tanh_c;
};

std::vector<Tensor> gru_vjp(const Sizes& s, const std::vector<GruStep>& steps, const Array& before,
                            std::span<const Input> in, const Array& dy) {
  const Array& W = in[1].tensor.array();
  Array dx = empty_array({s.B, s.n, s.width}), d_h = empty_array({s.B, s.n, s.width}),
        dh = full_array({s.B, s.hidden}, 0);
  for (std::size_t after = s.n; after > 0; --after) {
    const std::size_t t = after - 1;
    const GruStep& step = steps[t];
    for (std::size_t b = 0; b < s.B; ++b) {
      Real *x = dx.data() + (b * s.n + t) * s.width, *h = d_h.data() + (b * s.n + t) * s.width;
      for (std::size_t j = 0; j < s.hidden; ++j) {
        const std::size_t at = b * s.hidden + j;
        const Real g = dh.data()[at] + dy.data()[(b * s.n + t) * s.hidden + j];
        const Real r = step.r.data()[at], z = step.z.data()[at], n = step.n.data()[at];
        const Real d_n = g * (1 - z) * (1 - n * n);
        x[j] = h[j] = d_n * step.h_n.data()[at] * r * (1 - r);
        x[s.hidden + j] = h[s.hidden + j] =
            g * (before.data()[(b * s.n + t) * s.hidden + j] - n) * z * (1 - z);
        x[2 * s.hidden + j] = d_n;
        h[2 * s.hidden + j] = d_n * r;
        dh.data()[at] = g * z;
      }
    }
    to_state(s, d_h, t, W, dh, 1);
  }
  Array dW = weight_cotangent(s, before, d_h), db = bias_cotangent(s, d_h);
  return cotangents_for(in, dx, dW, db, dh);
}

std::vector<Tensor> lstm_vjp(const Sizes& s, const std::vector<LstmStep>& steps, const Array& before,
                             std::span<const Input> in, const Array& dy) {
  const Array& W = in[1].tensor.array();
  Array dx = empty_array({s.B, s.n, s.width}), dh = full_array({s.B, s.hidden}, 0), dc = dh;
  for (std::size_t after = s.n; after > 0; --after) {
    const std::size_t t = after - 1;
    const LstmStep& step = steps[t];
    for (std::size_t b = 0; b < s.B; ++b) {
      Real* x = dx.data() + (b * s.n + t) * s.width;
      const Real* y = dy.data() + (b * s.n + t) * 2 * s.hidden;
      for (std::size_t j = 0; j < s.hidden; ++j) {
        const std::size_t at = b * s.hidden + j;
        const Real i = step.i.data()[at], f = step.f.data()[at], g = step.g.data()[at], o = step.o.data()[at],
                   tanh_c = step.tanh_c.data()[at], d_h = dh.data()[at] + y[j],
                   d_c = dc.data()[at] + y[s.hidden + j] + d_h * o * (1 - tanh_c * tanh_c);
        x[j] = d_c * g * i * (1 - i);
        x[s.hidden + j] = d_c * step.c_before.data()[at] * f * (1 - f);
        x[2 * s.hidden + j] = d_c * i * (1 - g * g);
        x[3 * s.hidden + j] = d_h * tanh_c * o * (1 - o);
        dc.data()[at] = d_c * f;
      }
    }
    to_state(s, dx, t, W, dh, 0);
  }
  Array dW = weight_cotangent(s, before, dx), db = bias_cotangent(s, dx);
  return cotangents_for(in, dx, dW, db, dh, dc);
}

}  // namespace

Tensor gru_step(const Tensor& from_x, const Tensor& from_h, const Tensor& h) {
  const std::size_t hidden = h.length(-1);
  const auto x = split(from_x, hidden, -1), y = split(from_h, hidden, -1);
  const Tensor r = sigmoid(x[0] + y[0]), z = sigmoid(x[1] + y[1]), n = tanh(x[2] + r * y[2]);
  return (1 - z) * n + z * h;
}

std::pair<Tensor, Tensor> lstm_step(const Tensor& from_x, const Tensor& from_h, const Tensor& c) {
  const auto gates = split(from_x + from_h, c.length(-1), -1);
  const Tensor i = sigmoid(gates[0]), f = sigmoid(gates[1]), g = tanh(gates[2]), o = sigmoid(gates[3]);
  const Tensor next = f * c + i * g;
  return {o * tanh(next), next};
}

// gru   h_t = (1-z) ⊙ n + z ⊙ h_{t-1}     backwards in time: h̄_{t-1} = h̄_t ⊙ z + ḡ W_hhᵀ, where ḡ is the
// cotangent of h W_hh + b_hh
Tensor gru(const Tensor& from_x, const Tensor& W_hh, const Tensor& b_hh, const Tensor& h) {
  const Sizes s = sizes_of("gru", 3, from_x, W_hh, b_hh, {h});
  std::vector<GruStep> steps(s.n);
  Array y = empty_array(shape_of_outputs(from_x, s.hidden)), before = empty_array({s.B, s.n, s.hidden}),
        now = columns_of(s, h.array().data(), s.hidden);
  for (std::size_t t = 0; t < s.n; ++t) {
    const Array from_h = from_state(s, now, W_hh.array(), b_hh.array());
    const auto of_x = [&](std::size_t gate) {
      return columns_of(s, from_x.array().data() + t * s.width + gate * s.hidden, s.n * s.width);
    };
    const auto of_h = [&](std::size_t gate) {
      return columns_of(s, from_h.data() + gate * s.hidden, s.width);
    };
    GruStep& step = steps[t];
    step.r = kernels::sigmoid(kernels::add(of_x(0), of_h(0)));
    step.z = kernels::sigmoid(kernels::add(of_x(1), of_h(1)));
    step.h_n = of_h(2);
    step.n = kernels::tanh(kernels::add(of_x(2), kernels::mul(step.r, step.h_n)));
    put_columns(s, now, before.data() + t * s.hidden, s.n * s.hidden);
    for (std::size_t i = 0; i < now.size(); ++i)
      now.data()[i] = (1 - step.z.data()[i]) * step.n.data()[i] + step.z.data()[i] * now.data()[i];
    put_columns(s, now, y.data() + t * s.hidden, s.n * s.hidden);
  }
  return record_fused(
      "gru", std::vector{from_x, W_hh, b_hh, h}, std::move(y),
      [s, steps = std::move(steps), before = std::move(before)](std::span<const Input> in, const Tensor& g,
                                                                const Tensor&) {
        return gru_vjp(s, steps, before, in, g.array());
      },
      [](const std::vector<Tensor>& in) { return reference::gru(in[0], in[1], in[2], in[3]); });
}

// lstm   c_t = f ⊙ c_{t-1} + i ⊙ g, h_t = o ⊙ tanh c_t     backwards in time: c̄_{t-1} = c̄_t ⊙ f, h̄_{t-1} = ḡ
// W_hhᵀ, where ḡ is the cotangent of the gates
Tensor lstm(const Tensor& from_x, const Tensor& W_hh, const Tensor& b_hh, const Tensor& h, const Tensor& c) {
  const Sizes s = sizes_of("lstm", 4, from_x, W_hh, b_hh, {h, c});
  std::vector<LstmStep> steps(s.n);
  Array y = empty_array(shape_of_outputs(from_x, 2 * s.hidden)), before = empty_array({s.B, s.n, s.hidden}),
        now = columns_of(s, h.array().data(), s.hidden), memory = columns_of(s, c.array().data(), s.hidden);
  for (std::size_t t = 0; t < s.n; ++t) {
    const Array from_h = from_state(s, now, W_hh.array(), b_hh.array());
    const auto gate = [&](std::size_t k) {
      return kernels::add(columns_of(s, from_x.array().data() + t * s.width + k * s.hidden, s.n * s.width),
                          columns_of(s, from_h.data() + k * s.hidden, s.width));
    };
    put_columns(s, now, before.data() + t * s.hidden, s.n * s.hidden);
    LstmStep& step = steps[t];
    step = {kernels::sigmoid(gate(0)),
            kernels::sigmoid(gate(1)),
            kernels::tanh(gate(2)),
            kernels::sigmoid(gate(3)),
            memory,
            {}};
    for (std::size_t i = 0; i < memory.size(); ++i)
      memory.data()[i] = step.f.data()[i] * memory.data()[i] + step.i.data()[i] * step.g.data()[i];
    step.tanh_c = kernels::tanh(memory);
    now = kernels::mul(step.o, step.tanh_c);
    put_columns(s, now, y.data() + t * 2 * s.hidden, s.n * 2 * s.hidden);
    put_columns(s, memory, y.data() + t * 2 * s.hidden + s.hidden, s.n * 2 * s.hidden);
  }
  return record_fused(
      "lstm", std::vector{from_x, W_hh, b_hh, h, c}, std::move(y),
      [s, steps = std::move(steps), before = std::move(before)](std::span<const Input> in, const Tensor& g,
                                                                const Tensor&) {
        return lstm_vjp(s, steps, before, in, g.array());
      },
      [](const std::vector<Tensor>& in) { return reference::lstm(in[0], in[1], in[2], in[3], in[4]); });
}

Tensor reference::gru(const Tensor& from_x, const Tensor& W_hh, const Tensor& b_hh, Tensor h) {
  std::vector<Tensor> outputs;
  for (std::size_t t = 0; t < from_x.length(-2); ++t)
    outputs.push_back(h = gru_step(step_at(from_x, t), headlight::linear(h, W_hh, b_hh), h));
  return stack(outputs, -2);
}

Tensor reference::lstm(const Tensor& from_x, const Tensor& W_hh, const Tensor& b_hh, Tensor h, Tensor c) {
  std::vector<Tensor> outputs;
  for (std::size_t t = 0; t < from_x.length(-2); ++t) {
    std::tie(h, c) = lstm_step(step_at(from_x, t), headlight::linear(h, W_hh, b_hh), c);
    outputs.push_back(concat({h, c}, -1));
  }
  return stack(outputs, -2);
}

}  // namespace headlight
