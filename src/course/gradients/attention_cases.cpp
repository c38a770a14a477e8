#include <algorithm>
#include <cmath>

#include "gradients/attention_by_hand.h"
#include "gradients/cases.h"
#include "gradients/composed.h"
#include "headlight/autograd/backward.h"

namespace headlight::ledger {
namespace {

// A layer with its inputs, and the cotangent of its output.
struct Subject {
  const AttentionCase& c;
  Rng rng;
  nn::MultiHeadAttention layer;
  Tensor x, memory;  // the same for self-attention
  Tensor bias;       // (H,n,m), or undefined
  Tensor relative;   // (H,distances), or undefined
  Array u;           // cotangent of the output (B,n,d_model)

  Subject(const std::string& name, const AttentionCase& the_case)
      : c(the_case), rng(Rng(0).stream(name)), layer(c.config, rng) {
    stir(nn::named_parameters(layer), rng);
    const auto& config = layer.config();
    x = memory = parameter(rng.normal_array({c.batch, c.n, config.d_model}));
    if (c.cross) memory = parameter(rng.normal_array({c.batch, c.m, *config.d_memory}));
    if (c.score_bias) bias = parameter(rng.normal_array({config.n_heads, c.n, c.m}));
    if (c.distances) relative = parameter(rng.normal_array({config.n_heads, *c.distances}));
    u = rng.normal_array({c.batch, c.n, config.d_model});
  }

  // The production layer, with the bias of the case or another one.
  Tensor production(const nn::Hooks& hooks = {}) const { return production(bias, hooks); }
  Tensor production(const Tensor& score_bias, const nn::Hooks& hooks = {}) const {
    return layer(x, memory, memory, call(score_bias), hooks);
  }
  AttentionOptions call(const Tensor& score_bias) const {
    return {.window = c.window, .mask = c.mask, .bias = score_bias, .relative = {.values = relative}};
  }

