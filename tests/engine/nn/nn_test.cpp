#include <set>

#include "catch.h"
#include "headlight/autograd/backward.h"
#include "headlight/autograd/gradcheck.h"
#include "headlight/nn/transformer.h"
#include "headlight/ops/ops.h"

using namespace headlight;
using namespace headlight::nn;

namespace {

std::set<std::string> names_of(auto& module) {
  std::set<std::string> names;
  for (const auto& [name, parameter] : named_parameters(module)) names.insert(name);
  return names;
}

IntArray some_tokens(std::size_t batch, std::size_t n, std::size_t vocab) {
  Rng rng(8);
  IntArray tokens = IntArray::from_shape({batch, n});
  for (auto& t : tokens) t = static_cast<std::int32_t>(rng.below(vocab));
  return tokens;
}

}  // namespace

TEST_CASE("parameters carry TransformerLens's names", "[nn]") {
  Rng rng(1);
  Transformer plain({.n_layers = 1}, rng);
  CHECK(names_of(plain) == std::set<std::string>{"embed.W_E", "blocks.0.ln1.w", "blocks.0.ln1.b",
                                                 "blocks.0.attn.W_Q", "blocks.0.attn.W_K",
                                                 "blocks.0.attn.W_V", "blocks.0.attn.W_O", "ln_final.w",
                                                 "ln_final.b", "unembed.W_U"});
  Transformer full({.n_layers = 1, .d_mlp = 32, .positions = "learned", .bias = true}, rng);
  for (const char* name :
       {"pos_embed.W_pos", "blocks.0.attn.b_Q", "blocks.0.attn.b_O", "blocks.0.ln2.w", "blocks.0.mlp.W_in",
        "blocks.0.mlp.b_in", "blocks.0.mlp.W_out", "blocks.0.mlp.b_out"})
    CHECK(names_of(full).contains(name));
}

TEST_CASE("the parameter table shows names, shapes and the total", "[nn]") {
  Rng rng(1);
  Transformer model({}, rng);
  const std::string table = summary(model);
  CHECK(contains(table, "blocks.1.attn.W_Q       (64,64)       4,096"));
  CHECK(contains(table, "total"));
  CHECK(parameter_count(named_parameters(model)) == 2 * 64 * 64 + 2 * (4 * 64 * 64 + 128) + 128);
}

TEST_CASE("4d² parameters whatever the number of heads", "[nn]") {
  Rng rng(1);
  for (std::size_t heads : {1, 2, 8}) {
    MultiHeadAttention attention({.d_model = 512, .n_heads = heads}, rng);
    CHECK(parameter_count(named_parameters(attention)) == 1048576);
  }
}

TEST_CASE("multi-head attention is its definition, head by head", "[nn]") {
  Rng rng(2);
  const MultiHeadAttention mha(
      {.d_model = 6, .n_heads = 2, .d_head = 4, .d_value = 3, .d_memory = 5, .bias = true}, rng);
  const Tensor x = randn({2, 3, 6}, rng), memory = randn({2, 4, 5}, rng);
  std::vector<Tensor> heads;
  for (int i = 0; i < 2; ++i) {
    const auto part = [&](const Tensor& W, int d) { return slice(W, -1, i * d, (i + 1) * d); };
    const Tensor q = matmul(x, part(mha.W_Q, 4)) + part(mha.b_Q, 4);
    const Tensor k = matmul(memory, part(mha.W_K, 4)) + part(mha.b_K, 4);
    const Tensor v = matmul(memory, part(mha.W_V, 3)) + part(mha.b_V, 3);
    heads.push_back(matmul(softmax(matmul(q, transpose(k)) / 2), v));
  }
  const Tensor expected = matmul(concat(heads, -1), mha.W_O) + mha.b_O;
  CHECK(difference(mha(x, memory, memory).array(), expected.array()) < kRounding);
}

TEST_CASE("every parameter of attention gets its gradient", "[nn]") {
  Rng rng(3);
  const bool rotary = GENERATE(false, true), causal = GENERATE(false, true);
  MultiHeadAttention mha({.d_model = 4,
                          .n_heads = 2,
                          .bias = true,
                          .causal = causal,
                          .positions = rotary ? "rotary" : "none",
                          .n_ctx = 8},
                         rng);
  auto named = named_parameters(mha);
  std::vector<Tensor> inputs{parameter(rng.normal_array({2, 3, 4}))};
  for (auto& [name, p] : named) inputs.push_back(parameter(rng.normal_array(p.shape())));
  const auto attend = [&](const std::vector<Tensor>& in) {
    mha.W_Q = in[1], mha.W_K = in[2], mha.W_V = in[3], mha.W_O = in[4];
    mha.b_Q = in[5], mha.b_K = in[6], mha.b_V = in[7], mha.b_O = in[8];
    return mha(in[0]);
  };
  const auto report = gradcheck("attention", attend, inputs);
  INFO(report.message);
  CHECK(report.ok);
  // Without rotary positions a bias on the keys shifts all scores of a row alike, and softmax does not see
  // it.
  const auto g = grad(sum(attend(inputs) * randn({2, 3, 4}, rng)), inputs);
  for (std::size_t i = 0; i < g.size(); ++i) {
    double largest = 0;
    for (Real x : g[i].array()) largest = std::max(largest, std::abs(static_cast<double>(x)));
    INFO("input " << i);
    if (i == 6 && !rotary)
      CHECK(largest < 1e-5);
    else
      CHECK(largest > 1e-4);
  }
}

