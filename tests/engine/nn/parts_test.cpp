// What the parts of attention and blocks compute.
#include "catch.h"
#include "headlight/autograd/backward.h"
#include "headlight/ops/ops.h"
#include "subject.h"

using namespace headlight;
using namespace headlight::nn;

namespace {

Array pattern_of(const Subject& s, const std::string& block = "blocks.0") {
  Tensor pattern;
  s.logits({{block + ".attn.hook_pattern", [&](const Tensor& p) { return pattern = p, Tensor(); }}});
  return pattern.array();
}

Tensor activation(const Subject& s, const std::string& name) {
  Tensor seen;
  s.logits({{name, [&](const Tensor& x) { return seen = x, Tensor(); }}});
  return seen;
}

Subject with(const std::function<void(TransformerConfig&)>& put) { return Subject(Part{"", put}); }

void set(const Tensor& parameter, Real value) {
  Tensor(parameter).mutable_array() = full_array(parameter.shape(), value);
}

// Gives `to` the parameters of `from` that have the same names.
void copy_parameters(const Transformer& from, const Transformer& to) {
  for (const auto& [name, source] : named_parameters(from))
    for (auto& [own, target] : named_parameters(to))
      if (own == name) Tensor(target).mutable_array() = source.array();
}

}  // namespace

TEST_CASE("query heads share the keys and values of their group", "[nn][parts]") {
  const Subject grouped = with([](auto& c) { c.n_heads = 4, c.n_kv_heads = 2; });
  const Subject full = with([](auto& c) { c.n_heads = 4; });
  copy_parameters(grouped.model, full.model);
  const auto repeated = [](const Tensor& x) {  // columns of 2 heads → of 4 heads, each twice
    std::vector<Tensor> heads;
    for (int h : {0, 0, 1, 1}) heads.push_back(slice(x, -1, 4 * h, 4 * (h + 1)));
    return concat(heads, -1).array();
  };
  for (std::size_t i : {0, 1}) {
    const MultiHeadAttention &from = grouped.model.blocks[i].attn, &to = full.model.blocks[i].attn;
    CHECK(from.W_K.shape() == Shape{16, 8});
    Tensor(to.W_K).mutable_array() = repeated(from.W_K);
    Tensor(to.W_V).mutable_array() = repeated(from.W_V);
    Tensor(to.b_K).mutable_array() = repeated(from.b_K);
    Tensor(to.b_V).mutable_array() = repeated(from.b_V);
  }
  CHECK(difference(grouped.logits(), full.logits()) < kRounding);
  CHECK(activation(grouped, "blocks.0.attn.hook_k").shape() == Shape{2, 9, 2, 4});
  CHECK(activation(grouped, "blocks.0.hook_v_input").shape() == Shape{2, 9, 2, 16});
  const auto names = hook_names(grouped.model);
  CHECK(std::count(names.begin(), names.end(), "blocks.0.hook_attn_in") == 0);
}

TEST_CASE("a fused projection is the same model, to the bit", "[nn][parts]") {
  Rng rng(4), again(4);
  TransformerConfig config = Subject::usual();
  config.n_kv_heads = 1;
  const Transformer three(config, rng);
  config.fused_qkv = true;
  const Transformer fused(config, again);
  const IntArray tokens{{1, 2, 3, 1, 2}};
  CHECK(same_bits(three(tokens).array(), fused(tokens).array()));
  CHECK(parameter_count(named_parameters(three)) == parameter_count(named_parameters(fused)));

  const auto gradient = [&](const Transformer& model, const std::vector<Tensor>& inputs) {
    return grad(cross_entropy(model(tokens), IntArray{{2, 3, 1, 2, 3}}), inputs);
  };
  const MultiHeadAttention& a = three.blocks[0].attn;
  const auto apart = gradient(three, {a.W_Q, a.W_K, a.W_V});
  const auto joined = gradient(fused, {fused.blocks[0].attn.W_QKV});
  CHECK(difference(concat(apart, -1).array(), joined[0].array()) < kRounding);
}

TEST_CASE("a window hides what lies farther back", "[nn][parts]") {
  const Array pattern = pattern_of(with([](auto& c) { c.window = 3; }));
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t j = 0; j < 9; ++j) CHECK((pattern(1, 1, i, j) > 0) == (j <= i && i - j < 3));
}

