#include <functional>
#include <map>

#include "gradients/cases.h"
#include "gradients/parts_by_hand.h"
#include "headlight/autograd/backward.h"
#include "headlight/ops/ops.h"

namespace headlight::ledger {
namespace {

// An op with its inputs, and the formulas of their cotangents.
struct Part {
  NamedTensors inputs;
  std::map<std::string, std::string> formulas;
  std::function<Tensor()> tape = {}, production = {};
  std::function<by_hand::NamedMatrices(const Array& cotangent)> hand = {};
};

std::vector<Quantity> run_part(const Part& part, Rng& rng) {
  const Array u = rng.normal_array(part.production().shape());
  std::vector<Quantity> quantities = measure(part.inputs, part.hand(u), part.tape(), part.production, u);
  for (Quantity& q : quantities) {
    q.formula = part.formulas.at(q.name);
    q.name = "d" + q.name;
  }
  return quantities;
}

// One sequence of attention as a matrix, and x as the op takes it, (1,n,·).
Tensor alone(const Tensor& x) { return reshape_to(x, {1, x.length(0), x.length(1)}); }

std::vector<Quantity> run_attention_part(const char* name, const AttentionOptions& options) {
  Rng rng = Rng(0).stream(name);
  const std::size_t n = 5, d_k = 3, d_v = 2, H = *options.n_heads, of_keys = options.n_kv_heads.value_or(H);
  const Tensor q = parameter(rng.normal_array({n, H * d_k})),
               k = parameter(rng.normal_array({n, of_keys * d_k})),
               v = parameter(rng.normal_array({n, of_keys * d_v})), sinks = parameter(rng.normal_array({H}));
  Part part{.inputs = {{"q", q}, {"k", k}, {"v", v}},
            .formulas = {{"q", "dA K / √d_head"},
                         {"k", "Σ dAᵀ Q / √d_head over its heads"},
                         {"v", "Σ Pᵀ dZ over its heads"},
                         {"sinks", "-Σ P_sink rowsum(P ⊙ dP)"}}};
  AttentionOptions with = options;
  by_hand::PartsOfAttention settings{.n_heads = H, .n_kv_heads = of_keys, .cap = options.cap};
  if (options.sinks.defined()) {
    part.inputs.emplace_back("sinks", sinks);
    with.sinks = sinks;
    settings.sinks = weight(sinks);
  }
  part.tape = [=] { return reference::scaled_dot_product_attention(alone(q), alone(k), alone(v), with); };
  part.production = [=] { return scaled_dot_product_attention(alone(q), alone(k), alone(v), with); };
  part.hand = [=](const Array& u) {
    return by_hand::attention_parts_backward(settings, weight(q), weight(k), weight(v),
                                             sequence(Tensor(u), 0));
  };
  return run_part(part, rng);
}

}  // namespace

std::vector<Quantity> run_rms_norm() {
  Rng rng = Rng(0).stream("rms-norm");
  const Tensor x = parameter(rng.normal_array({4, 6})), w = parameter(rng.normal_array({6}));
  return run_part({.inputs = {{"X", x}, {"w", w}},
                   .formulas = {{"X", "r (t - x̂ mean(t ⊙ x̂))"}, {"w", "Σ dY ⊙ x̂"}},
                   .tape = [=] { return reference::rms_norm(x, w); },
                   .production = [=] { return rms_norm(x, w); },
                   .hand =
                       [=](const Array& u) {
                         auto d = by_hand::rms_norm_backward(weight(x), weight(w), weight(Tensor(u)));
                         d["X"] = d.at("x");
                         return d;
                       }},
                  rng);
}

std::vector<Quantity> run_swiglu() {
  Rng rng = Rng(0).stream("swiglu");
  const Tensor gate = parameter(rng.normal_array({4, 6})), up = parameter(rng.normal_array({4, 6}));
  return run_part({.inputs = {{"gate", gate}, {"up", up}},
                   .formulas = {{"gate", "dY ⊙ up ⊙ silu'(gate)"}, {"up", "dY ⊙ silu(gate)"}},
                   .tape = [=] { return reference::silu(gate) * up; },
                   .production = [=] { return swiglu(gate, up); },
                   .hand =
                       [=](const Array& u) {
                         return by_hand::swiglu_backward(weight(gate), weight(up), weight(Tensor(u)));
                       }},
                  rng);
}

std::vector<Quantity> run_smear() {
  Rng rng = Rng(0).stream("smear");
  const Tensor k = parameter(rng.normal_array({5, 6})), alpha = parameter(rng.normal_array({3}));
  return run_part({.inputs = {{"k", k}, {"alpha", alpha}},
                   .formulas = {{"k", "a dY_t + (1-a) dY_{t+1}"}, {"alpha", "a(1-a) Σ dY_t·(k_t - k_{t-1})"}},
                   .tape = [=] { return reference::smear(alone(k), alpha); },
                   .production = [=] { return smear(alone(k), alpha); },
                   .hand =
                       [=](const Array& u) {
                         return by_hand::smear_backward(weight(k), weight(alpha), sequence(Tensor(u), 0));
                       }},
                  rng);
}

std::vector<Quantity> run_smoothing() {
  Rng rng = Rng(0).stream("smoothing");
  const Tensor logits = parameter(rng.normal_array({4, 5}));
  const IntArray targets{3, 0, 4, 3};
  const CrossEntropyOptions options{.label_smoothing = 0.2};
  return run_part({.inputs = {{"logits", logits}},
                   .formulas = {{"logits", "(softmax - (1-ε) onehot - ε/V) / n"}},
                   .tape = [=] { return reference::cross_entropy(logits, targets, options); },
                   .production = [=] { return cross_entropy(logits, targets, options); },
                   .hand =
                       [=](const Array& u) {
                         auto d = by_hand::smoothed_cross_entropy_backward(
                             weight(logits), {targets.begin(), targets.end()}, options.label_smoothing);
                         d["logits"] = u() * d.at("logits");
                         return d;
                       }},
                  rng);
}

std::vector<Quantity> run_grouped_heads() {
  return run_attention_part("grouped-heads", {.causal = true, .n_heads = 4, .n_kv_heads = 2});
}

std::vector<Quantity> run_sinks() {
  return run_attention_part("sinks", {.causal = true, .n_heads = 2, .sinks = zeros({2})});
}

std::vector<Quantity> run_cap() {
  return run_attention_part("cap", {.causal = true, .n_heads = 2, .cap = 0.8});
}

}  // namespace headlight::ledger
