#include <algorithm>
#include <utility>

#include "headlight/core/check.h"
#include "headlight/interpret/attribution_patching.h"
#include "headlight/interpret/hooks.h"
#include "interpret/shards.h"

namespace headlight::inline HEADLIGHT_PRECISION::interpret {

HeadOutputs head_outputs(const nn::Transformer& model, const tasks::Batch& batch, ThreadPool& pool) {
  const std::vector<Shard> shards = shards_of_rows(batch);
  const std::vector<AttentionLayer> layers = attention_layers(model.config());
  std::vector<HeadOutputs> parts(shards.size());
  pool.run(shards.size(), [&](std::size_t s) {
    const auto is_z = [](const std::string& name) { return name.ends_with(".hook_z"); };
    const CachedRun run = run_with_cache(model, shards[s].batch.tokens, is_z, {}, {shards[s].batch.source});
    for (const AttentionLayer& layer : layers) parts[s].push_back(run.cache[z_name(layer)]);
  });
  HeadOutputs z;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    z.push_back(array_of_rows(parts[0][i], batch.tokens.shape()[0]));
    for (std::size_t s = 0; s < shards.size(); ++s) put_rows(parts[s][i], shards[s].first, z.back());
  }
  return z;
}

HeadOutputs zero_outputs(const HeadOutputs& z) {
  HeadOutputs zero;
  for (const Array& layer : z)
    zero.push_back(full_array(Shape(layer.shape().begin(), layer.shape().end()), 0));
  return zero;
}

HeadOutputs mean_outputs(const HeadOutputs& z, MeanOver over) {
  HeadOutputs mean = z;
  for (Array& layer : mean) {
    const std::size_t rows = layer.shape()[0] * (over == MeanOver::positions_too ? layer.shape()[1] : 1);
    const std::size_t width = layer.size() / rows;
    std::vector<double> sums(width);
    for (std::size_t i = 0; i < layer.size(); ++i) sums[i % width] += static_cast<double>(layer.data()[i]);
    for (std::size_t i = 0; i < layer.size(); ++i)
      layer.data()[i] = static_cast<Real>(sums[i % width] / static_cast<double>(rows));
  }
  return mean;
}

HeadOutputs resampled_outputs(const HeadOutputs& z, std::span<const std::size_t> rows) {
  HeadOutputs other = z;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const std::size_t count = z[i].shape()[0], width = z[i].size() / count;
    check(rows.size() == count, "[resampled_outputs] expected a row for each of {} sequences, got {}.", count,
          rows.size());
    for (std::size_t b = 0; b < count; ++b) {
      check(rows[b] < count, "[resampled_outputs] there is no sequence {}: expected 0 … {}.", rows[b],
            count - 1);
      std::copy_n(z[i].data() + rows[b] * width, width, other[i].data() + b * width);
    }
  }
  return other;
}

// Sattolo's algorithm: one cycle through all sequences, so that none keeps its place.
std::vector<std::size_t> other_rows(std::size_t sequences, Rng& rng) {
  check(sequences >= 2, "[other_rows] expected at least 2 sequences to exchange, got {}.", sequences);
  std::vector<std::size_t> rows(sequences);
  for (std::size_t i = 0; i < sequences; ++i) rows[i] = i;
  for (std::size_t i = sequences - 1; i > 0; --i) std::swap(rows[i], rows[rng.below(i)]);
  return rows;
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::interpret
