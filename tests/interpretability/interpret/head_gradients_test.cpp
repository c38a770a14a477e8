#include "headlight/interpret/head_gradients.h"

#include "catch.h"
#include "headlight/interpret/hooks.h"
#include "interpret/head_subjects.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

// The loss with `by`·direction (all rows) added to one activation. One shard.
double shifted_loss(const nn::Transformer& model, const tasks::Batch& batch, const std::string& name,
                    const Array& direction, double by, LossOver over) {
  ThreadPool pool(1);
  return head_loss(model, batch, pool, over, {{name, [&](const Tensor& x) {
                                                 Array moved = x.array();
                                                 for (std::size_t i = 0; i < moved.size(); ++i)
                                                   moved.data()[i] +=
                                                       static_cast<Real>(by) * direction.data()[i];
                                                 return Tensor(moved);
                                               }}});
}

[[maybe_unused]] double slope(const nn::Transformer& model, const tasks::Batch& batch,
                              const std::string& name, const Array& direction,
                              LossOver over = LossOver::predictable) {
  return derivative_at_0([&](double by) { return shifted_loss(model, batch, name, direction, by, over); });
}

Shape shape_of(const Array& x) { return {x.shape().begin(), x.shape().end()}; }

// A random direction for one head alone: along axis 2 of z, axis 1 of patterns.
[[maybe_unused]] Array direction_of_head(const Array& like, std::size_t axis, std::size_t head, Rng& rng) {
  Array direction = rng.normal_array(shape_of(like));
  std::size_t below = 1;
  for (std::size_t i = axis + 1; i < like.dimension(); ++i) below *= like.shape()[i];
  for (std::size_t i = 0; i < direction.size(); ++i)
    if (i / below % like.shape()[axis] != head) direction.data()[i] = 0;
  return unit(direction);
}

}  // namespace

#ifdef HEADLIGHT_DOUBLE
TEST_CASE("gradients at z and patterns are the slopes of the loss, for every part", "[head_gradients]") {
  for (const HeadSubject& subject : head_subjects()) {
    INFO(subject.name);
    const nn::Transformer model = head_model(subject.config);
    const tasks::Batch batch = head_batch(subject.config);
    ThreadPool pool(1);
    const HeadGradients g = head_gradients(model, batch, pool, {.patterns = true});
    Rng rng(3);
    for (const LayerGradients& layer : g.layers)
      for (std::size_t head = 0; head < subject.config.n_heads; ++head) {
        INFO(layer.layer.pattern << " head " << head);
        const Array u = direction_of_head(layer.dz, 2, head, rng);
        CHECK(std::abs(product_of(layer.dz, u) - slope(model, batch, layer.layer.hook("hook_z"), u)) <
              kDifferences);
        const Array w = direction_of_head(layer.dpattern, 1, head, rng);
        CHECK(std::abs(product_of(layer.dpattern, w) - slope(model, batch, layer.layer.pattern, w)) <
              kDifferences);
        CHECK(std::abs(product_of(layer.dz, u)) > 1e-6);
      }
  }
}

TEST_CASE("gradients of all targets are the slopes of that loss", "[head_gradients]") {
  const HeadSubject subject = head_subjects()[0];
  const nn::Transformer model = head_model(subject.config);
  const tasks::Batch batch = head_batch(subject.config);
  ThreadPool pool(1);
  const HeadGradients g = head_gradients(model, batch, pool, {.over = LossOver::targets});
  Rng rng(3);
  const Array u = unit(rng.normal_array(shape_of(g.layers[0].dz)));
  CHECK(std::abs(product_of(g.layers[0].dz, u) -
                 slope(model, batch, "blocks.0.attn.hook_z", u, LossOver::targets)) < kDifferences);
}
#endif

TEST_CASE("the loss is the mean over the targets that count", "[head_gradients]") {
  const HeadSubject subject = head_subjects()[0];
  const nn::Transformer model = head_model(subject.config);
  const tasks::Batch batch = head_batch(subject.config, 19);
  ThreadPool pool(1);
  const Array logits = model(batch.tokens).array();
  const std::size_t vocab = subject.config.d_vocab;
  double sums[2] = {0, 0};
  std::size_t counts[2] = {0, 0};
  for (std::size_t i = 0; i < batch.targets.size(); ++i) {
    if (batch.targets.data()[i] == tasks::kNoTarget) continue;
    double total = 0;
    for (std::size_t v = 0; v < vocab; ++v) total += std::exp(double(logits.data()[i * vocab + v]));
    const double loss =
        std::log(total) - double(logits.data()[i * vocab + std::size_t(batch.targets.data()[i])]);
    sums[1] += loss, ++counts[1];
    if (batch.predictable.data()[i]) sums[0] += loss, ++counts[0];
  }
  CHECK(counts[0] < counts[1]);
  const double close = kDouble ? 1e-12 : 1e-5;
  CHECK(std::abs(head_loss(model, batch, pool) - sums[0] / double(counts[0])) < close);
  CHECK(std::abs(head_loss(model, batch, pool, LossOver::targets) - sums[1] / double(counts[1])) < close);
  CHECK(head_gradients(model, batch, pool).loss == head_loss(model, batch, pool));
  CHECK(head_gradients(model, batch, pool, {.patterns = true}).loss == head_loss(model, batch, pool));
}

