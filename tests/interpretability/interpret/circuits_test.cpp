// Circuits against the model itself: full matrices, and scores and results of a forward pass.
#include "headlight/interpret/circuits.h"

#include "catch.h"
#include "headlight/core/math.h"
#include "headlight/interpret/hooks.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

constexpr double kClose = kDouble ? 1e-10 : 2e-4;

nn::TransformerConfig circuit_config() {
  return {.n_layers = 2, .d_model = 12, .n_heads = 2, .d_vocab = 9, .n_ctx = 8, .bias = true};
}

// Random weights everywhere, also where training starts at 0 or 1.
nn::Transformer shaken(const nn::TransformerConfig& config, std::uint64_t seed = 4) {
  Rng rng(seed);
  nn::Transformer model(config, rng);
  for (auto& [name, p] : nn::named_parameters(model)) {
    Tensor handle = p;
    for (Real& x : handle.mutable_array()) x += static_cast<Real>(0.3 * rng.normal());
  }
  return model;
}

std::vector<nn::TransformerConfig> circuit_models() {
  const auto with = [](auto change) {
    nn::TransformerConfig c = circuit_config();
    change(c);
    return c;
  };
  return {with([](auto&) {}),
          with([](auto& c) { c.n_heads = 4, c.n_kv_heads = 2, c.d_head = 4, c.norm = nn::NormKind::rms; }),
          with([](auto& c) { c.fused_qkv = true, c.n_kv_heads = 1, c.positions = "alibi"; }),
          with([](auto& c) { c.qk_norm = nn::NormKind::layer, c.tied_embeddings = true; }),
          with([](auto& c) { c.smeared_keys = true, c.sinks = true, c.qk_norm = nn::NormKind::rms; }),
          with([](auto& c) { c.positions = "learned-qk", c.d_mlp = 8; }),
          with([](auto& c) { c.positions = "learned", c.norm_place = nn::NormPlace::post; }),
          with([](auto& c) { c.positions = "t5", c.norm = nn::NormKind::none, c.score_cap = 3; }),
          with([](auto& c) { c.architecture = nn::Architecture::encoder, c.window = 3; })};
}

const IntArray& some_tokens() {
  static const IntArray tokens{{3, 1, 4, 1, 5, 2, 6}};
  return tokens;
}

// Row i of an activation (1,n,d) divided by the scale of the norm before it, and then 1.
std::vector<double> scaled_row(const CachedRun& run, const std::string& block, std::size_t i,
                               double share = 1) {
  const Array& x = run.cache[block + "hook_resid_pre"];
  const bool normed = run.cache.contains(block + "ln1.hook_scale") &&
                      !run.cache.contains(block + "hook_normalized_resid_post");  // post: x is the input
  const double scale = normed ? static_cast<double>(run.cache[block + "ln1.hook_scale"](0, i, 0)) : 1;
  std::vector<double> row;
  for (std::size_t j = 0; j < x.shape()[2]; ++j)
    row.push_back(share * static_cast<double>(x(0, i, j)) / scale);
  row.push_back(share);
  return row;
}

double form(const std::vector<double>& x, const Matrix& m, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < m.shape(0); ++i)
    for (std::size_t j = 0; j < m.shape(1); ++j) sum += x[i] * m(i, j) * y[j];
  return sum;
}

}  // namespace

TEST_CASE("the OV circuit of a scaled input is what a head writes", "[circuits]") {
  for (const nn::TransformerConfig& config : circuit_models()) {
    const nn::Transformer model = shaken(config);
    const CachedRun run = run_with_cache(model, some_tokens());
    for (const HeadAt at : {HeadAt{0, 1}, HeadAt{1, 0}}) {
      const std::string block = "blocks." + std::to_string(at.layer) + ".";
      const Matrix ov(ov_circuit(model, at, {.constant = true}).product());
      const Array &pattern = run.cache[block + "attn.hook_pattern"],
                  &result = run.cache[block + "attn.hook_result"];
      const std::size_t i = 5, d = config.d_model;
      std::vector<double> written(d, 0);
      for (std::size_t j = 0; j < 7; ++j) {
        std::vector<double> x = scaled_row(run, block, j);
        for (std::size_t a = 0; a <= d; ++a)
          for (std::size_t b = 0; b < d; ++b)
            written[b] += static_cast<double>(pattern(0, at.head, i, j)) * x[a] * ov(a, b);
      }
      CAPTURE(config.positions, at.layer);
      for (std::size_t b = 0; b < d; ++b)
        CHECK(std::abs(written[b] - static_cast<double>(result(0, i, at.head, b))) < kClose);
    }
  }
}

