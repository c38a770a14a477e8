// Models with an encoder: alone, and with a decoder that attends to it.
#include "catch.h"
#include "headlight/autograd/audit.h"
#include "headlight/autograd/backward.h"
#include "headlight/autograd/gradcheck.h"
#include "headlight/nn/settings.h"
#include "headlight/ops/ops.h"
#include "subject.h"

using namespace headlight;
using namespace headlight::nn;

namespace {

const IntArray kTokens{{1, 2, 3, 4}, {4, 4, 0, 1}}, kSource{{5, 6, 7, 1, 0}, {2, 3, 4, 9, 8}};

TransformerConfig config_of(Architecture architecture, const std::string& positions = "rotary") {
  const bool both = architecture == Architecture::encoder_decoder;
  return {.architecture = architecture,
          .d_model = 8,
          .n_heads = 2,
          .d_mlp = 6,
          .d_vocab = 10,
          .n_ctx = 4,
          .n_source = both ? 6U : 0U,
          .positions = positions,
          .bias = true};
}

Transformer model_of(const TransformerConfig& config) {
  Rng rng(4);
  Transformer model(config, rng);
  for (Tensor& p : parameters(model)) p.mutable_array() += rng.normal_array(p.shape(), 0, 0.2);
  return model;
}

Transformer encoder_decoder(const std::string& positions = "rotary") {
  return model_of(config_of(Architecture::encoder_decoder, positions));
}

// Which positions of the logits (1,n,V) change with the token at `place`.
std::vector<bool> reached(const Array& before, const Array& after) {
  std::vector<bool> changed;
  const std::size_t n = before.shape()[1];
  for (std::size_t t = 0; t < n; ++t) {
    const int first = static_cast<int>(t);
    changed.push_back(difference(slice(Tensor(before), 1, first, first + 1).array(),
                                 slice(Tensor(after), 1, first, first + 1).array()) > 1e-4);
  }
  return changed;
}

}  // namespace

TEST_CASE("which tokens a token sees is the architecture's", "[nn]") {
  using All = std::vector<bool>;
  const NoGrad no_grad;
  const IntArray tokens{{1, 2, 3, 4}}, other{{1, 2, 7, 4}}, source{{5, 6, 7}}, other_source{{5, 6, 8}};
  const Transformer decoder = model_of(config_of(Architecture::decoder)),
                    encoder = model_of(config_of(Architecture::encoder)), both = encoder_decoder();
  CHECK(reached(decoder(tokens).array(), decoder(other).array()) == All{false, false, true, true});
  CHECK(reached(encoder(tokens).array(), encoder(other).array()) == All{true, true, true, true});
  const Array before = both(tokens, {}, {source}).array();
  CHECK(reached(before, both(other, {}, {source}).array()) == All{false, false, true, true});
  CHECK(reached(before, both(tokens, {}, {other_source}).array()) == All{true, true, true, true});
}

TEST_CASE("the first token of the source sees its last token", "[nn]") {
  const NoGrad no_grad;
  const Transformer model = encoder_decoder();
  Array pattern;
  const auto keep = [&](const Tensor& p) {
    pattern = p.array();
    return Tensor();
  };
  model(kTokens, Hooks{{"encoder.0.attn.hook_pattern", keep}}, {kSource});
  REQUIRE(pattern.shape() == Shape{2, 2, 5, 5});
  CHECK(pattern(0, 0, 0, 4) > 0.01);
  model(kTokens, Hooks{{"blocks.1.cross_attn.hook_pattern", keep}}, {kSource});
  REQUIRE(pattern.shape() == Shape{2, 2, 4, 5});
  CHECK(pattern(1, 1, 0, 4) > 0.01);
  CHECK(std::abs(sum(Tensor(pattern)).item() - 2 * 2 * 4) < 1e-4);
}