TEST_CASE("looking at scores and pattern changes nothing", "[nn]") {
  Rng rng(4);
  const std::string kind = GENERATE(from_range(positions().names()));
  Transformer model({.n_layers = 2,
                     .d_model = 16,
                     .n_heads = 2,
                     .d_mlp = 8,
                     .d_vocab = 10,
                     .n_ctx = 12,
                     .positions = kind,
                     .bias = true},
                    rng);
  const IntArray tokens = some_tokens(2, 9, 10);
  const Tensor before = model(tokens);
  int seen = 0;
  Hooks hooks;
  for (const std::string& name : hook_names(model))
    hooks.add(name, [&seen](const Tensor&) {
      ++seen;
      return Tensor();
    });
  const Tensor after = model(tokens, hooks);
  CHECK(difference(before.array(), after.array()) == 0);
  CHECK(seen >= 30);
}

TEST_CASE("the model cannot see the future", "[nn]") {
  Rng rng(5);
  Transformer model({.d_vocab = 10, .n_ctx = 12}, rng);
  IntArray tokens = some_tokens(1, 12, 10);
  const Array before = model(tokens).array();
  tokens(0, 7) = (tokens(0, 7) + 1) % 10;
  const Array after = model(tokens).array();
  CHECK(difference(slice(Tensor(before), 1, 0, 7).array(), slice(Tensor(after), 1, 0, 7).array()) == 0);
  CHECK(difference(slice(Tensor(before), 1, 7).array(), slice(Tensor(after), 1, 7).array()) > 1e-3);
}

TEST_CASE("without positions the order of the past does not matter to the last token", "[nn]") {
  Rng rng(6);
  Transformer model({.n_layers = 1, .d_vocab = 10, .n_ctx = 4, .positions = "none"}, rng);
  const IntArray a{{1, 2, 3, 4}}, b{{3, 1, 2, 4}};
  const Tensor last_a = slice(model(a), 1, -1), last_b = slice(model(b), 1, -1);
  CHECK(difference(last_a.array(), last_b.array()) < kRounding);
  Rng again(6);
  Transformer rotary({.n_layers = 1, .d_vocab = 10, .n_ctx = 4}, again);
  CHECK(difference(slice(rotary(a), 1, -1).array(), slice(rotary(b), 1, -1).array()) > 1e-3);
}

TEST_CASE("every parameter of a transformer is reached by the loss", "[nn]") {
  Rng rng(7);
  Transformer model({.n_layers = 2,
                     .d_model = 16,
                     .n_heads = 2,
                     .d_mlp = 8,
                     .d_vocab = 10,
                     .n_ctx = 12,
                     .positions = "learned",
                     .bias = true},
                    rng);
  const IntArray tokens = some_tokens(2, 12, 10);
  const auto grads = grad(cross_entropy(model(tokens), tokens), parameters(model));
  CHECK(grads.size() == parameters(model).size());
}

TEST_CASE("the simple layers do what they say", "[nn]") {
  Rng rng(9);
  const Linear layer(3, 2, rng);
  const Tensor x = randn({4, 3}, rng);
  CHECK(difference(layer(x).array(), (matmul(x, layer.W) + layer.b).array()) < kRounding);
  const MLP mlp(3, 5, rng);
  CHECK(difference(mlp(x).array(),
                   (matmul(gelu(matmul(x, mlp.W_in) + mlp.b_in), mlp.W_out) + mlp.b_out).array()) <
        kRounding);
  const Embedding embed(4, 3, rng);
  CHECK(difference(embed(IntArray{2}).array(), slice(embed.W, 0, 2, 3).array()) == 0);
}

TEST_CASE("impossible models are refused", "[nn]") {
  Rng rng(1);
  const auto message = [&](const TransformerConfig& c) {
    return error_of([&] { Transformer model(c, rng); });
  };
  CHECK(contains(message({.d_model = 64, .n_heads = 5}), "d_model = 64 is not divisible by n_heads = 5"));
  CHECK(contains(message({.n_heads = 0}), "at least one head"));
  CHECK(contains(message({.n_layers = 0}), "at least one layer"));
  CHECK(contains(message({.d_model = 6, .n_heads = 2}), "d_head must be even; it is 3"));
  CHECK(contains(message({.d_vocab = 0}), "at least one token"));
  Transformer model({.d_vocab = 10, .n_ctx = 4}, rng);
  CHECK(contains(error_of([&] { model(IntArray{{1, 10}}); }), "token 10 is outside the vocabulary 0 … 9"));
  CHECK(contains(error_of([&] { model(some_tokens(1, 5, 10)); }), "5 tokens does not fit the context of 4"));
  CHECK(contains(error_of([&] { model(IntArray{1, 2}); }), "expected tokens (batch, positions)"));
  CHECK(contains(error_of([] { positions().find("sideways"); }), "unknown kind of positions 'sideways'"));
}
