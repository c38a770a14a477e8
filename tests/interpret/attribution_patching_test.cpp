#include "headlight/interpret/attribution_patching.h"

#include "catch.h"
#include "interpret/head_subjects.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

HeadOutputs nearby(const HeadOutputs& z, double distance) {
  Rng rng(11);
  HeadOutputs moved = z;
  for (Array& layer : moved)
    for (Real& x : layer) x += static_cast<Real>(distance * rng.normal());
  return moved;
}

void set(const Tensor& parameter, const std::function<double(std::size_t row, std::size_t column)>& value) {
  Array& numbers = Tensor(parameter).mutable_array();
  for (std::size_t r = 0; r < numbers.shape()[0]; ++r)
    for (std::size_t c = 0; c < numbers.shape()[1]; ++c) numbers(r, c) = static_cast<Real>(value(r, c));
}

// A model whose loss is linear in z: heads write to direction 0 only, which only the logit of token 0 reads.
// All other logits are 100 from direction 1 of every token, so that the loss at target 0 is
// 100 + log(V - 1) - logit_0, to e^-100.
nn::Transformer linear_model() {
  nn::TransformerConfig c{.n_layers = 1, .d_model = 8, .n_heads = 2, .d_vocab = 7, .n_ctx = 6};
  c.norm = nn::NormKind::none;
  nn::Transformer model = head_model(c);
  const Array output = model.blocks[0].attn.W_O.array(), tokens = model.embed.W.array();
  set(model.embed.W, [&](auto r, auto d) { return d == 1 ? 1.0 : static_cast<double>(tokens(r, d)); });
  set(model.blocks[0].attn.W_O,
      [&](auto r, auto d) { return d == 0 ? static_cast<double>(output(r, d)) : 0.0; });
  set(model.unembed.W,
      [](auto d, auto token) { return token == 0 ? (d == 0 ? 1.0 : 0.0) : (d == 1 ? 100.0 : 0.0); });
  if (model.unembed.b.defined()) FAIL("the unembedding has a bias");
  return model;
}

tasks::Batch batch_of_zeros(const nn::Transformer& model, std::size_t rows) {
  tasks::Batch batch = head_batch(model.config(), rows);
  for (auto& target : batch.targets) target = target == tasks::kNoTarget ? target : 0;
  return batch;
}

}  // namespace

TEST_CASE("attribution patching is exact where the loss is linear in z", "[attribution]") {
  const nn::Transformer model = linear_model();
  const tasks::Batch batch = batch_of_zeros(model, 11);
  ThreadPool pool(1);
  const HeadOutputs z = head_outputs(model, batch, pool);
  Rng rng(5);
  const double close = kDouble ? 1e-11 : 5e-4;
  for (const HeadOutputs& replacement :
       {zero_outputs(z), mean_outputs(z), mean_outputs(z, MeanOver::positions_too),
        resampled_outputs(z, other_rows(11, rng)), nearby(z, 3)}) {
    const PatchComparison both = compare_with_true(model, batch, replacement, pool, {.positions = true});
    CHECK(std::abs(both.estimated.loss - both.actual.loss) < close);
    for (std::size_t h = 0; h < 2; ++h) {
      CHECK(std::abs(both.estimated.heads[h].effect - both.actual.heads[h].effect) < close);
      double sum = 0;
      for (std::size_t at = 0; at < 6; ++at) {
        CHECK(std::abs(both.estimated.heads[h].at_position[at] - both.actual.heads[h].at_position[at]) <
              close);
        sum += both.actual.heads[h].at_position[at];
      }
      CHECK(std::abs(sum - both.actual.heads[h].effect) < close);
      CHECK(std::abs(both.actual.heads[h].effect) > 10 * close);
    }
    CHECK(*both.correlation == Approx(1).epsilon(1e-3));
    CHECK(*both.position_correlation == Approx(1).epsilon(1e-3));
  }
}

