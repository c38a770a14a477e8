// Every input tried, with a bound on the rounding.
#include "headlight/interpret/all_inputs.h"

#include <cmath>

#include "catch.h"
#include "headlight/nn/by_hand.h"
#include "interpret/subjects.h"
#include "proofs/bounded_pass.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

nn::TransformerConfig small(std::size_t d_vocab) {
  return {.d_model = 12, .n_heads = 2, .d_vocab = d_vocab, .n_ctx = 16};
}

// The right logit less the largest other, by the engine.
double margin_by_engine(const nn::Transformer& model, const std::vector<std::int32_t>& in) {
  const Array logits = model(IntArray{{in[0], in[1], in[2], in[3]}}).array();
  const auto answer = static_cast<std::size_t>(AllInputs::answer(in));
  double other = -1e9;
  for (std::size_t v = 0; v < logits.shape()[2]; ++v)
    if (v != answer) other = std::max(other, static_cast<double>(logits(0, 3, v)));
  return static_cast<double>(logits(0, 3, answer)) - other;
}

// The same by the engine's own forward pass, one input after the other.
struct ByEngine {
  std::uint64_t right = 0;
  double least_margin = 1e9;  // of those that are right
};

ByEngine by_engine(const nn::Transformer& model, std::int32_t tokens) {
  ByEngine found;
  for (std::int32_t a = 0; a < tokens; ++a)
    for (std::int32_t b = 0; b < tokens; ++b)
      for (std::int32_t c = 0; c < tokens; ++c) {
        if (a == b || b == c || a == c) continue;
        for (const std::int32_t last : {a, b}) {
          const double margin = margin_by_engine(model, {a, b, c, last});
          if (margin <= 0) continue;
          ++found.right;
          found.least_margin = std::min(found.least_margin, margin);
        }
      }
  return found;
}

}  // namespace

TEST_CASE("every input is counted as the engine answers it, for each part that a model may have",
          "[interpret][all_inputs]") {
  ThreadPool pool(2);
  std::vector<nn::TransformerConfig> configs(9, small(5));
  configs[1].positions = "learned", configs[2].positions = "sinusoidal", configs[3].positions = "none";
  configs[4].positions = "learned-qk", configs[5].norm = nn::NormKind::rms;
  configs[6].norm = nn::NormKind::none, configs[6].bias = true;
  configs[7].norm_place = nn::NormPlace::post, configs[7].tied_embeddings = true;
  configs[8].d_head = 8, configs[8].n_layers = 3;
  // The largest bound on a logit's rounding, measured once: a part that is left out or counted twice shows
  // here.
  const std::vector<double> radii = {2.143e-9,  1.153e-9,  4.46e-9,   2.085e-9, 1.719e-9,
                                     3.623e-10, 5.427e-13, 5.603e-11, 5.934e-7};
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const nn::TransformerConfig& config = configs[i];
    INFO(config.positions << ", " << nn::to_string(config.norm) << ", " << config.n_layers << " layers");
    Rng rng(5);
    const nn::Transformer model(config, rng);
    const AllInputs all = try_all_inputs(model, small_repeats(5), 4, pool);
    CHECK(all.inputs == 5 * 4 * 3 * 2);
    CHECK(all.right + all.wrong == all.inputs);
    const ByEngine engine = by_engine(model, 5);
    CHECK(all.right == engine.right);
    REQUIRE(all.right > 0);
    CHECK(std::abs(engine.least_margin - all.least_margin) < 1e-4 * (1 + all.least_margin));
    CHECK(std::abs(margin_by_engine(model, all.closest) - all.least_margin) < 1e-4 * (1 + all.least_margin));
    CHECK(std::abs(all.largest_radius / radii[i] - 1) < 0.01);
  }
}

TEST_CASE("a model that is set by hand is right on every input, or on none", "[interpret][all_inputs]") {
  ThreadPool pool(2);
  const tasks::Task task = small_repeats(6);
  const AllInputs whole = try_all_inputs(nn::induction_by_hand({.d_vocab = 6, .n_ctx = 16}), task, 5, pool);
  CHECK(whole.right == 6 * 5 * 4 * 3 * 3);
  CHECK(whole.first_wrong.empty());
  CHECK(std::abs(whole.least_margin - 20) < 1e-3);
  const AllInputs wrong = try_all_inputs(
      nn::induction_by_hand({.d_vocab = 6, .n_ctx = 16, .broken = nn::Broken::copying}), task, 5, pool);
  CHECK(wrong.wrong == wrong.inputs);
  CHECK(wrong.first_wrong == std::vector<std::int32_t>{0, 1, 2, 3, 0});
  CHECK(wrong.closest.empty());
}

