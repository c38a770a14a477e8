// Reading token by token with kept keys and values, and drawing tokens from logits.
#include "headlight/nn/decoding.h"

#include <cmath>
#include <limits>
#include <map>

#include "catch.h"
#include "headlight/autograd/record.h"
#include "headlight/nn/sample.h"

using namespace headlight;
using namespace headlight::nn;

namespace {

constexpr std::size_t kRead = 13;

TransformerConfig small() {
  TransformerConfig c;
  c.n_layers = 2, c.n_heads = 4, c.d_model = 16, c.d_mlp = 12, c.d_vocab = 11, c.n_ctx = kRead;
  c.max_distance = 5;
  return c;
}

// Every kind of positions, every part of attention, and both architectures that decode.
std::map<std::string, TransformerConfig> decoders() {
  std::map<std::string, TransformerConfig> all{{"plain", small()}};
  for (const std::string& name : positions().names()) (all["positions " + name] = small()).positions = name;
  (all["window"] = small()).window = 4;
  (all["grouped heads"] = small()).n_kv_heads = 2;
  (all["sinks"] = small()).sinks = true;
  (all["cap"] = small()).score_cap = 2;
  (all["smeared keys"] = small()).smeared_keys = true;
  (all["QK norm"] = small()).qk_norm = NormKind::rms;
  (all["one projection"] = small()).fused_qkv = true;
  (all["post-norm"] = small()).norm_place = NormPlace::post;
  (all["tied"] = small()).tied_embeddings = true;
  TransformerConfig& both = all["encoder-decoder"] = small();
  both.architecture = Architecture::encoder_decoder, both.n_source = 6, both.smeared_keys = true;
  return all;
}

// A model whose weights are far from zeros and ones.
std::unique_ptr<Transformer> model_of(const TransformerConfig& config, Rng& rng) {
  auto model = std::make_unique<Transformer>(config, rng);
  for (Tensor& p : parameters(*model))
    for (Real& number : p.mutable_array()) number += static_cast<Real>(0.3 * rng.normal());
  return model;
}

std::vector<std::int32_t> drawn_tokens(std::size_t n, Rng& rng) {
  std::vector<std::int32_t> tokens(n);
  for (std::int32_t& token : tokens) token = static_cast<std::int32_t>(rng.below(11));
  return tokens;
}

IntArray as_row(const std::vector<std::int32_t>& tokens) {
  IntArray row = IntArray::from_shape({1, tokens.size()});
  std::copy(tokens.begin(), tokens.end(), row.begin());
  return row;
}

}  // namespace

TEST_CASE("reading piece by piece gives the logits of one pass", "[nn][decoding]") {
  for (const auto& [name, config] : decoders())
    for (const std::size_t piece : {1, 4}) {
      INFO(name << ", pieces of " << piece);
      Rng rng(3);
      const auto model = model_of(config, rng);
      const std::vector<std::int32_t> tokens = drawn_tokens(kRead, rng);
      const IntArray source = config.n_source > 0 ? as_row(drawn_tokens(5, rng)) : IntArray::from_shape({0});
      const NoGrad no_grad;
      const Array whole = (*model)(as_row(tokens), {}, {.source = source}).array();
      Decoding decoding(*model, source);
      double worst = 0, largest = 0;
      for (std::size_t at = 0; at < kRead; at += piece) {
        const std::size_t end = std::min(at + piece, kRead);
        const Array part =
            decoding.read({tokens.begin() + static_cast<long>(at), tokens.begin() + static_cast<long>(end)});
        REQUIRE(part.shape() == Shape{end - at, 11});
        CHECK(decoding.length() == end);
        for (std::size_t i = 0; i < part.size(); ++i) {
          const auto expected = static_cast<double>(whole.data()[at * 11 + i]);
          worst = std::max(worst, std::abs(expected - static_cast<double>(part.data()[i])));
          largest = std::max(largest, std::abs(expected));
        }
      }
      CHECK(worst <= 100 * std::numeric_limits<Real>::epsilon() * largest);
    }
}

