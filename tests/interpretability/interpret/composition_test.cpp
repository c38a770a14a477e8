// Composition scores against the full matrices.
#include "catch.h"
#include "headlight/interpret/circuits.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

nn::Transformer composed(nn::NormPlace place = nn::NormPlace::pre, std::size_t layers = 2) {
  Rng rng(8);
  nn::Transformer model(
      {.n_layers = layers, .d_model = 12, .n_heads = 2, .d_vocab = 7, .n_ctx = 8, .norm_place = place}, rng);
  for (auto& [name, p] : nn::named_parameters(model)) {
    Tensor handle = p;
    for (Real& x : handle.mutable_array()) x += static_cast<Real>(0.3 * rng.normal());
  }
  return model;
}

double frobenius(const Matrix& a) { return std::sqrt(xt::sum(a * a)()); }

double ratio_of_full(const Matrix& a, const Matrix& b) {
  return frobenius(product(a, b)) / (frobenius(a) * frobenius(b));
}

// Every row of a, centred and scaled as a norm does with rows: a C diag(w).
Matrix behind_norm(Matrix a, const nn::Norm& norm) {
  for (std::size_t i = 0; i < a.shape(0); ++i) xt::row(a, i) -= xt::mean(xt::row(a, i))();
  return a * norm.w.array();
}

constexpr double kSame = kDouble ? 1e-10 : 1e-5;

}  // namespace

TEST_CASE("composition scores are those of the full matrices", "[circuits]") {
  for (const nn::NormPlace place : {nn::NormPlace::pre, nn::NormPlace::post}) {
    const nn::Transformer model = composed(place);
    const std::vector<Composition> all = compositions(model, {.draws = 2});
    REQUIRE(all.size() == 4);
    for (const Composition& c : all) {
      CHECK((c.from.layer == 0 && c.to.layer == 1));
      Matrix ov(ov_circuit(model, c.from).product());
      if (place == nn::NormPlace::post) ov = behind_norm(ov, model.blocks[0].ln1);
      const Matrix qk(qk_circuit(model, c.to).product()), later(ov_circuit(model, c.to).product());
      CHECK(std::abs(c.ratio.q - ratio_of_full(ov, qk)) < kSame);
      CHECK(std::abs(c.ratio.k - ratio_of_full(qk, xt::transpose(ov))) < kSame);
      CHECK(std::abs(c.ratio.v - ratio_of_full(ov, later)) < kSame);
      CHECK(c.score.k == c.ratio.k - c.baseline.k);
      CHECK(c.baseline.q == all[0].baseline.q);
    }
    CHECK(head_code(all[1].from) + head_code(all[1].to) == "L0H1L1H0");
    CHECK(head_code(all[2].from) + head_code(all[2].to) == "L0H0L1H1");
  }
}

TEST_CASE("the distance turns queries before they compose", "[circuits]") {
  const nn::Transformer model = composed();
  const Composition c = compositions(model, {.draws = 1, .circuit = {.distance = 2}})[0];
  const Matrix ov(ov_circuit(model, c.from).product()),
      qk(qk_circuit(model, c.to, {.distance = 2}).product());
  CHECK(std::abs(c.ratio.k - ratio_of_full(qk, xt::transpose(ov))) < kSame);
  CHECK(std::abs(c.ratio.k - compositions(model, {.draws = 1})[0].ratio.k) > 1e-4);
}

// E‖ABᵀ…‖ of normal matrices: about 1/√d for a product through d dimensions.
TEST_CASE("the baseline is that of random matrices of the same shapes", "[circuits]") {
  const nn::Transformer model = composed();
  const ByInput a = compositions(model, {.seed = 1, .draws = 300})[0].baseline,
                b = compositions(model, {.seed = 2, .draws = 300})[0].baseline;
  for (const double x : {a.q, a.k, a.v}) CHECK(std::abs(x - 1 / std::sqrt(12.)) < 0.03);
  CHECK(a.k != b.k);
  CHECK(std::abs(a.k - b.k) < 0.02);
  CHECK(a.k == compositions(model, {.seed = 1, .draws = 300})[3].baseline.k);
}

TEST_CASE("only later layers read what a head writes", "[circuits]") {
  CHECK(compositions(composed(nn::NormPlace::pre, 1), {.draws = 1}).empty());
  const std::vector<Composition> all = compositions(composed(nn::NormPlace::pre, 3), {.draws = 1});
  CHECK(all.size() == 4 + 8);
  for (const Composition& c : all) CHECK(c.from.layer < c.to.layer);
}

TEST_CASE("a head that reads exactly what another writes composes fully", "[circuits]") {
  nn::Transformer model = composed();
  const std::size_t dh = 6;
  for (nn::Block& block : model.blocks)
    for (Tensor* W : {&block.attn.W_Q, &block.attn.W_K, &block.attn.W_V, &block.attn.W_O})
      for (Real& x : W->mutable_array()) x = 0;
  nn::MultiHeadAttention &first = model.blocks[0].attn, &second = model.blocks[1].attn;
  first.W_V.mutable_array()(0, 0) = 1, first.W_O.mutable_array()(0, 3) = 2;      // head 0 writes to axis 3
  second.W_K.mutable_array()(3, dh) = 5, second.W_Q.mutable_array()(7, dh) = 1;  // head 1's key is axis 3
  const std::vector<Composition> all = compositions(model, {.draws = 5, .circuit = {.fold_norms = false}});
  for (const Composition& c : all) {
    const bool composes = c.from.head == 0 && c.to.head == 1;
    CHECK(c.ratio.k == Approx(composes ? 1 : 0));
    CHECK(c.ratio.q == Approx(0));
    CHECK(c.ratio.v == 0);
  }
}
