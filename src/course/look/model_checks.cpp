// Models of two layers, each with another part: the loss, the gradients, the slower path that hooks take, a
// second call that continues a sequence, and the audit.
#include <fmt/core.h>

#include "checks.h"
#include "headlight/autograd/audit.h"
#include "headlight/autograd/recording.h"
#include "headlight/nn/sequential.h"
#include "headlight/nn/transformer.h"
#include "headlight/ops/ops.h"

namespace headlight::hunt {
namespace {

using nn::NormKind, nn::NormPlace, nn::Transformer, nn::TransformerConfig;

struct Variant {
  std::string name;
  std::function<void(TransformerConfig&)> change;
};

const std::vector<Variant>& variants() {
  using C = TransformerConfig;
  static const std::vector<Variant> all{
      {"plain", [](C&) {}},
      {"learned positions", [](C& c) { c.positions = "learned"; }},
      {"learned positions for queries and keys", [](C& c) { c.positions = "learned-qk"; }},
      {"sinusoidal positions", [](C& c) { c.positions = "sinusoidal"; }},
      {"ALiBi, three heads", [](C& c) { c.positions = "alibi", c.n_heads = 3, c.d_head = 4; }},
      {"relative positions", [](C& c) { c.positions = "relative", c.max_distance = 4; }},
      {"T5 positions", [](C& c) { c.positions = "t5"; }},
      {"RMS norms", [](C& c) { c.norm = NormKind::rms; }},
      {"norms behind", [](C& c) { c.norm_place = NormPlace::post; }},
      {"norms of queries and keys", [](C& c) { c.qk_norm = NormKind::rms; }},
      {"one head of keys and values", [](C& c) { c.n_kv_heads = 1; }},
      {"a window", [](C& c) { c.window = 3; }},
      {"sinks", [](C& c) { c.sinks = true; }},
      {"a score cap", [](C& c) { c.score_cap = 1.5; }},
      {"smeared keys", [](C& c) { c.smeared_keys = true; }},
      {"one matrix for queries, keys and values", [](C& c) { c.fused_qkv = true; }},
      {"SwiGLU", [](C& c) { c.mlp = "swiglu"; }},
      {"tied embeddings", [](C& c) { c.tied_embeddings = true; }},
      {"dropout", [](C& c) { c.dropout = 0.3; }},
      {"encoder", [](C& c) { c.architecture = nn::Architecture::encoder; }},
      {"encoder, T5 positions", [](C& c) { c.architecture = nn::Architecture::encoder, c.positions = "t5"; }},
      {"encoder-decoder", [](C& c) { c.architecture = nn::Architecture::encoder_decoder, c.n_source = 12; }}};
  return all;
}

// A model with tokens to read. Biases and norms start at 0 and 1, where mistakes hide.
struct Subject {
  Transformer model;
  IntArray tokens = IntArray::from_shape({2, 9}), targets = IntArray::from_shape({2, 9});
  nn::Given given;

  explicit Subject(const Variant& variant) : model(made(variant)) {
    Rng rng = Rng(8).stream("tokens");
    for (auto& t : tokens) t = static_cast<std::int32_t>(rng.below(10));
    for (auto& t : targets) t = static_cast<std::int32_t>(rng.below(10));
    if (model.config().n_source > 0) given.source = IntArray{{1, 2, 3, 4, 5}, {9, 0, 1, 1, 3}};
    if (model.config().dropout > 0) given.dropout_seed = 5;
  }

  static Transformer made(const Variant& variant) {
    TransformerConfig config{
        .n_layers = 2, .d_model = 12, .n_heads = 2, .d_mlp = 8, .d_vocab = 10, .n_ctx = 12, .bias = true};
    variant.change(config);
    Rng rng = Rng(4).stream("model");
    Transformer model(config, rng);
    for (Tensor& p : nn::parameters(model)) p.mutable_array() += rng.normal_array(p.shape(), 0, 0.2);
    return model;
  }