TEST_CASE("cross-attention has no rotary positions, and learned ones are those of both sequences",
          "[nn][hooks]") {
  const auto has = [](const Transformer& model, const char* name) {
    const auto names = hook_names(model);
    return std::count(names.begin(), names.end(), name) == 1;
  };
  const Transformer rotary = encoder_decoder();
  CHECK(has(rotary, "encoder.1.attn.hook_rot_q"));
  CHECK_FALSE(has(rotary, "blocks.0.cross_attn.hook_rot_q"));
  CHECK(has(rotary, "blocks.0.hook_resid_mid_cross"));
  CHECK_FALSE(has(rotary, "encoder.0.cross_attn.hook_pattern"));
  CHECK_FALSE(has(rotary, "hook_source_pos_embed"));
  const Transformer learned = encoder_decoder("learned");
  CHECK(learned.W_pos.shape() == Shape{6, 8});
  CHECK(has(learned, "hook_source_pos_embed"));
}

TEST_CASE("hooks read and replace every activation of an encoder–decoder", "[nn][hooks][long]") {
  const std::string positions = GENERATE(as<std::string>{}, "rotary", "learned-qk", "t5");
  const NormPlace place = GENERATE(NormPlace::pre, NormPlace::post);
  const std::size_t d_mlp = GENERATE(0, 6);
  TransformerConfig config = config_of(Architecture::encoder_decoder, positions);
  config.d_mlp = d_mlp, config.norm_place = place;
  const Transformer model = model_of(config);
  const auto logits = [&](const Hooks& hooks) { return model(kTokens, hooks, {kSource}).array(); };
  const auto zero = [](const Tensor& x) { return zeros(x.shape()); };
  const auto doubled = [](const Tensor& x) { return x * 2; };
  const auto itself = [](const Tensor& x) { return parameter(Array(x.array())); };
  const Array plain = logits({});
  int offered = 0;
  for (const std::string& name : hook_names(model)) {
    INFO(positions << ", " << name);
    const auto count = [&](const Tensor&) {
      ++offered;
      return Tensor();
    };
    CHECK(same_bits(plain, logits({{name, count}})));
    CHECK(same_bits(plain, logits({{name, itself}})));
    CHECK(difference(plain, logits({{name, name.ends_with("scale") ? doubled : zero}})) > 1e-4);
  }
  CHECK(offered == static_cast<int>(hook_names(model).size()));
}

TEST_CASE("a block adds self-attention, cross-attention and the MLP, in this order", "[nn][hooks]") {
  const NoGrad no_grad;
  const Transformer model = encoder_decoder();
  const Block& block = model.blocks[0];
  Rng rng(2);
  const Tensor x = randn({2, 4, 8}, rng), memory = randn({2, 5, 8}, rng);
  const Tensor after_self = x + block.attn(block.ln1(x));
  const Tensor after_cross = after_self + (*block.cross_attn)((*block.ln_cross)(after_self), memory, memory);
  const Tensor expected = after_cross + (*block.mlp)((*block.ln2)(after_cross));
  Array middle, after;
  const auto keep = [](Array& to) {
    return [&to](const Tensor& t) {
      to = t.array();
      return Tensor();
    };
  };
  const Hooks hooks{{"hook_resid_mid", keep(middle)}, {"hook_resid_mid_cross", keep(after)}};
  CHECK(difference(block(x, {}, hooks, {}, memory).array(), expected.array()) < kRounding);
  CHECK(difference(middle, after_self.array()) < kRounding);
  CHECK(difference(after, after_cross.array()) < kRounding);
}

