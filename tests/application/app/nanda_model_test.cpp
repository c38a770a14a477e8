// The model of Nanda et al. 2023, which ./headlight paper trains.
#include "papers/nanda_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "catch.h"
#include "headlight/nn/nn.h"

using namespace headlight;
using papers::nanda::kPrime;

namespace {

papers::nanda::Model some_model() {
  Rng rng(1);
  const papers::nanda::Model model(rng);
  for (Tensor bias : {model.b_in, model.b_out}) bias.mutable_array() = rng.normal_array(bias.shape());
  return model;
}

}  // namespace

TEST_CASE("the model of Nanda 2023 is a transformer that is read at the last token", "[program][paper]") {
  const papers::nanda::Model model = some_model();
  Rng rng(2);
  const nn::Transformer transformer({.n_layers = 1,
                                     .d_model = 128,
                                     .n_heads = 4,
                                     .d_mlp = 512,
                                     .d_vocab = kPrime + 1,
                                     .n_ctx = 3,
                                     .positions = "learned",
                                     .norm = nn::NormKind::none,
                                     .mlp = "relu",
                                     .bias = true},
                                    rng);
  const std::string block = "blocks.0.";
  const std::map<std::string, Tensor> weights = {{"embed.W_E", model.E},
                                                 {"pos_embed.W_pos", model.P},
                                                 {block + "attn.W_Q", model.Q},
                                                 {block + "attn.W_K", model.K},
                                                 {block + "attn.W_V", model.V},
                                                 {block + "attn.W_O", model.O},
                                                 {block + "mlp.W_in", model.W_in},
                                                 {block + "mlp.b_in", model.b_in},
                                                 {block + "mlp.W_out", model.W_out},
                                                 {block + "mlp.b_out", model.b_out},
                                                 {"unembed.W_U", model.U}};
  std::size_t copied = 0;
  for (auto& [name, parameter] : nn::named_parameters(transformer))
    if (weights.contains(name)) parameter.mutable_array() = weights.at(name).array(), ++copied;
  REQUIRE(copied == weights.size());

  const papers::nanda::Pairs pairs = {0, 5 * kPrime + 9, 112 * kPrime + 4};
  const IntArray tokens = {{0, 0, 113}, {5, 9, 113}, {112, 4, 113}};
  const Array logits = model(papers::nanda::rows_of(pairs)).array(), expected = transformer(tokens).array();
  for (std::size_t b = 0; b < pairs.size(); ++b)
    for (std::size_t c = 0; c <= kPrime; ++c)
      CHECK(std::abs(double(logits(b, c)) - double(expected(b, 2, c))) < 1e-4);
  CHECK((papers::nanda::sums_of(pairs) == IntArray({0, 14, 3})));
}

TEST_CASE("three tenths of all pairs are trained on, and all others are held out", "[program][paper]") {
  const papers::nanda::Split split = papers::nanda::split();
  CHECK(split.trained.size() == 3830);
  papers::nanda::Pairs all = split.trained, each(113 * 113);
  all.insert(all.end(), split.held_out.begin(), split.held_out.end());
  std::sort(all.begin(), all.end());
  std::iota(each.begin(), each.end(), 0);
  CHECK((all == each));
}

TEST_CASE("the shares of the frequencies are those of the waves in the embedding", "[program][paper]") {
  papers::nanda::Model model = some_model();
  Array& E = model.E.mutable_array();
  for (std::size_t a = 0; a < kPrime; ++a)
    for (std::size_t j = 0; j < 128; ++j) {
      const double angle = 2 * std::acos(-1.0) * static_cast<double>(a) / kPrime;
      const double wave = j == 0 ? 2 * std::cos(7 * angle) : j == 1 ? std::sin(30 * angle + 1) : 0;
      E(a, j) = static_cast<Real>(wave + 5);  // a mean counts for nothing
    }
  const std::vector<double> shares = papers::nanda::shares_of_frequencies(model);
  REQUIRE(shares.size() == 56);
  CHECK(std::abs(shares[0] - 0.8) < 1e-5);
  CHECK(std::abs(shares[1] - 0.2) < 1e-5);
  CHECK(shares[2] < 1e-5);
}