  Tensor loss(const nn::Hooks& hooks = {}) const {
    return cross_entropy(model(tokens, hooks, given), targets);
  }
};

std::string loss_and_gradients(const Variant& variant) {
  const Subject s(variant);
  return fmt::format("loss {}, {}", number(static_cast<double>(s.loss().item())),
                     compared_gradients([&] { return s.loss(); }, nn::named_parameters(s.model)));
}

// Hooks that change the activations which exist on the slower path alone: the pattern, what each head adds,
// its input, the scale of a norm.
std::string in_the_open(const Variant& variant) {
  const Subject s(variant);
  std::string text;
  for (const std::string& name : nn::hook_names(s.model)) {
    const bool slow = name.ends_with("hook_pattern") || name.ends_with("hook_result") ||
                      name.ends_with("_input") || name.ends_with("hook_scale") ||
                      name.ends_with("hook_rot_k") || name.ends_with("hook_z");
    if (!slow || name.find(".1.") == std::string::npos) continue;
    const nn::Hooks hooks{{name, [](const Tensor& x) { return x * 1.5; }}};
    text +=
        fmt::format("{}{} {}", text.empty() ? "loss with 1.5 times the activation: " : ", ",
                    name.substr(name.rfind("hook_") + 5), number(static_cast<double>(s.loss(hooks).item())));
  }
  return text;
}

// The second hook on an activation reads what the first one returned.
std::string two_hooks(const Variant& variant) {
  const Subject s(variant);
  nn::Hooks hooks{{"blocks.0.hook_resid_mid", [](const Tensor& x) { return x * 1.5; }}};
  hooks.add("blocks.0.hook_resid_mid", [](const Tensor& x) { return x + 1; });
  return "loss " + number(static_cast<double>(s.loss(hooks).item()));
}

// The last positions in a call of their own, which finds the keys and values of those before.
std::string continued(const Variant& variant) {
  const Subject s(variant);
  const NoGrad no_grad;
  nn::KeyValueCache cache;
  nn::Given given = s.given;
  given.cache = &cache;
  const IntArray first = xt::view(s.tokens, xt::all(), xt::range(0, 5)),
                 rest = xt::view(s.tokens, xt::all(), xt::range(5, 9));
  s.model(first, {}, given);
  const double continued = digest(s.model(rest, {}, given).array());
  const double whole = digest(slice(s.model(s.tokens, {}, s.given), 1, 5).array());
  return fmt::format("logits of the last positions {}, in one call {}", number(continued), number(whole));
}

std::string perceptron() {
  Rng rng = Rng(9).stream("perceptron");
  const nn::Sequential net{nn::Linear(3, 8, rng), [](const Tensor& x) { return relu(x); },
                           nn::Linear(8, 2, rng)};
  const Tensor x(rng.normal_array({6, 3})), y(rng.normal_array({6, 2}));
  const auto loss = [&] { return mean_squared_error(net(x), y); };
  return fmt::format("loss {}, {}", number(static_cast<double>(loss().item())),
                     compared_gradients(loss, nn::named_parameters(net)));
}

}  // namespace

std::vector<Check> model_checks() {
  std::vector<Check> checks{{"perceptron", perceptron},
                            {"two hooks on one activation", [] { return two_hooks(variants()[0]); }}};
  for (const Variant& variant : variants()) {
    checks.push_back({variant.name, [&variant] { return loss_and_gradients(variant); }});
    checks.push_back({variant.name + ", changed by hooks", [&variant] { return in_the_open(variant); }});
    if (variant.name.find("encoder") != 0 && variant.name != "dropout")
      checks.push_back({variant.name + ", in two calls", [&variant] { return continued(variant); }});
  }
  return checks;
}

std::vector<Check> audit_checks() {
  std::vector<Check> checks;
  for (const Variant& variant : variants())
    checks.push_back({variant.name, [&variant] {
                        const Subject s(variant);
                        return to_string(audit([&] { return s.loss(); }, nn::named_parameters(s.model)));
                      }});
  return checks;
}

}  // namespace headlight::hunt