#ifdef HEADLIGHT_DOUBLE
TEST_CASE("for small changes attribution patching tends to the truth, for every part", "[attribution]") {
  for (const HeadSubject& subject : head_subjects()) {
    INFO(subject.name);
    const nn::Transformer model = head_model(subject.config);
    const tasks::Batch batch = head_batch(subject.config, 9);
    ThreadPool pool(1);
    const HeadOutputs z = head_outputs(model, batch, pool);
    const auto gaps = [&](double distance) {  // true - estimated, of each head
      const PatchComparison both = compare_with_true(model, batch, nearby(z, distance), pool);
      std::vector<double> result;
      for (std::size_t h = 0; h < both.actual.heads.size(); ++h) {
        CHECK(std::abs(both.actual.heads[h].effect) > 1e-9 * distance);
        result.push_back(both.actual.heads[h].effect - both.estimated.heads[h].effect);
      }
      return result;
    };
    const std::vector<double> far = gaps(1e-3), near = gaps(1e-4), none = gaps(1e-7);
    for (std::size_t h = 0; h < far.size(); ++h) {  // the gap falls as the square of the distance
      CHECK(std::abs(near[h] * 100 - far[h]) < 0.1 * std::abs(far[h]) + 1e-11);
      CHECK(std::abs(none[h]) < 1e-12);
    }
  }
}
#endif

TEST_CASE("a head patched with zeros is a head without an output", "[attribution]") {
  for (const HeadSubject& subject : head_subjects()) {
    INFO(subject.name);
    const nn::Transformer model = head_model(subject.config);
    const tasks::Batch batch = head_batch(subject.config, 9);
    ThreadPool pool(2);
    const HeadOutputs zero = zero_outputs(head_outputs(model, batch, pool));
    const PatchEffects effects = patch_heads(model, batch, zero, pool);
    CHECK(effects.heads.front().at_position.empty());
    const double loss = head_loss(model, batch, pool);
    for (const HeadEffect& effect : effects.heads) {
      const nn::Transformer without = nn::clone(model);
      const HeadMatrix W_O = head_matrices(without, effect.at).back();
      W_O.put(full_array({W_O.size()}, 0).data(), Tensor(W_O.parameter).mutable_array());
      INFO(head_code(effect.at));
      CHECK(std::abs(effect.effect - (head_loss(without, batch, pool) - loss)) < (kDouble ? 1e-12 : 1e-5));
    }
  }
}

TEST_CASE("a head patched at a position is the run with that row replaced", "[attribution]") {
  const HeadSubject subject = head_subjects().back();  // an encoder has another number of positions
  const nn::Transformer model = head_model(subject.config);
  const tasks::Batch batch = head_batch(subject.config, 5);
  ThreadPool pool(1);
  const HeadOutputs z = head_outputs(model, batch, pool), other = nearby(z, 1);
  const PatchEffects effects = patch_heads(model, batch, other, pool, {.positions = true});
  const std::vector<AttentionLayer> layers = attention_layers(subject.config);
  const double loss = head_loss(model, batch, pool);
  for (std::size_t h = 0; h < effects.heads.size(); ++h) {
    const std::size_t n = layers[h / 2].stack == Stack::encoder ? 4 : 6;
    REQUIRE(effects.heads[h].at_position.size() == n);
    Array changed = z[h / 2];
    for (std::size_t b = 0; b < 5; ++b)
      for (std::size_t d = 0; d < 4; ++d) changed(b, n - 1, h % 2, d) = other[h / 2](b, n - 1, h % 2, d);
    const nn::Hooks hooks{{z_name(layers[h / 2]), [&](const Tensor&) { return Tensor(changed); }}};
    const double by_hand = head_loss(model, batch, pool, LossOver::predictable, hooks) - loss;
    CHECK(std::abs(effects.heads[h].at_position[n - 1] - by_hand) < (kDouble ? 1e-12 : 1e-5));
  }
}

TEST_CASE("means are over sequences, or over positions too", "[attribution]") {
  Array z = Rng(4).normal_array({3, 2, 2, 2});
  const HeadOutputs by_place = mean_outputs({z}), overall = mean_outputs({z}, MeanOver::positions_too);
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t d = 0; d < 2; ++d) {
      double all = 0;
      for (std::size_t n = 0; n < 2; ++n) {
        double here = 0;
        for (std::size_t b = 0; b < 3; ++b) here += static_cast<double>(z(b, n, h, d));
        all += here;
        for (std::size_t b = 0; b < 3; ++b)
          CHECK(static_cast<double>(by_place[0](b, n, h, d)) == Approx(here / 3));
      }
      CHECK(static_cast<double>(overall[0](2, 1, h, d)) == Approx(all / 6));
    }
}