TEST_CASE("pieces drop the weights that one pass drops", "[nn][decoding]") {
  for (const auto& [name, plain] : decoders()) {
    INFO(name);
    TransformerConfig config = plain;
    config.dropout = 0.4;
    Rng rng(5);
    const auto model = model_of(config, rng);
    const std::vector<std::int32_t> tokens = drawn_tokens(kRead, rng);
    const IntArray source = config.n_source > 0 ? as_row(drawn_tokens(5, rng)) : IntArray::from_shape({0});
    const NoGrad no_grad;
    const Array whole = (*model)(as_row(tokens), {}, {.source = source, .dropout_seed = 9}).array();
    KeyValueCache cache;
    double worst = 0;
    for (std::size_t at = 0; at < kRead; ++at) {
      const Array part =
          (*model)(as_row({tokens[at]}), {}, {.source = source, .dropout_seed = 9, .cache = &cache}).array();
      for (std::size_t i = 0; i < 11; ++i)
        worst = std::max(worst, std::abs(static_cast<double>(part.data()[i] - whole.data()[at * 11 + i])));
    }
    CHECK(worst < 1e-3);
  }
}

TEST_CASE("what cannot be read on is refused", "[nn][decoding]") {
  Rng rng(0);
  const Transformer model(small(), rng);
  Decoding decoding(model);
  decoding.read(std::vector<std::int32_t>(kRead, 1));
  CHECK(error_of([&] { decoding.read({1}); }) ==
        "[transformer] a sequence of 14 tokens does not fit the context of 13.");
  TransformerConfig c = small();
  c.architecture = Architecture::encoder;
  const Transformer encoder(c, rng);
  CHECK(contains(error_of([&] { Decoding d(encoder); }), "expected a decoder, got an encoder"));
  KeyValueCache cache;
  CHECK(contains(error_of([&] { encoder(as_row({1}), {}, {.cache = &cache}); }),
                 "cannot keep keys and values"));
}

TEST_CASE("tokens are drawn as temperature and top_k say", "[nn][decoding]") {
  const std::vector<Real> logits{0, 2, 1, 2, -1};
  Rng rng(1);
  for (int i = 0; i < 50; ++i)
    CHECK(sample(logits.data(), 5, {.temperature = 0}, rng) == 1);  // the first of two
  for (int i = 0; i < 50; ++i) CHECK(sample(logits.data(), 5, {.top_k = 1}, rng) == 1);
  for (const double temperature : {0.5, 1.0, 3.0})
    for (const std::size_t top_k : {std::size_t{0}, std::size_t{3}}) {
      INFO(temperature << " " << top_k);
      std::vector<double> weight(5), count(5);
      double total = 0;
      for (std::size_t t = 0; t < 5; ++t) {
        if (top_k == 3 && (t == 0 || t == 4)) continue;
        total += weight[t] = std::exp(static_cast<double>(logits[t]) / temperature);
      }
      constexpr int kDraws = 20000;
      for (int i = 0; i < kDraws; ++i)
        ++count[static_cast<std::size_t>(sample(logits.data(), 5, {temperature, top_k}, rng))];
      for (std::size_t t = 0; t < 5; ++t) CHECK(std::abs(count[t] / kDraws - weight[t] / total) < 0.015);
    }
  CHECK(
      contains(error_of([&] { sample(logits.data(), 5, {.temperature = -1}, rng); }), "at least 0, got -1"));
  const std::vector<Real> broken{0, std::numeric_limits<Real>::quiet_NaN()};
  CHECK(contains(error_of([&] { sample(broken.data(), 2, {}, rng); }), "not finite"));
}

TEST_CASE("a pass that throws leaves the cache as it was", "[nn]") {
  for (const auto& [name, config] : decoders()) {
    INFO(name);
    Rng rng(2);
    const auto model = model_of(config, rng);
    const IntArray tokens{{1, 2, 3}}, more{{4, 5}},
        source = config.n_source > 0 ? IntArray{{6, 7}} : IntArray{};
    const NoGrad no_grad;
    KeyValueCache cache, straight;
    const Given into{.source = source, .cache = &cache}, other{.source = source, .cache = &straight};
    const Hooks throwing{{"blocks.1.hook_resid_post", [](const Tensor&) -> Tensor { fail("no"); }}};
    CHECK(error_of([&] { (*model)(tokens, throwing, into); }) == "no");
    CHECK(cache.length() == 0);
    (*model)(tokens, {}, into);
    CHECK(error_of([&] { (*model)(more, throwing, into); }) == "no");
    CHECK(cache.length() == 3);
    (*model)(tokens, {}, other);
    const Array again = (*model)(more, {}, into).array(), expected = (*model)(more, {}, other).array();
    CHECK(again == expected);
  }
}