TEST_CASE("a sink takes weight from every key, and gives no value", "[nn][parts]") {
  const Subject s = with([](auto& c) { c.sinks = true; });
  for (const Block& block : s.model.blocks) set(block.attn.sinks, 1);
  const Array pattern = pattern_of(s);
  const Tensor scores = activation(s, "blocks.0.attn.hook_attn_scores");
  for (std::size_t i = 0; i < 9; ++i) {
    double rest = std::exp(1.0), row = 0;
    for (std::size_t j = 0; j <= i; ++j) {
      const double e = std::exp(static_cast<double>(scores.array()(0, 1, i, j)));
      rest += e, row += e;
    }
    double sum = 0;
    for (std::size_t j = 0; j < 9; ++j) sum += static_cast<double>(pattern(0, 1, i, j));
    CHECK(std::abs(sum - row / rest) < 1e-5);
  }
  const Subject none = with([](auto&) {});
  copy_parameters(s.model, none.model);
  for (const Block& block : s.model.blocks) set(block.attn.sinks, -1000);
  CHECK(difference(s.logits(), none.logits()) < kRounding);
}

TEST_CASE("capped scores stay within the cap", "[nn][parts]") {
  const auto scores = [](double cap) {
    return activation(with([cap](auto& c) { c.score_cap = cap; }), "blocks.0.attn.hook_attn_scores");
  };
  const Tensor free = scores(0), capped = scores(0.5);
  const BoolArray past = visible_keys(9, 9, {.causal = true});
  CHECK(difference(masked_fill(capped, !past, 0).array(),
                   masked_fill(0.5 * tanh(free / 0.5), !past, 0).array()) < kRounding);
}

TEST_CASE("a smeared key has a share of the key before it", "[nn][parts]") {
  const Subject s = with([](auto& c) { c.smeared_keys = true; });
  const Tensor k = activation(s, "blocks.0.attn.hook_k"),
               smeared = activation(s, "blocks.0.attn.hook_smeared_k");
  const Array& alpha = s.model.blocks[0].attn.smear.array();
  CHECK(difference(slice(k, 1, 0, 1).array(), slice(smeared, 1, 0, 1).array()) == 0);
  for (std::size_t h : {0, 1}) {
    const Real share = 1 / (1 + std::exp(-alpha(h)));
    for (std::size_t t = 1; t < 9; ++t)
      CHECK(std::abs(smeared.array()(1, t, h, 3) -
                     (share * k.array()(1, t, h, 3) + (1 - share) * k.array()(1, t - 1, h, 3))) < 1e-5);
  }
  const IntArray one(Shape{1, 1}, 3);
  CHECK(s.model(one).shape() == Shape{1, 1, 10});
}

TEST_CASE("the norm of queries and keys makes each of them as long as √d_head", "[nn][parts]") {
  const Subject s = with([](auto& c) { c.qk_norm = NormKind::rms, c.positions = "none"; });
  for (const Block& block : s.model.blocks) set(block.attn.q_norm->w, 1), set(block.attn.k_norm->w, 1);
  const Tensor q = activation(s, "blocks.0.attn.q_norm.hook_normalized");
  CHECK(q.shape() == Shape{2, 9, 2, 8});
  CHECK(difference(mean(q * q, {-1}).array(), ones({2, 9, 2}).array()) < 1e-3);
  const Tensor before = activation(s, "blocks.0.attn.hook_q");
  CHECK(difference((before / sqrt(mean(before * before, {-1}, true) + 1e-5)).array(), q.array()) < kRounding);
  const Tensor scores = activation(s, "blocks.0.attn.hook_attn_scores");
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t j = 0; j <= i; ++j) CHECK(std::abs(scores.array()(0, 0, i, j)) < std::sqrt(8.0) + 1e-3);
}

