#include "headlight/interpret/attribution_patching.h"

#include "catch.h"
#include "interpret/head_subjects.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

ActivationCache nearby(const ActivationCache& z, double distance) {
  Rng rng(11);
  ActivationCache moved;
  for (const std::string& name : z.names()) {
    Array layer = z[name];
    for (Real& x : layer) x += static_cast<Real>(distance * rng.normal());
    moved.put(name, std::move(layer));
  }
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
  const ActivationCache z = outputs_of(model, batch);
  const double close = kDouble ? 1e-11 : 5e-4;
  for (const ActivationCache& replacement :
       {no_outputs(model), mean_outputs(model, batch), outputs_of(model, head_batch(model.config(), 11, 77)),
        nearby(z, 3)}) {
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
    const ActivationCache z = outputs_of(model, batch);
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
    const PatchEffects effects = measure_patches(model, batch, no_outputs(model), pool);
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
  const ActivationCache z = outputs_of(model, batch), other = nearby(z, 1);
  const PatchEffects effects = measure_patches(model, batch, other, pool, {.positions = true});
  const std::vector<AttentionLayer> layers = attention_layers(subject.config);
  const double loss = head_loss(model, batch, pool);
  for (std::size_t h = 0; h < effects.heads.size(); ++h) {
    const std::size_t n = layers[h / 2].stack == Stack::encoder ? 4 : 6;
    REQUIRE(effects.heads[h].at_position.size() == n);
    const std::string name = layers[h / 2].hook("hook_z");
    Array changed = z[name];
    for (std::size_t b = 0; b < 5; ++b)
      for (std::size_t d = 0; d < 4; ++d) changed(b, n - 1, h % 2, d) = other[name](b, n - 1, h % 2, d);
    const nn::Hooks hooks{{name, [&](const Tensor&) { return Tensor(changed); }}};
    const double by_hand = head_loss(model, batch, pool, LossOver::predictable, hooks) - loss;
    CHECK(std::abs(effects.heads[h].at_position[n - 1] - by_hand) < (kDouble ? 1e-12 : 1e-5));
  }
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

TEST_CASE("Spearman's correlation is that of the ranks", "[attribution]") {
  const std::vector<double> x{1, 2, 4, 7}, y{2, 1, 5, 900};  // ranks 1 2 3 4 and 2 1 3 4: Σd² = 2
  CHECK(*spearman(x, y) == Approx(1 - 6 * 2.0 / (4 * 15)));
  // Equal numbers share a rank: 1.5 1.5 3 and 1 2 3.
  CHECK(*spearman(std::vector<double>{5, 5, 9}, std::vector<double>{-1, 0, 4}) ==
        Approx(*pearson(std::vector<double>{1.5, 1.5, 3}, std::vector<double>{1, 2, 3})));
  CHECK_FALSE(spearman(x, std::vector<double>{3, 3, 3, 3}));
}

TEST_CASE("patches have the same bits for any number of threads", "[attribution]") {
  const HeadSubject subject = head_subjects()[1];
  const nn::Transformer model = head_model(subject.config);
  const tasks::Batch batch = head_batch(subject.config, 19);
  ThreadPool one(1), three(3);
  const ActivationCache mean = mean_outputs(model, batch);
  const PatchComparison a = compare_with_true(model, batch, mean, one),
                        b = compare_with_true(model, batch, mean, three);
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
  const ActivationCache z = outputs_of(model, head_batch(subject.config, 5));
  CHECK(error_of([&] { (void)attribute_patches(model, batch, z, pool); }) ==
        "[patch] expected outputs of shape (4,6,2,4) for 'blocks.0.attn.hook_z', got (5,6,2,4).");
  ActivationCache one_layer;
  one_layer.put("blocks.0.attn.hook_z", outputs_of(model, batch)["blocks.0.attn.hook_z"]);
  CHECK(contains(error_of([&] { (void)measure_patches(model, batch, one_layer, pool); }),
                 "blocks.1.attn.hook_z"));
}
