#include "headlight/interpret/attribution_patching.h"

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/interpret/head_gradients.h"
#include "heads/shards.h"

namespace headlight::interpret {
namespace {

constexpr std::size_t kAllPositions = static_cast<std::size_t>(-1);  // a patch at all positions

// One true patch: a head, at one position or at all.
struct HeadPatch {
  HeadAt at;
  std::size_t layer;  // in attention_layers()
  std::size_t position = kAllPositions;
};

// z' of each layer, (B,n,H,d_value), written out where all sequences or all positions have the same.
std::vector<Array> written_out(const ActivationCache& outputs, const nn::Transformer& model,
                               const tasks::Batch& batch) {
  std::vector<Array> all;
  for (const AttentionLayer& layer : attention_layers(model.config())) {
    const IntArray& queries = layer.stack == Stack::encoder ? batch.source : batch.tokens;
    const std::size_t B = queries.shape()[0], n = queries.shape()[1];
    const auto config = attention_of(model, {layer.layer, 0, layer.stack}).config();
    const Array& given = outputs[layer.hook("hook_z")];
    const Shape expected{B, n, config.n_heads, *config.d_value};
    Shape fitted = given.shape();
    for (std::size_t axis = 0; axis < std::min<std::size_t>(2, fitted.size()); ++axis)
      if (fitted[axis] == 1) fitted[axis] = expected[axis];
    check(fitted == expected, "[patch] expected outputs of shape {} for '{}', got {}.", expected,
          layer.hook("hook_z"), given.shape());
    Array& full = all.emplace_back(empty_array(expected));
    const std::size_t width = config.n_heads * *config.d_value;
    const bool one_sequence = given.shape()[0] == 1, one_position = given.shape()[1] == 1;
    for (std::size_t b = 0; b < B; ++b)
      for (std::size_t i = 0; i < n; ++i)
        std::copy_n(
            given.data() + ((one_sequence ? 0 : b) * given.shape()[1] + (one_position ? 0 : i)) * width,
            width, full.data() + (b * n + i) * width);
  }
  return all;
}

// z (b,n,H,d) with the patch's head taken from rows first … of the replacement (B,n,H,d).
Tensor with_head_from(const Tensor& z, const HeadPatch& patch, const Array& replacement, std::size_t first) {
  Array changed = z.array();
  const std::size_t n = z.length(1), heads = z.length(2), width = z.length(3);
  const Real* from = replacement.data() + first * n * heads * width;
  for (std::size_t row = 0; row < z.length(0) * n; ++row) {
    if (patch.position != kAllPositions && row % n != patch.position) continue;
    const std::size_t at = (row * heads + patch.at.head) * width;
    std::copy_n(from + at, width, changed.data() + at);
  }
  return Tensor(std::move(changed));
}

// All heads everywhere, then each head at each position where that is wanted.
std::vector<HeadPatch> plan_patches(const nn::TransformerConfig& config,
                                    const std::vector<Array>& replacement, bool positions) {
  std::vector<HeadPatch> patches;
  const HeadSet heads = all_heads(config);
  for (std::size_t i = 0; i < heads.size(); ++i) patches.push_back({heads[i], i / config.n_heads});
  for (std::size_t i = 0; positions && i < heads.size(); ++i) {
    const std::size_t layer = i / config.n_heads;
    for (std::size_t at = 0; at < replacement[layer].shape()[1]; ++at)
      patches.push_back({heads[i], layer, at});
  }
  return patches;
}

double loss_of_shard(const nn::Transformer& model, const Shard& shard, const nn::Hooks& hooks) {
  const NoGrad no_grad;
  return static_cast<double>(shard_loss(model, shard, hooks).item());
}

// The effects (patches) of all patches. Each shard's difference is taken by itself, which loses fewer digits
// than the difference of the sums.
std::vector<double> true_effects(const nn::Transformer& model, const std::vector<Shard>& shards,
                                 const std::vector<HeadPatch>& patches, const std::vector<Array>& replacement,
                                 const std::vector<double>& plain, ThreadPool& pool) {
  const std::vector<AttentionLayer> layers = attention_layers(model.config());
  std::vector<double> effects(patches.size());
  pool.run(patches.size(), [&](std::size_t p) {
    const HeadPatch& patch = patches[p];
    for (std::size_t s = 0; s < shards.size(); ++s) {
      const nn::Hooks hooks{{layers[patch.layer].hook("hook_z"), [&](const Tensor& z) {
                               return with_head_from(z, patch, replacement[patch.layer], shards[s].first);
                             }}};
      effects[p] += loss_of_shard(model, shards[s], hooks) - plain[s];
    }
  });
  return effects;
}

std::vector<double> numbers_of_effects(const PatchEffects& effects, bool positions) {
  std::vector<double> numbers;
  for (const HeadEffect& head : effects.heads) {
    if (!positions) numbers.push_back(head.effect);
    if (positions) numbers.insert(numbers.end(), head.at_position.begin(), head.at_position.end());
  }
  return numbers;
}

}  // namespace

PatchEffects attribute_patches(const nn::Transformer& model, const tasks::Batch& batch,
                               const ActivationCache& outputs, ThreadPool& pool, LossOver over) {
  const std::vector<Array> replacement = written_out(outputs, model, batch);
  const HeadGradients gradients = head_gradients(model, batch, pool, {.over = over});
  PatchEffects result{gradients.loss, {}};
  for (const HeadGradient& head : gradients.heads) result.heads.push_back({head.at, 0, {}});
  for (std::size_t i = 0; i < gradients.layers.size(); ++i) {
    const Array &z = gradients.layers[i].z, &dz = gradients.layers[i].dz;
    const std::size_t n = z.shape()[1], heads = z.shape()[2], width = z.shape()[3];
    for (std::size_t h = 0; h < heads; ++h) result.heads[i * heads + h].at_position.resize(n);
    for (std::size_t j = 0; j < z.size(); ++j) {
      const std::size_t head = j / width % heads, position = j / (width * heads) % n;
      result.heads[i * heads + head].at_position[position] +=
          static_cast<double>(dz.data()[j]) *
          (static_cast<double>(replacement[i].data()[j]) - static_cast<double>(z.data()[j]));
    }
  }
  for (HeadEffect& head : result.heads)
    for (const double part : head.at_position) head.effect += part;
  return result;
}

PatchEffects measure_patches(const nn::Transformer& model, const tasks::Batch& batch,
                             const ActivationCache& outputs, ThreadPool& pool, const PatchOptions& options) {
  const std::vector<Array> replacement = written_out(outputs, model, batch);
  const std::vector<Shard> shards = shards_of(batch, options.over);
  std::vector<double> plain(shards.size());
  pool.run(shards.size(), [&](std::size_t s) { plain[s] = loss_of_shard(model, shards[s], {}); });
  const std::vector<HeadPatch> patches = plan_patches(model.config(), replacement, options.positions);
  const std::vector<double> effects = true_effects(model, shards, patches, replacement, plain, pool);

  PatchEffects result;
  for (const double part : plain) result.loss += part;
  std::size_t next = 0;
  for (const HeadAt& at : all_heads(model.config())) result.heads.push_back({at, effects[next++], {}});
  for (std::size_t h = 0; options.positions && h < result.heads.size(); ++h)
    for (std::size_t at = 0; at < replacement[h / model.config().n_heads].shape()[1]; ++at)
      result.heads[h].at_position.push_back(effects[next++]);
  return result;
}

PatchComparison compare_with_true(const nn::Transformer& model, const tasks::Batch& batch,
                                  const ActivationCache& replacement, ThreadPool& pool,
                                  const PatchOptions& options) {
  PatchComparison both{attribute_patches(model, batch, replacement, pool, options.over),
                       measure_patches(model, batch, replacement, pool, options),
                       {},
                       {}};
  both.correlation =
      pearson(numbers_of_effects(both.estimated, false), numbers_of_effects(both.actual, false));
  if (options.positions)
    both.position_correlation =
        pearson(numbers_of_effects(both.estimated, true), numbers_of_effects(both.actual, true));
  return both;
}

std::optional<double> pearson(std::span<const double> x, std::span<const double> y) {
  check(x.size() == y.size(), "[pearson] expected as many x as y, got {} and {}.", x.size(), y.size());
  if (x.size() < 2) return {};
  const auto count = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mean_x += x[i] / count, mean_y += y[i] / count;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = x[i] - mean_x, dy = y[i] - mean_y;
    xx += dx * dx, xy += dx * dy, yy += dy * dy;
  }
  const double scale = std::sqrt(xx) * std::sqrt(yy);
  if (!(scale > 0)) return {};
  return std::clamp(xy / scale, -1.0, 1.0);
}

std::optional<double> spearman(std::span<const double> x, std::span<const double> y) {
  const auto ranks = [](std::span<const double> numbers) {
    std::vector<double> sorted(numbers.begin(), numbers.end()), result;
    std::sort(sorted.begin(), sorted.end());
    for (const double number : numbers) {
      const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), number);
      result.push_back(static_cast<double>((first - sorted.begin()) + (last - sorted.begin())) / 2);
    }
    return result;
  };
  return pearson(ranks(x), ranks(y));
}

}  // namespace headlight::interpret