TEST_CASE("the QK circuit of scaled inputs is a score", "[circuits]") {
  for (const nn::TransformerConfig& config : circuit_models()) {
    if (config.positions == "learned-qk" || config.score_cap > 0) continue;  // tested below
    const nn::Transformer model = shaken(config);
    const CachedRun run = run_with_cache(model, some_tokens());
    for (const HeadAt at : {HeadAt{0, 1}, HeadAt{1, 0}}) {
      const std::string attn = "blocks." + std::to_string(at.layer) + ".attn.";
      const std::string block = "blocks." + std::to_string(at.layer) + ".";
      const Array& scores = run.cache[attn + "hook_attn_scores"];
      const std::size_t kv =
          at.head / (config.n_heads /
                     std::max<std::size_t>(1, config.n_kv_heads == 0 ? config.n_heads : config.n_kv_heads));
      for (const auto& [i, j] : {std::pair<std::size_t, std::size_t>{4, 2}, {3, 3}, {6, 5}}) {
        const int distance = static_cast<int>(i) - static_cast<int>(j);
        CircuitOptions of_own{.constant = true, .distance = distance};
        if (config.smeared_keys) of_own.smeared_from = 0;
        const Matrix own(qk_circuit(model, at, of_own).product());
        double score = form(scaled_row(run, block, i), own, scaled_row(run, block, j));
        CHECK(share_of_own_key(model, at).has_value() == config.smeared_keys);
        if (config.smeared_keys) {
          const CircuitOptions before{.constant = true, .distance = distance, .smeared_from = 1};
          score += form(scaled_row(run, block, i), Matrix(qk_circuit(model, at, before).product()),
                        scaled_row(run, block, j - 1));
        }
        if (config.qk_norm != nn::NormKind::none)
          score /= static_cast<double>(run.cache[attn + "q_norm.hook_scale"](0, i, at.head, 0)) *
                   static_cast<double>(run.cache[attn + "k_norm.hook_scale"](0, j, kv, 0));
        const RelativeBias bias = model.blocks[at.layer].attn.options({}).relative;
        if (bias.values.defined())
          score += static_cast<double>(
              bias.values.array()(at.head, static_cast<std::size_t>(distance - bias.first)));
        CAPTURE(config.positions, at.layer, i, j);
        CHECK(std::abs(score - static_cast<double>(scores(0, at.head, i, j))) < kClose * 5);
      }
    }
  }
}

TEST_CASE("a key before its query and one after it turn the circuit in opposite ways", "[circuits]") {
  nn::TransformerConfig config = circuit_config();
  config.architecture = nn::Architecture::encoder;
  const nn::Transformer model = shaken(config);
  const CachedRun run = run_with_cache(model, some_tokens());
  const Matrix qk(qk_circuit(model, {0, 1}, {.constant = true, .distance = -3}).product());
  const double score = form(scaled_row(run, "blocks.0.", 2), qk, scaled_row(run, "blocks.0.", 5));
  CHECK(std::abs(score - static_cast<double>(run.cache["blocks.0.attn.hook_attn_scores"](0, 1, 2, 5))) <
        kClose);
}

TEST_CASE("circuits of cross-attention read the source behind the encoder's last norm", "[circuits]") {
  nn::TransformerConfig config = circuit_config();
  config.architecture = nn::Architecture::encoder_decoder, config.n_source = 5;
  const nn::Transformer model = shaken(config);
  const CachedRun run = run_with_cache(model, some_tokens(), {}, {}, {.source = IntArray{{7, 0, 8, 2}}});
  const auto scaled = [&](const std::string& x, const std::string& norm, std::size_t i) {
    std::vector<double> row;
    for (std::size_t d = 0; d < 12; ++d)
      row.push_back(static_cast<double>(run.cache[x](0, i, d)) /
                    static_cast<double>(run.cache[norm + ".hook_scale"](0, i, 0)));
    row.push_back(1);
    return row;
  };
  const HeadAt at{1, 1, Stack::cross};
  const CircuitOptions o{.constant = true, .distance = 3};  // no rotation here
  const Matrix qk(qk_circuit(model, at, o).product()), ov(ov_circuit(model, at, o).product());
  const std::string encoded = "encoder.1.hook_resid_post", norm = "encoder_ln_final";
  const double score =
      form(scaled("blocks.1.hook_resid_mid", "blocks.1.ln_cross", 5), qk, scaled(encoded, norm, 2));
  const Array& scores = run.cache["blocks.1.cross_attn.hook_attn_scores"];
  CHECK(std::abs(score - static_cast<double>(scores(0, 1, 5, 2))) < kClose);
  const Array& pattern = run.cache["blocks.1.cross_attn.hook_pattern"];
  for (std::size_t d = 0; d < 12; ++d) {
    double written = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      const std::vector<double> x = scaled(encoded, norm, j);
      for (std::size_t a = 0; a < 13; ++a)
        written += static_cast<double>(pattern(0, 1, 5, j)) * x[a] * ov(a, d);
    }
    CHECK(std::abs(written - static_cast<double>(run.cache["blocks.1.cross_attn.hook_result"](0, 5, 1, d))) <
          kClose);
  }
}

