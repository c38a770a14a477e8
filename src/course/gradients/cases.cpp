#include "gradients/cases.h"

#include <map>

#include "headlight/autograd/backward.h"

namespace headlight::ledger {
namespace {

// Key j is visible to all queries of sequence b when j < lengths[b].
BoolArray padding(const std::vector<std::size_t>& lengths, std::size_t n, std::size_t m) {
  BoolArray mask({lengths.size(), 1, n, m}, false);
  for (std::size_t b = 0; b < lengths.size(); ++b)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < lengths[b]; ++j) mask(b, 0, i, j) = true;
  return mask;
}

const nn::MultiHeadAttentionConfig kPlain{.d_model = 6, .n_heads = 2, .bias = true};

nn::MultiHeadAttentionConfig causal_config() {
  auto config = kPlain;
  config.causal = true;
  return config;
}

std::vector<Quantity> self() { return run_attention("self", {.config = kPlain}); }

std::vector<Quantity> causal() {
  return run_attention("causal", {.config = causal_config(), .n = 5, .m = 5});
}

std::vector<Quantity> padded() {
  return run_attention("padding", {.config = kPlain, .n = 4, .m = 4, .mask = padding({4, 2}, 4, 4)});
}

std::vector<Quantity> cross() {
  auto config = kPlain;
  config.d_value = 2;
  config.d_memory = 5;
  return run_attention("cross", {.config = config, .n = 3, .m = 5, .cross = true});
}

std::vector<Quantity> biased() { return run_attention("bias", {.config = kPlain, .score_bias = true}); }

std::vector<Quantity> relative() {
  return run_attention("relative", {.config = causal_config(), .n = 6, .m = 6, .window = 4, .distances = 3});
}

std::vector<Quantity> masked_row() {
  BoolArray mask({2, 1, 4, 4}, true);
  for (std::size_t j = 0; j < 4; ++j) mask(0, 0, 1, j) = false;
  return run_attention("masked-row", {.config = kPlain, .mask = mask});
}

std::vector<Quantity> wide_heads() {
  auto config = kPlain;
  config.d_head = 5;
  return run_attention("d-head", {.config = config});
}

std::vector<Quantity> batch() {
  BoolArray mask = padding({4, 3, 4}, 4, 4);
  mask(2, 0, 0, 3) = mask(2, 0, 1, 0) = mask(2, 0, 3, 2) = false;
  return run_attention("batch", {.config = causal_config(), .batch = 3, .mask = mask});
}

}  // namespace

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"self", "2 sequences of 4 tokens, d_model 6, 2 heads of 3", self},
      {"causal", "position i sees positions 0 … i", causal},
      {"padding", "the second sequence has 2 keys instead of 4", padded},
      {"cross", "3 queries on 5 keys; d_value 2, d_head 3, memory of width 5", cross},
      {"bias", "a bias for each head on the scores", biased},
      {"relative",
       "a causal window of 4 keys; a bias for each head and for the distances 0, 1, and 2 or more", relative},
      {"masked-row", "one query sees no key at all", masked_row},
      {"d-head", "2 heads of 5 in a d_model of 6", wide_heads},
      {"batch", "3 causal sequences with different masks", batch},
      {"block", "pre-norm block: norms, rotary causal attention, MLP with gelu", run_block},
      {"model", "the two-layer transformer and its loss, as the demo trains it, with d_model 16", run_model},
      {"rms-norm", "4 rows of 6", run_rms_norm},
      {"swiglu", "4 rows of 6", run_swiglu},
      {"smear", "5 keys of 3 heads, each mixed with the key before it", run_smear},
      {"smoothing", "the cross-entropy of 4 rows of 5 logits, with a label smoothing of 0.2", run_smoothing},
      {"grouped-heads", "4 heads of queries on 2 heads of keys and values", run_grouped_heads},
      {"sinks", "a sink for each of 2 heads", run_sinks},
      {"cap", "scores capped at 0.8", run_cap}};
  return all;
}

std::string formula_of(const std::string& parameter) {
  static const std::map<std::string, std::string> formulas{{"W_Q", "Xᵀ dQ"},
                                                           {"W_K", "Mᵀ dK"},
                                                           {"W_V", "Mᵀ dV"},
                                                           {"W_O", "Zᵀ dY"},
                                                           {"b_Q", "Σ dQ"},
                                                           {"b_K", "Σ dK"},
                                                           {"b_V", "Σ dV"},
                                                           {"b_O", "Σ dY"},
                                                           {"w", "Σ dY ⊙ x̂"},
                                                           {"b", "Σ dY"},
                                                           {"W_in", "Xᵀ dpre"},
                                                           {"b_in", "Σ dpre"},
                                                           {"W_out", "postᵀ dY"},
                                                           {"b_out", "Σ dY"},
                                                           {"W_E", "dX's rows, added by token"},
                                                           {"W_U", "Xᵀ dlogits"},
                                                           {"x", "dY, and through both branches"}};
  const std::size_t dot = parameter.rfind('.');
  const auto found = formulas.find(dot == std::string::npos ? parameter : parameter.substr(dot + 1));
  return found == formulas.end() ? "" : found->second;
}

std::vector<double> values_of(const Tensor& x) { return {x.array().begin(), x.array().end()}; }

void append(std::vector<double>& all, const by_hand::Matrix& part) {
  all.insert(all.end(), part.begin(), part.end());
}

by_hand::Matrix sequence(const Tensor& x, std::size_t b) { return xt::view(x.array(), b); }

by_hand::Matrix weight(const Tensor& parameter) {
  const std::size_t rows = parameter.dim() == 2 ? parameter.length(0) : 1;
  return xt::reshape_view(parameter.array(), {rows, parameter.size() / rows});
}

void stir(const NamedTensors& parameters, Rng& rng) {
  for (const auto& [name, parameter] : parameters) {
    Array& numbers = Tensor(parameter).mutable_array();
    numbers += rng.normal_array(parameter.shape(), 0, 0.5);
  }
}

std::vector<Quantity> measure(const NamedTensors& leaves, const by_hand::NamedMatrices& hand,
                              const Tensor& on_tape, const std::function<Tensor()>& production,
                              const Array& u) {
  std::vector<Tensor> inputs;
  for (const auto& [name, leaf] : leaves) inputs.push_back(leaf);
  const auto tape = grad(on_tape, inputs, {.cotangent = Tensor(u)});
  const auto fused = grad(production(), inputs, {.cotangent = Tensor(u)});
  std::vector<Quantity> quantities;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const auto& [name, leaf] = leaves[i];
    quantities.push_back(
        {.name = name == "x" ? "dX" : name,
         .formula = formula_of(name),
         .hand = {hand.at(name).begin(), hand.at(name).end()},
         .tape = values_of(tape[i]),
         .fused = values_of(fused[i]),
         .numeric = central_differences([&] { return dot(production().array(), u); }, leaf)});
  }
  return quantities;
}

double dot(const Array& x, const Array& y) { return xt::sum(x * y)(); }

}  // namespace headlight::ledger