TEST_CASE("derivatives of both orders of an encoder–decoder are right", "[nn]") {
  Rng rng(3);
  TransformerConfig config = config_of(Architecture::encoder_decoder, "learned");
  config.n_layers = 1, config.d_model = 4, config.d_mlp = 0, config.d_vocab = 3, config.n_ctx = 2,
  config.n_source = 3, config.norm = NormKind::none;
  Transformer model(config, rng);
  std::vector<Tensor> inputs = parameters(model);
  const auto logits = [&](const std::vector<Tensor>& in) {
    std::size_t i = 0;
    visit_members(model, [&](const std::string&, const Tensor& p) { const_cast<Tensor&>(p) = in[i++]; }, {});
    return model(IntArray{{1, 2}}, {}, {IntArray{{0, 2, 1}}});
  };
  // A bias of keys shifts all scores of a row alike: its gradient is 0, which gradcheck refuses to check.
  for (std::size_t i = 0; const auto& [name, p] : named_parameters(model)) {
    if (name.ends_with("attn.b_K")) inputs[i] = Tensor(Array(p.array()));
    ++i;
  }
  const auto first = gradcheck("encoder-decoder", logits, inputs);
  INFO(first.message);
  CHECK(first.ok);
  const auto second = gradgradcheck("encoder-decoder", logits, inputs);
  INFO(second.message);
  CHECK(second.ok);
}

TEST_CASE("gradients flow to every parameter of both stacks", "[nn]") {
  const std::string positions = GENERATE(as<std::string>{}, "rotary", "relative", "none");
  const Transformer model = encoder_decoder(positions);
  const auto report =
      audit([&] { return cross_entropy(model(kTokens, {}, {kSource}), kTokens); }, named_parameters(model));
  INFO(to_string(report));
  for (const auto& [name, p] : named_parameters(model)) {
    INFO(name);
    const Array g = grad(cross_entropy(model(kTokens, {}, {kSource}), kTokens), {p})[0].array();
    const bool vanishes =
        name.ends_with("b_K") && (positions != "rotary" || name.find("cross") < name.size());
    CHECK((difference(g, full_array(g.shape(), 0)) > 1e-6) != vanishes);
  }
}

TEST_CASE("the parts of attention act in both stacks, and in cross-attention where they can", "[nn]") {
  const NoGrad no_grad;
  TransformerConfig config = config_of(Architecture::encoder_decoder);
  config.n_kv_heads = 1, config.fused_qkv = config.smeared_keys = config.sinks = true, config.window = 2;
  config.dropout = 0.5;
  const Transformer model = model_of(config);
  const auto has = [&](const std::string& name) {
    const auto named = named_parameters(model);
    return std::any_of(named.begin(), named.end(), [&](const auto& p) { return p.first == name; });
  };
  CHECK(has("encoder.0.attn.W_QKV"));
  CHECK(has("blocks.0.cross_attn.W_Q"));
  CHECK(has("blocks.0.cross_attn.sinks"));
  CHECK_FALSE(has("blocks.0.cross_attn.smear"));
  CHECK(model.blocks[0].cross_attn->W_K.shape() == Shape{8, 4});
  // The last token of the source is outside the window of the first; cross-attention sees it all the same.
  const auto logits = [&](const IntArray& source, std::optional<std::uint64_t> seed = {}) {
    return model(IntArray{{1, 2, 3}}, {}, {source, seed}).array();
  };
  const Array plain = logits(IntArray{{5, 6, 7}});
  CHECK(difference(plain, logits(IntArray{{5, 6, 8}})) > 1e-4);
  CHECK(difference(plain, logits(IntArray{{5, 6, 7}}, 1)) > 1e-4);
  CHECK(difference(logits(IntArray{{5, 6, 7}}, 1), logits(IntArray{{5, 6, 7}}, 2)) > 1e-4);
  CHECK(same_bits(logits(IntArray{{5, 6, 7}}, 1), logits(IntArray{{5, 6, 7}}, 1)));
}