// Without norms, layer 0's scores and results are entries of the full circuits.
TEST_CASE("full circuits speak of tokens and positions", "[circuits]") {
  for (const char* positions : {"learned", "learned-qk"}) {
    nn::TransformerConfig config = circuit_config();
    config.norm = nn::NormKind::none, config.positions = positions, config.n_layers = 1;
    const nn::Transformer model = shaken(config);
    const bool aside = std::string(positions) == "learned-qk";
    const CachedRun run = run_with_cache(model, some_tokens());
    const HeadAt at{0, 1};
    const CircuitOptions o{.constant = true};
    const auto entry = [&](CircuitInput query, CircuitInput key, std::size_t i, std::size_t j) {
      return static_cast<double>(full_qk(model, at, query, key, o).product()(i, j));
    };
    const auto token = [](std::size_t i) { return static_cast<std::size_t>(some_tokens()(0, i)); };
    const double score = entry(CircuitInput::tokens, CircuitInput::tokens, token(5), token(2)) +
                         entry(CircuitInput::tokens, CircuitInput::positions, token(5), 2) +
                         entry(CircuitInput::positions, CircuitInput::tokens, 5, token(2)) +
                         entry(CircuitInput::positions, CircuitInput::positions, 5, 2);
    CHECK(std::abs(score - static_cast<double>(run.cache["blocks.0.attn.hook_attn_scores"](0, 1, 5, 2))) <
          kClose);
    const Array of_tokens = full_ov(model, at, CircuitInput::tokens, o).product(),
                plain = full_ov(model, at).product();
    const Array& result = run.cache["blocks.0.attn.hook_result"];
    for (std::size_t t = 0; t < 9; ++t) {  // position 0 attends to itself only
      double logit = static_cast<double>(of_tokens(token(0), t)), written = 0;
      if (!aside) logit += static_cast<double>(full_ov(model, at, CircuitInput::positions).product()(0, t));
      for (std::size_t d = 0; d < 12; ++d)
        written +=
            static_cast<double>(result(0, 0, 1, d)) * static_cast<double>(model.unembed.W.array()(d, t));
      CHECK(std::abs(written - logit) < kClose);
    }
    CHECK(difference(of_tokens, plain) > 0.01);  // the constant part
  }
}

TEST_CASE("norms before and after a head are folded into its full circuit", "[circuits]") {
  const nn::Transformer model = shaken(circuit_config());
  const Array full = full_ov(model, {1, 0}).product(),
              raw = full_ov(model, {1, 0}, CircuitInput::tokens, {.fold_norms = false}).product();
  const Array &E = model.embed.W.array(), &U = model.unembed.W.array(), &V = model.blocks[1].attn.W_V.array(),
              &O = model.blocks[1].attn.W_O.array();
  for (const bool fold : {true, false}) {
    const auto normed = [&](std::vector<double> x, const Tensor& w) {
      double mean = 0;
      for (double y : x) mean += y / 12;
      for (std::size_t i = 0; i < 12; ++i)
        if (fold) x[i] = (x[i] - mean) * static_cast<double>(w.array()(i));
      return x;
    };
    for (std::size_t s = 0; s < 9; ++s) {
      std::vector<double> x(12), out(12, 0);
      for (std::size_t i = 0; i < 12; ++i) x[i] = static_cast<double>(E(s, i));
      x = normed(x, model.blocks[1].ln1.w);
      for (std::size_t r = 0; r < 6; ++r) {
        double v = 0;
        for (std::size_t i = 0; i < 12; ++i) v += x[i] * static_cast<double>(V(i, r));
        for (std::size_t i = 0; i < 12; ++i) out[i] += v * static_cast<double>(O(r, i));
      }
      out = normed(out, model.ln_final.w);
      for (std::size_t t = 0; t < 9; ++t) {
        double logit = 0;
        for (std::size_t i = 0; i < 12; ++i) logit += out[i] * static_cast<double>(U(i, t));
        CHECK(std::abs(logit - static_cast<double>((fold ? full : raw)(s, t))) < kClose);
      }
    }
  }
}

