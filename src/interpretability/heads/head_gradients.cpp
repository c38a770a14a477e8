#include "headlight/interpret/head_gradients.h"

#include <algorithm>
#include <cmath>

#include "headlight/autograd/backward.h"
#include "headlight/core/check.h"
#include "shards.h"

namespace headlight::interpret {
namespace {

// The activations of a pass, kept by hooks that change nothing: z of every layer, then the patterns.
struct KeptTensors {
  std::vector<Tensor> activations;
  nn::Hooks hooks;

  KeptTensors(const std::vector<AttentionLayer>& layers, bool patterns)
      : activations(layers.size() * (patterns ? 2 : 1)) {
    for (std::size_t i = 0; i < layers.size(); ++i) {
      keep(layers[i].hook("hook_z"), i);
      if (patterns) keep(layers[i].pattern, layers.size() + i);
    }
  }
  KeptTensors(const KeptTensors&) = delete;  // the hooks refer to the activations
  KeptTensors& operator=(const KeptTensors&) = delete;

 private:
  void keep(const std::string& name, std::size_t i) {
    hooks.add(name, [this, i](const Tensor& activation) {
      activations[i] = activation;
      return Tensor();
    });
  }
};

struct ShardGradients {
  double loss = 0;
  std::vector<Array> activations, gradients;  // as in KeptTensors
};

ShardGradients shard_gradients(const nn::Transformer& model, const Shard& shard,
                               const std::vector<AttentionLayer>& layers, bool patterns) {
  const RecordingScope record(true);
  KeptTensors kept(layers, patterns);
  const Tensor loss = shard_loss(model, shard, kept.hooks);
  ShardGradients result{static_cast<double>(loss.item()), {}, {}};
  for (const Tensor& x : kept.activations) result.activations.push_back(x.array());
  for (const Tensor& g : grad(loss, kept.activations)) result.gradients.push_back(g.array());
  return result;
}

// The rows of all shards: activation i of each.
Array joined_rows(const std::vector<Shard>& shards, const std::vector<ShardGradients>& parts,
                  std::vector<Array> ShardGradients::*of, std::size_t i, std::size_t rows) {
  Array all = array_of_rows((parts[0].*of)[i], rows);
  for (std::size_t s = 0; s < shards.size(); ++s) put_rows((parts[s].*of)[i], shards[s].first, all);
  return all;
}

void sum_up_z(const LayerGradients& layer, HeadGradient* heads) {
  const std::size_t n_heads = layer.z.shape()[2], width = layer.z.shape()[3];
  for (std::size_t row = 0; row < layer.z.size() / width; ++row) {
    HeadGradient& head = heads[row % n_heads];
    head.z_norm += sum_of_squares(layer.dz.data() + row * width, width);
    head.z_product += dot(layer.dz.data() + row * width, layer.z.data() + row * width, width);
  }
  for (std::size_t h = 0; h < n_heads; ++h) heads[h].z_norm = std::sqrt(heads[h].z_norm);
}

void sum_up_pattern(const LayerGradients& layer, const BoolArray& visible, HeadGradient* heads) {
  const std::size_t n_heads = layer.pattern.shape()[1], cells = visible.size();
  std::vector<double> squares(n_heads);
  const Real* gradient = layer.dpattern.data();
  for (std::size_t map = 0; map < layer.pattern.size() / cells; ++map)
    for (std::size_t i = 0; i < cells; ++i, ++gradient)
      if (visible.data()[i]) squares[map % n_heads] += sum_of_squares(gradient, 1);
  for (std::size_t h = 0; h < n_heads; ++h) heads[h].pattern_norm = std::sqrt(squares[h]);
}

void check_finite(const HeadGradient& head) {
  check(std::isfinite(head.z_norm) && std::isfinite(head.z_product) &&
            std::isfinite(head.pattern_norm.value_or(0)),
        "[head_gradients] the gradient of {} is not finite: the model's parameters are too large or damaged.",
        head_words(head.at));
}

}  // namespace

HeadGradients head_gradients(const nn::Transformer& model, const tasks::Batch& batch, ThreadPool& pool,
                             const HeadGradientOptions& options) {
  const std::vector<Shard> shards = shards_of(batch, options.over);
  const std::vector<AttentionLayer> layers = attention_layers(model.config());
  std::vector<ShardGradients> parts(shards.size());
  pool.run(shards.size(),
           [&](std::size_t s) { parts[s] = shard_gradients(model, shards[s], layers, options.patterns); });

  HeadGradients result;
  for (const ShardGradients& part : parts) result.loss += part.loss;
  for (const HeadAt& at : all_heads(model.config())) result.heads.push_back({at, 0, 0, {}});
  const std::size_t rows = batch.tokens.shape()[0], n_heads = model.config().n_heads;
  const auto joined = [&](auto of, std::size_t i) { return joined_rows(shards, parts, of, i, rows); };
  for (std::size_t i = 0; i < layers.size(); ++i) {
    LayerGradients& layer = result.layers.emplace_back();
    layer.layer = layers[i];
    layer.z = joined(&ShardGradients::activations, i);
    layer.dz = joined(&ShardGradients::gradients, i);
    sum_up_z(layer, &result.heads[i * n_heads]);
    if (!options.patterns) continue;
    layer.pattern = joined(&ShardGradients::activations, layers.size() + i);
    layer.dpattern = joined(&ShardGradients::gradients, layers.size() + i);
    const AttentionOptions with = attention_of(model, result.heads[i * n_heads].at).options({});
    sum_up_pattern(layer, visible_keys(layer.pattern.shape()[2], layer.pattern.shape()[3], with),
                   &result.heads[i * n_heads]);
  }
  for (const HeadGradient& head : result.heads) check_finite(head);
  return result;
}

}  // namespace headlight::interpret