TEST_CASE("without a seed nothing is dropped, and with one each layer drops other places", "[nn][parts]") {
  const Subject s = with([](auto& c) { c.dropout = 0.5, c.n_kv_heads = 1; });
  const Subject none = with([](auto& c) { c.n_kv_heads = 1; });
  CHECK(same_bits(s.logits(), none.logits()));
  const auto with_seed = [&](std::uint64_t seed) {
    return s.model(s.tokens, {}, {.dropout_seed = seed}).array();
  };
  CHECK(same_bits(with_seed(5), with_seed(5)));
  CHECK_FALSE(same_bits(with_seed(5), with_seed(6)));
  CHECK_FALSE(same_bits(with_seed(5), s.logits()));

  // The weights that reach head 0 of each layer, from values of which only one key's are not 0.
  const auto kept = [&](const std::string& block) {
    std::vector<bool> places;
    for (std::size_t key = 0; key < 9; ++key) {
      const auto only = [key](const Tensor& v) {
        Array values = full_array(v.shape(), 0);
        for (std::size_t d = 0; d < 8; ++d) values(0, key, 0, d) = 1;
        return Tensor(std::move(values));
      };
      Tensor z;
      s.model(s.tokens,
              Hooks{{block + ".attn.hook_v", only},
                    {block + ".attn.hook_z", [&](const Tensor& x) { return z = x, Tensor(); }}},
              {.dropout_seed = 5});
      for (std::size_t i = key; i < 9; ++i) places.push_back(z.array()(0, i, 0, 0) != 0);
    }
    return places;
  };
  const auto first = kept("blocks.0"), second = kept("blocks.1");
  CHECK(first != second);
  const auto count = std::count(first.begin(), first.end(), true);
  CHECK((count > 12 && count < 33));  // of 45
}

TEST_CASE("a pattern that a hook changes is dropped like one that it does not", "[nn][parts]") {
  const Subject s = with([](auto& c) { c.dropout = 0.5, c.sinks = true, c.score_cap = 1; });
  const Given given{.dropout_seed = 5};
  const Hooks same{{"blocks.0.attn.hook_pattern", [](const Tensor& p) { return p * 1; }}};
  const Array plain = s.model(s.tokens, {}, given).array();
  CHECK(same_bits(plain, s.model(s.tokens, same, given).array()));
  // A change of the last digit takes the slower path.
  const Hooks barely{{"blocks.0.attn.hook_pattern",
                      [](const Tensor& p) { return p * (1 + std::numeric_limits<Real>::epsilon()); }}};
  CHECK(difference(plain, s.model(s.tokens, barely, given).array()) < kRounding);
}

TEST_CASE("post-norm blocks normalize the sum", "[nn][parts]") {
  const Subject s = with([](auto& c) { c.norm_place = NormPlace::post; });
  const Block& block = s.model.blocks[0];
  Rng rng(2);
  const Tensor x = randn({2, 3, 16}, rng);
  const Tensor middle = block.ln1(x + block.attn(x));
  CHECK(difference(block(x).array(), (*block.ln2)(middle + (*block.mlp)(middle)).array()) < kRounding);
  const auto names = hook_names(s.model);
  CHECK(std::count(names.begin(), names.end(), "blocks.0.hook_normalized_resid_post") == 1);
  CHECK(std::count(names.begin(), names.end(), "ln_final.hook_normalized") == 0);
}

TEST_CASE("tied embeddings read the residual stream with the embedding", "[nn][parts]") {
  const Subject s = with([](auto& c) { c.tied_embeddings = true; });
  const Tensor last = activation(s, "ln_final.hook_normalized");
  CHECK(difference(s.logits(), matmul(last, transpose(s.model.embed.W)).array()) < kRounding);
  for (const auto& [name, p] : named_parameters(s.model)) CHECK(name != "unembed.W_U");
  Transformer copy = clone(s.model);
  set(copy.embed.W, 0);
  CHECK(difference(copy(s.tokens).array(), zeros({2, 9, 10}).array()) == 0);
}

TEST_CASE("a gated MLP multiplies two products", "[nn][parts]") {
  Rng rng(3);
  const MLP mlp(3, 5, rng, true, "swiglu");
  const Tensor x = randn({4, 3}, rng), gate = matmul(x, mlp.W_gate);
  const Tensor expected =
      matmul(gate * sigmoid(gate) * matmul(x, mlp.W_in) + mlp.b_in, mlp.W_out) + mlp.b_out;
  CHECK(difference(mlp(x).array(), expected.array()) < kRounding);
  Rng other(3);
  const MLP plain(3, 5, other, true, "relu");
  CHECK(difference(plain(x).array(),
                   (matmul(relu(matmul(x, plain.W_in) + plain.b_in), plain.W_out) + plain.b_out).array()) <
        kRounding);
  CHECK(contains(error_of([&] { MLP(3, 5, other, true, "gleu"); }), "Did you mean 'gelu'?"));
}