TEST_CASE("resampled outputs are those of other sequences", "[attribution]") {
  const Array z = Rng(4).normal_array({4, 2, 2, 2});
  const std::vector<std::size_t> rows{2, 0, 3, 1};
  const HeadOutputs other = resampled_outputs({z}, rows);
  for (std::size_t b = 0; b < 4; ++b) CHECK(other[0](b, 1, 0, 1) == z(rows[b], 1, 0, 1));
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    std::vector<std::size_t> drawn = other_rows(5, rng);
    for (std::size_t b = 0; b < 5; ++b) CHECK(drawn[b] != b);
    std::sort(drawn.begin(), drawn.end());
    CHECK(drawn == std::vector<std::size_t>{0, 1, 2, 3, 4});
  }
  Rng rng(1);
  CHECK(error_of([&] { (void)other_rows(1, rng); }) ==
        "[other_rows] expected at least 2 sequences to exchange, got 1.");
  CHECK(contains(error_of([&] {
                   (void)resampled_outputs({z}, std::vector<std::size_t>{0, 1, 2, 4});
                 }),
                 "there is no sequence 4: expected 0 … 3"));
  CHECK(contains(error_of([&] { (void)resampled_outputs({z}, std::vector<std::size_t>{0}); }),
                 "expected a row for each of 4 sequences, got 1"));
}

TEST_CASE("Pearson's correlation, where there is one", "[attribution]") {
  const std::vector<double> x{1, 2, 4, 7}, y{2, 1, 5, 9}, flat{3, 3, 3, 3};
  // By hand: x̄ = 3.5, ȳ = 4.25; Σdxdy = 27.5, Σdx² = 21, Σdy² = 38.75.
  CHECK(*pearson(x, y) == Approx(27.5 / std::sqrt(21 * 38.75)));
  CHECK(*pearson(x, std::vector<double>{-2, -4, -8, -14}) == Approx(-1));
  CHECK_FALSE(pearson(x, flat));
  CHECK_FALSE(pearson(flat, x));
  CHECK_FALSE(pearson(std::vector<double>{1}, std::vector<double>{2}));
  CHECK(contains(error_of([&] { (void)pearson(x, std::vector<double>{1}); }), "got 4 and 1"));
}

TEST_CASE("patches have the same bits for any number of threads", "[attribution]") {
  const HeadSubject subject = head_subjects()[1];
  const nn::Transformer model = head_model(subject.config);
  const tasks::Batch batch = head_batch(subject.config, 19);
  ThreadPool one(1), three(3);
  const HeadOutputs z = head_outputs(model, batch, one);
  for (std::size_t i = 0; i < z.size(); ++i) CHECK(same_numbers(z[i], head_outputs(model, batch, three)[i]));
  const PatchComparison a = compare_with_true(model, batch, mean_outputs(z), one),
                        b = compare_with_true(model, batch, mean_outputs(z), three);
  for (std::size_t h = 0; h < a.actual.heads.size(); ++h) {
    CHECK(a.actual.heads[h].effect == b.actual.heads[h].effect);
    CHECK(a.estimated.heads[h].effect == b.estimated.heads[h].effect);
  }
}

TEST_CASE("outputs of another model or batch are refused", "[attribution]") {
  const HeadSubject subject = head_subjects()[0];
  const nn::Transformer model = head_model(subject.config);
  const tasks::Batch batch = head_batch(subject.config, 4);
  ThreadPool pool(1);
  HeadOutputs z = head_outputs(model, head_batch(subject.config, 5), pool);
  CHECK(error_of([&] { (void)attribute_patches(model, batch, z, pool); }) ==
        "[patch] expected outputs of shape (4,6,2,4) for 'blocks.0.attn.hook_z', got (5,6,2,4).");
  z.pop_back();
  CHECK(contains(error_of([&] { (void)patch_heads(model, batch, z, pool); }),
                 "expected the outputs of 2 attention layers, got 1"));
}