TEST_CASE("a circuit's norm, singular values and eigenvalues are those of its product", "[circuits]") {
  const nn::Transformer model = shaken(circuit_config());
  const Factored ov = ov_circuit(model, {0, 0}), full = full_ov(model, {0, 0});
  const Array product = ov.product();
  CHECK(ov.frobenius() == Approx(std::sqrt(xt::sum(product * product)())));
  const HeadCircuit c = circuit_of(model, {0, 0});
  const Svd whole = svd(Matrix(product));
  REQUIRE((c.ov_singular.size() == 6 && c.qk_singular.size() == 6));
  double squares = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(c.ov_singular[i] == Approx(whole.values[i]).epsilon(1e-4));
    squares += c.qk_singular[i] * c.qk_singular[i];
  }
  CHECK(std::sqrt(squares) == Approx(qk_circuit(model, {0, 0}).frobenius()));
  double sum = 0, moduli = 0;
  for (const auto& z : eigenvalues(Matrix(full.product()))) sum += z.real(), moduli += std::abs(z);
  CHECK(*c.copying_eigen == Approx(sum / moduli).margin(kDouble ? 1e-9 : 1e-4));
  CHECK(c.eigenvalues.size() == 6);
}

TEST_CASE("copying scores of heads that copy, that suppress and that do nothing", "[circuits]") {
  Array one = full_array({5, 5}, 0), cycle = one;
  for (std::size_t i = 0; i < 5; ++i) one(i, i) = 1, cycle(i, (i + 1) % 5) = 1;
  const Array minus = -one, none = full_array({5, 5}, 0);
  CHECK(*copying_score({one, one}) == Approx(1));
  CHECK(*copying_score({one, minus}) == Approx(-1));
  CHECK(*copying_score({one, cycle}) == Approx(-1));
  CHECK_FALSE(copying_score({one, none}).has_value());
  CHECK(*eigenvalue_score(eigenvalues(Factored{one, one})) == Approx(1));
  CHECK(*eigenvalue_score(eigenvalues(Factored{one, minus})) == Approx(-1));
  CHECK(*eigenvalue_score(eigenvalues(Factored{one, cycle})) == Approx(0).margin(1e-6));
  CHECK_FALSE(eigenvalue_score(eigenvalues(Factored{one, none})).has_value());
  // Row (3, 1, -1): its mean is 1, so it raises only the first token. Row (2, 4, 0) raises only the second,
  // by 2.
  Array rows = full_array({3, 3}, 0), unit3 = rows;
  for (std::size_t i = 0; i < 3; ++i) unit3(i, i) = 1;
  const double numbers[3][3] = {{3, 1, -1}, {5, 4, 0}, {0, 0, 0}};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) rows(i, j) = static_cast<Real>(numbers[i][j]);
  // 2/(2+2) and, with raises 2 and 1 of the mean 3, 1/(1+3)
  CHECK(*copying_score({unit3, rows}) == Approx(4 * (0.5 + 0.25) / 2 - 1));
}

TEST_CASE("what has no circuit is refused", "[circuits]") {
  const nn::Transformer model = shaken(circuit_config());
  CHECK(contains(error_of([&] { ov_circuit(model, {2, 0}); }), "there is no layer 2"));
  CHECK(contains(error_of([&] {
                   qk_circuit(model, {0, 0}, {.distance = 8});
                 }),
                 "[qk_circuit] expected a distance within 8 positions, got 8"));
  CHECK(contains(error_of([&] { qk_circuit(model, {0, 0}, {.smeared_from = 1}); }), "keys are not smeared"));
  CHECK(contains(error_of([&] {
                   full_qk(model, {0, 0}, CircuitInput::positions);
                 }),
                 "the model's are 'rotary'"));
  nn::TransformerConfig config = circuit_config();
  config.positions = "learned-qk";
  CHECK(contains(error_of([&] {
                   full_ov(shaken(config), {0, 0}, CircuitInput::positions);
                 }),
                 "values do not see"));
  config = circuit_config();
  config.architecture = nn::Architecture::encoder_decoder, config.n_source = 5;
  const nn::Transformer both = shaken(config);
  CHECK(contains(error_of([&] { full_ov(both, {0, 0, Stack::encoder}); }), "through other heads"));
  CHECK(contains(error_of([&] { compositions(both, {.stack = Stack::cross}); }), "got cross-attention"));
  CHECK(contains(error_of([&] { compositions(both, {.draws = 0}); }), "at least one draw"));
  const std::vector<HeadCircuit> all = circuits_of(both);
  REQUIRE(all.size() == 12);
  for (const HeadCircuit& c : all) CHECK(c.copying_eigen.has_value() == (c.at.stack != Stack::encoder));
  CHECK(contains(error_of([] {
                   eigenvalues(Factored{full_array({2, 1}, 0), full_array({1, 3}, 0)});
                 }),
                 "expected a square circuit"));
}