// The last row of a decoder sees all keys, as each row of an encoder does. Where both have the same
// parameters and tokens, it has the same output, unless other places are dropped.
TEST_CASE("encoder and decoder drop other places", "[nn]") {
  const NoGrad no_grad;
  TransformerConfig config = config_of(Architecture::encoder_decoder);
  config.n_layers = 1, config.dropout = 0.5;
  Transformer model = model_of(config);
  const auto all = named_parameters(model);
  for (const auto& [name, p] : all)
    for (const auto& [other, q] : all)
      if (name.starts_with("encoder.0.") && other == "blocks.0." + name.substr(10)) {
        Tensor to = p;
        to.mutable_array() = q.array();
      }
  const auto last_outputs = [&](std::optional<std::uint64_t> seed) {
    std::map<std::string, Array> z;
    Hooks hooks;
    for (const std::string name : {"encoder.0.attn.hook_z", "blocks.0.attn.hook_z"})
      hooks.add(name, [&z, name](const Tensor& x) {
        z[name] = slice(x, 1, 3, 4).array();
        return x;
      });
    (void)model(IntArray{{1, 2, 3, 4}}, hooks, {IntArray{{1, 2, 3, 4}}, seed});
    return difference(z.at("encoder.0.attn.hook_z"), z.at("blocks.0.attn.hook_z"));
  };
  CHECK(last_outputs({}) < 1e-5);
  CHECK(last_outputs(1) > 1e-3);
}

TEST_CASE("a source is given to those who read one", "[nn]") {
  Rng rng(1);
  const Transformer both = encoder_decoder(), decoder = model_of(config_of(Architecture::decoder));
  CHECK(contains(error_of([&] { both(kTokens); }), "expected a source"));
  CHECK(contains(error_of([&] { both(kTokens); }), "Hint: model(tokens, {}, {.source = source})."));
  CHECK(contains(error_of([&] { decoder(kTokens, {}, {kSource}); }), "expected no source"));
  CHECK(contains(error_of([&] { decoder(kTokens, {}, {kSource}); }), "got one of shape (2,5)"));
  CHECK(contains(error_of([&] {
                   both(kTokens, {}, {IntArray{{1, 2}}});
                 }),
                 "expected a source for each of 2 sequences, got 1"));
  CHECK(contains(error_of([&] {
                   both(kTokens, {}, {IntArray{1, 2}});
                 }),
                 "expected source tokens (batch, positions)"));
  const IntArray seven{{1, 2, 3, 4, 5, 6, 7}}, odd{{11, 1}}, one{{1, 1}};
  CHECK(contains(error_of([&] { both(one, {}, {seven}); }),
                 "a sequence of 7 source tokens does not fit the context of 6"));
  CHECK(contains(error_of([&] { both(one, {}, {odd}); }), "token 11 is outside the vocabulary"));
  TransformerConfig none = config_of(Architecture::encoder_decoder), more = config_of(Architecture::encoder);
  none.n_source = 0, more.n_source = 3;
  CHECK(contains(error_of([&] { Transformer(none, rng); }), "expects a source of at least one position"));
  CHECK(contains(error_of([&] { Transformer(more, rng); }), "expects no source, got n_source = 3"));
  const Tensor x = zeros({1, 2, 8});
  CHECK(contains(error_of([&] { decoder.blocks[0](x, {}, {}, {}, x); }), "has no cross-attention, got one"));
  CHECK(contains(error_of([&] { both.blocks[0](x); }), "expected a memory for cross-attention, got none"));
}

TEST_CASE("a filled cache takes no other source", "[nn]") {
  const Transformer model = encoder_decoder();
  const NoGrad no_grad;
  KeyValueCache cache;
  const IntArray one(Shape{2, 1}, 1);
  model(one, {}, {.source = kSource, .cache = &cache});
  CHECK_NOTHROW(model(one, {}, {.source = kSource, .cache = &cache}));
  CHECK_NOTHROW(model(one, {}, {.cache = &cache}));
  IntArray other = kSource;
  other(1, 0) = 9;
  for (const IntArray& source : {other, IntArray{{5, 6}, {2, 3}}})
    CHECK(contains(error_of([&] { model(one, {}, {.source = source, .cache = &cache}); }),
                   "expected the source that the cache was filled with, or none, got another one"));
  CHECK(cache.length() == 3);
}