  // The place of query i and key j of head h in the bias by distance.
  std::size_t relative_place(std::size_t h, std::size_t i, std::size_t j) const {
    return h * *c.distances + std::min(i > j ? i - j : 0, *c.distances - 1);
  }
};

// The production layer's gradient of an intermediate result: by its own backward pass, and by central
// differences of a leaf that replaces the result.
void measure_hooked(const Subject& s, const char* point, Quantity& q) {
  Tensor seen;
  const auto read = [&](const Tensor& activation) {
    seen = activation;
    return Tensor();
  };
  const Tensor y = s.production(nn::Hooks{{point, read}});
  q.fused = values_of(grad(y, {seen}, {.cotangent = Tensor(s.u)})[0]);
  const Tensor leaf = parameter(seen.array());
  const nn::Hooks replaced{{point, [&](const Tensor&) { return leaf; }}};
  q.numeric = central_differences([&] { return dot(s.production(replaced).array(), s.u); }, leaf);
}

// The same for the scores: the gradient of a bias of their full shape is the gradient of the scores.
void measure_scores(const Subject& s, const Shape& shape, Quantity& q) {
  Array start = full_array(shape, 0);
  if (s.bias.defined()) start += s.bias.array();
  const Tensor bias = parameter(start);
  q.fused = values_of(grad(s.production(bias), {bias}, {.cotangent = Tensor(s.u)})[0]);
  q.numeric = central_differences([&] { return dot(s.production(bias).array(), s.u); }, bias);
}

// Sequence b of the case as settings of the hand-written formulas.
by_hand::AttentionSettings settings_of(const Subject& s, std::size_t b) {
  by_hand::AttentionSettings settings{.n_heads = s.c.config.n_heads};
  settings.visible = [&s, b](std::size_t, std::size_t i, std::size_t j) {
    return (!s.c.config.causal || j <= i) && (!s.c.window || (i > j ? i - j : j - i) < *s.c.window) &&
           (!s.c.mask || (*s.c.mask)(b, 0, i, j));
  };
  if (s.bias.defined())
    settings.bias = [&s](std::size_t h, std::size_t i, std::size_t j) { return s.bias.array()(h, i, j); };
  if (s.relative.defined())
    settings.bias = [&s](std::size_t h, std::size_t i, std::size_t j) {
      return s.relative.array().data()[s.relative_place(h, i, j)];
    };
  return settings;
}

using Gradients = std::map<std::string, std::vector<double>>;

// A bias gets the sum of the gradients of all scores that it was added to. `scores` holds dS of each sequence
// and head.
void add_biases(const Subject& s, const std::vector<double>& scores, Gradients& all) {
  if (s.bias.defined()) {
    std::vector<double>& bias = all["bias"];
    bias.assign(s.bias.size(), 0);
    for (std::size_t at = 0; at < scores.size(); ++at) bias[at % bias.size()] += scores[at];
  }
  if (s.relative.defined()) {
    std::vector<double>& relative = all["relative"];
    relative.assign(s.relative.size(), 0);
    for (std::size_t at = 0; at < scores.size(); ++at) {
      const std::size_t j = at % s.c.m, i = at / s.c.m % s.c.n, h = at / (s.c.m * s.c.n) % s.c.config.n_heads;
      relative[s.relative_place(h, i, j)] += scores[at];
    }
  }
}

// The hand-written gradients, one sequence after the other, by the names in run_attention.
Gradients by_hand_gradients(const Subject& s, const nn::MultiHeadAttention& layer) {
  by_hand::NamedMatrices w, sums;
  for (const auto& [name, parameter] : nn::named_parameters(layer)) w[name] = weight(parameter);
  Gradients all;
  for (std::size_t b = 0; b < s.c.batch; ++b) {
    const auto settings = settings_of(s, b);
    const auto pass = by_hand::attention(w, settings, sequence(s.x, b), sequence(s.memory, b));
    const auto d = by_hand::attention_backward(w, settings, pass, sequence(Tensor(s.u), b));
    append(all["Q"], d.Q), append(all["K"], d.K), append(all["V"], d.V);
    for (std::size_t h = 0; h < d.S.size(); ++h) append(all["P"], d.P[h]), append(all["S"], d.S[h]);
    append(all["X"], s.c.cross ? d.X : by_hand::Matrix(d.X + d.M));
    append(all["M"], d.M);
    for (const auto& [name, gradient] : d.weights) by_hand::add_to(sums[name], gradient);
  }
  for (const auto& [name, gradient] : sums) append(all[name], gradient);
  add_biases(s, all["S"], all);
  return all;
}

}  // namespace

std::vector<Quantity> run_attention(const std::string& name, const AttentionCase& c) {
  Subject s(name, c);
  nn::MultiHeadAttention& layer = s.layer;
  const auto hand = by_hand_gradients(s, layer);
  const composed::Attention tape = composed::attention(layer, s.x, s.memory, s.call(s.bias));

  std::vector<Quantity> quantities;
  std::vector<Tensor> of_tape;
  const auto add = [&](const std::string& key, const std::string& formula,
                       const Tensor& on_tape) -> Quantity& {
    quantities.push_back({.name = "d" + key, .formula = formula, .hand = hand.at(key)});
    of_tape.push_back(on_tape);
    return quantities.back();
  };
  measure_hooked(s, "hook_v", add("V", "Pᵀ dZ", tape.v));
  measure_hooked(s, "hook_pattern", add("P", "dZ Vᵀ", tape.pattern));
  measure_scores(s, tape.scores.shape(), add("S", "P ⊙ (dP - rowsum(P ⊙ dP))", tape.scores));
  measure_hooked(s, "hook_q", add("Q", "dS K / √d_head", tape.q));
  measure_hooked(s, "hook_k", add("K", "dSᵀ Q / √d_head", tape.k));

  const std::size_t first_leaf = quantities.size();
  for (const auto& [parameter_name, parameter] : nn::named_parameters(layer))
    add(parameter_name, formula_of(parameter_name), parameter).must_vanish = parameter_name == "b_K";
  add("X", c.cross ? "dQ W_Qᵀ" : "dQ W_Qᵀ + dK W_Kᵀ + dV W_Vᵀ", s.x);
  if (c.cross) add("M", "dK W_Kᵀ + dV W_Vᵀ", s.memory);
  if (c.score_bias) add("bias", "Σ dS over the sequences", s.bias);
  if (c.distances) add("relative", "Σ dS over equal distances", s.relative);

  const auto tape_gradients = grad(tape.out, of_tape, {.cotangent = Tensor(s.u)});
  const std::vector<Tensor> leaves(of_tape.begin() + static_cast<std::ptrdiff_t>(first_leaf), of_tape.end());
  const auto fused_gradients = grad(s.production(), leaves, {.cotangent = Tensor(s.u)});
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    quantities[i].tape = values_of(tape_gradients[i]);
    if (i < first_leaf) continue;
    quantities[i].fused = values_of(fused_gradients[i - first_leaf]);
    quantities[i].numeric = central_differences([&] { return dot(s.production().array(), s.u); }, of_tape[i]);
  }
  return quantities;
}

}  // namespace headlight::ledger