TEST_CASE("a head's numbers are sums over its own gradients", "[head_gradients]") {
  for (const HeadSubject& subject : head_subjects()) {
    INFO(subject.name);
    const nn::Transformer model = head_model(subject.config);
    const tasks::Batch batch = head_batch(subject.config, 9);
    ThreadPool pool(1);
    const HeadGradients g = head_gradients(model, batch, pool, {.patterns = true});
    REQUIRE(g.heads.size() == all_heads(subject.config).size());
    for (std::size_t i = 0; i < g.heads.size(); ++i) {
      const LayerGradients& layer = g.layers[i / subject.config.n_heads];
      const std::size_t h = i % subject.config.n_heads, n = layer.z.shape()[1], m = layer.pattern.shape()[3];
      double z_squares = 0, z_product = 0, p_squares = 0, p_product = 0;
      for (std::size_t b = 0; b < 9; ++b)
        for (std::size_t q = 0; q < n; ++q) {
          for (std::size_t d = 0; d < layer.z.shape()[3]; ++d) {
            z_squares += std::pow(double(layer.dz(b, q, h, d)), 2);
            z_product += double(layer.dz(b, q, h, d)) * double(layer.z(b, q, h, d));
          }
          for (std::size_t k = 0; k < m; ++k) {
            p_product += double(layer.dpattern(b, h, q, k)) * double(layer.pattern(b, h, q, k));
            if (layer.pattern(b, h, q, k) > 0) p_squares += std::pow(double(layer.dpattern(b, h, q, k)), 2);
          }
        }
      const double close = kDouble ? 1e-12 : 1e-6;
      CHECK(std::abs(g.heads[i].z_norm - std::sqrt(z_squares)) < close);
      CHECK(std::abs(*g.heads[i].pattern_norm - std::sqrt(p_squares)) < close);
      CHECK(std::abs(g.heads[i].z_product - z_product) < close);
      CHECK(std::abs(g.heads[i].z_product - p_product) < close);  // z = P v
      CHECK(g.heads[i].at == all_heads(subject.config)[i]);
      CHECK(g.heads[i].z_norm > 0);
    }
  }
}

TEST_CASE("without patterns the gradients at z agree, and none at patterns are made", "[head_gradients]") {
  const HeadSubject subject = head_subjects()[8];
  const nn::Transformer model = head_model(subject.config);
  const tasks::Batch batch = head_batch(subject.config, 9);
  ThreadPool pool(1);
  const HeadGradients fused = head_gradients(model, batch, pool),
                      slow = head_gradients(model, batch, pool, {.patterns = true});
  CHECK(fused.layers[0].dpattern.size() <= 1);
  CHECK_FALSE(fused.heads[0].pattern_norm);
  for (std::size_t i = 0; i < fused.layers.size(); ++i) {
    CHECK(same_numbers(fused.layers[i].z, slow.layers[i].z));
    CHECK(difference(fused.layers[i].dz, slow.layers[i].dz) < kRounding);
  }
}

TEST_CASE("each sequence has its own rows, whichever shard it is in", "[head_gradients]") {
  const HeadSubject subject = head_subjects()[0];
  const nn::Transformer model = head_model(subject.config);
  const tasks::Batch batch = head_batch(subject.config, 19);
  ThreadPool pool(1);
  const HeadGradients g = head_gradients(model, batch, pool);
  const CachedRun run = run_with_cache(model, batch.tokens);
  for (const LayerGradients& layer : g.layers)
    CHECK(difference(layer.z, run.cache[layer.layer.hook("hook_z")]) < kRounding);
}

TEST_CASE("the number of threads changes no bit of the gradients", "[head_gradients]") {
  const HeadSubject subject = head_subjects()[1];
  const nn::Transformer model = head_model(subject.config);
  const tasks::Batch batch = head_batch(subject.config, 27);
  ThreadPool one(1), three(3);
  const HeadGradients a = head_gradients(model, batch, one, {.patterns = true}),
                      b = head_gradients(model, batch, three, {.patterns = true});
  CHECK(a.loss == b.loss);
  for (std::size_t i = 0; i < a.layers.size(); ++i) {
    CHECK(same_numbers(a.layers[i].dz, b.layers[i].dz));
    CHECK(same_numbers(a.layers[i].dpattern, b.layers[i].dpattern));
  }
  for (std::size_t i = 0; i < a.heads.size(); ++i) CHECK(a.heads[i].z_norm == b.heads[i].z_norm);
}