// Tokens 3 and 4 always have the same logit, so no input whose answer is one of them is right.
TEST_CASE("what is found of all inputs is what is found of each", "[interpret][all_inputs]") {
  Rng rng(5);
  nn::Transformer model(small(5), rng);
  Array& W_U = model.unembed.W.mutable_array();
  for (std::size_t i = 0; i < W_U.shape()[0]; ++i) W_U(i, 4) = W_U(i, 3);
  const BoundedModel bounded(model, 4);
  AllInputs each;
  for (std::int32_t index = 0; index < 5 * 5 * 5 * 5; ++index) {
    const std::vector<std::int32_t> in = {index / 125, index / 25 % 5, index / 5 % 5, index % 5};
    if (in[0] == in[1] || in[0] == in[2] || in[1] == in[2] || (in[3] != in[0] && in[3] != in[1])) continue;
    ++each.inputs;
    const Balls logits = bounded.logits({{in[0], 0, -1}, {in[1], 1, 0}, {in[2], 2, 1}, {in[3], 3, 2}}, 1);
    const auto answer = static_cast<std::size_t>(in[3] == in[0] ? in[1] : in[2]);
    double least = 1e9, most = 1e9;
    for (std::size_t v = 0; v < 5; ++v) {
      each.largest_radius = std::max(each.largest_radius, logits.radius[v]);
      const double apart = logits.center[answer] - logits.center[v],
                   radius = logits.radius[answer] + logits.radius[v];
      if (v != answer) least = std::min(least, apart - radius), most = std::min(most, apart + radius);
    }
    if (least > 0 && (each.right == 0 || least < each.least_margin))
      each.least_margin = least, each.closest = in;
    if (least <= 0 && each.first_wrong.empty()) each.first_wrong = in;
    ++(least > 0 ? each.right : most < 0 ? each.wrong : each.undecided);
  }
  ThreadPool pool(2);
  const AllInputs all = try_all_inputs(model, small_repeats(5), 4, pool);
  CHECK((each.right > 0 && each.wrong > 0 && each.undecided > 0));
  CHECK((all.length == 4 && all.tokens == 5 && all.inputs == each.inputs));
  CHECK((all.right == each.right && all.wrong == each.wrong && all.undecided == each.undecided));
  CHECK((all.closest == each.closest && all.first_wrong == each.first_wrong));
  CHECK(std::abs(all.least_margin - each.least_margin) < 1e-12);
  CHECK(all.largest_radius == each.largest_radius);
}

TEST_CASE("logits that are equal are undecided", "[interpret][all_inputs]") {
  ThreadPool pool(1);
  Rng rng(3);
  nn::Transformer model(small(5), rng);
  model.unembed.W.mutable_array().fill(0);
  const AllInputs all = try_all_inputs(model, small_repeats(5), 4, pool);
  CHECK(all.undecided == all.inputs);
}

// Before the first norm the stream is (2^47 + 2^-6) - 2^47 = 2^-6 in coordinate 0, which double precision
// rounds to 0, and 2^-12 in coordinate 1. With the 2^-6 the norm makes 0.038 of coordinate 1, without it
// 0.077. The next layer subtracts 0.072, and coordinate 1 is token 3's logit: exactly -0.8, in double
// precision +27.
TEST_CASE("what double precision loses before a norm is in the bound", "[interpret][all_inputs]") {
  ThreadPool pool(1);
  Rng rng(0);
  nn::Transformer model({.d_model = 8,
                         .n_heads = 1,
                         .d_vocab = 5,
                         .n_ctx = 16,
                         .positions = "learned",
                         .norm = nn::NormKind::rms,
                         .norm_place = nn::NormPlace::post,
                         .bias = true},
                        rng);
  for (auto& [name, weights] : nn::named_parameters(model))
    if (!name.ends_with("ln1.w")) weights.mutable_array().fill(0);
  for (std::size_t token = 0; token < 5; ++token) {
    model.embed.W.mutable_array()(token, 0) = Real(0x1p47),
                                         model.embed.W.mutable_array()(token, 1) = Real(0x1p-12);
    model.unembed.W.mutable_array()(1, token) = token == 3 ? 20 : -20;
  }
  for (std::size_t p = 0; p < 16; ++p) model.W_pos.mutable_array()(p, 0) = Real(0x1p-6);
  model.blocks[0].attn.b_O.mutable_array()(0) = Real(-0x1p47);
  model.blocks[1].attn.b_O.mutable_array()(1) = Real(-0.072);
  const AllInputs all = try_all_inputs(model, small_repeats(5), 4, pool);
  CHECK(all.right == 0);
  CHECK(all.largest_radius > 27.8);
}