TEST_CASE("heads in another order have the same gradients", "[head_gradients]") {
  const HeadSubject subject = head_subjects()[0];
  const nn::Transformer model = head_model(subject.config), swapped = nn::clone(model);
  for (std::size_t head = 0; head < 2; ++head) {
    const auto from = head_matrices(model, {1, head}), to = head_matrices(swapped, {1, 1 - head});
    for (std::size_t i = 0; i < 4; ++i) {
      Array numbers = empty_array({from[i].size()});
      from[i].take(from[i].parameter.array(), numbers.data());
      Tensor(to[i].parameter).mutable_array();
      to[i].put(numbers.data(), Tensor(to[i].parameter).mutable_array());
    }
  }
  const tasks::Batch batch = head_batch(subject.config, 9);
  ThreadPool pool(1);
  const HeadGradients a = head_gradients(model, batch, pool, {.patterns = true}),
                      b = head_gradients(swapped, batch, pool, {.patterns = true});
  const double close = kDouble ? 1e-12 : 1e-6;
  for (const std::size_t head : {0u, 1u}) {
    CHECK(std::abs(a.heads[head].z_norm - b.heads[head].z_norm) < close);
    CHECK(std::abs(a.heads[2 + head].z_norm - b.heads[3 - head].z_norm) < close);
    CHECK(std::abs(*a.heads[2 + head].pattern_norm - *b.heads[3 - head].pattern_norm) < close);
  }
  CHECK(std::abs(a.heads[2].z_norm - a.heads[3].z_norm) > 1e-4);
}

TEST_CASE("a head's matrices are its columns and rows", "[head_gradients]") {
  for (const HeadSubject& subject : head_subjects()) {
    INFO(subject.name);
    const nn::Transformer model = head_model(subject.config);
    for (const HeadAt& at : all_heads(subject.config)) {
      const nn::MultiHeadAttention& a = attention_of(model, at);
      const std::size_t d = *a.config().d_head, H = a.config().n_heads, G = a.config().n_kv_heads;
      const std::size_t kv = at.head * G / H;
      const Array flat = head_parameters(model, at);
      const bool fused = a.W_QKV.defined();
      const auto& Q = fused ? a.W_QKV.array() : a.W_Q.array();
      const auto& K = fused ? a.W_QKV.array() : a.W_K.array();
      const auto& V = fused ? a.W_QKV.array() : a.W_V.array();
      bool same = flat.size() == 4 * subject.config.d_model * d;
      for (std::size_t r = 0, at_flat = 0; same && r < subject.config.d_model; ++r)
        for (std::size_t c = 0; c < d; ++c, ++at_flat) {
          const std::size_t part = subject.config.d_model * d;
          same = same && flat(at_flat) == Q(r, at.head * d + c) &&
                 flat(part + at_flat) == K(r, (fused ? H * d : 0) + kv * d + c) &&
                 flat(2 * part + at_flat) == V(r, (fused ? (H + G) * d : 0) + kv * d + c) &&
                 flat(3 * part + c * subject.config.d_model + r) == a.W_O.array()(at.head * d + c, r);
        }
      CHECK(same);
    }
  }
}

TEST_CASE("a batch without a target that counts is refused", "[head_gradients]") {
  const HeadSubject subject = head_subjects()[0];
  const nn::Transformer model = head_model(subject.config);
  tasks::Batch batch = head_batch(subject.config);
  ThreadPool pool(1);
  CHECK(natural_loss(batch) == LossOver::predictable);
  batch.predictable = BoolArray({3, 6}, false);
  CHECK(natural_loss(batch) == LossOver::targets);
  CHECK(error_of([&] { (void)head_gradients(model, batch, pool); }) ==
        "[head_loss] the batch has no predictable target. Hint: LossOver::targets counts all targets.");
  std::fill(batch.targets.begin(), batch.targets.end(), tasks::kNoTarget);
  CHECK(error_of([&] { (void)head_loss(model, batch, pool, LossOver::targets); }) ==
        "[head_loss] the batch has no target.");
  CHECK(error_of([&] {
          (void)attention_of(model, {0, 0, Stack::cross});
        }) ==
        "there are no heads of cross-attention: the model's architecture is 'decoder'. Hint: an "
        "encoder-decoder has them.");
}
