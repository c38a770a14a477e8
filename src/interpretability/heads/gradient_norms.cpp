#include "headlight/interpret/gradient_norms.h"

#include <algorithm>
#include <cmath>

#include "headlight/autograd/backward.h"
#include "headlight/core/check.h"
#include "shards.h"

namespace headlight::interpret {
namespace {

// The parameters that hold matrices of heads, each once.
struct HeadTables {
  std::vector<Tensor> parameters;
  std::vector<std::vector<HeadMatrix>> matrices;    // of each head
  std::vector<std::vector<std::size_t>> parameter;  // of each head's matrices, in `parameters`

  explicit HeadTables(const nn::Transformer& model) {
    for (const HeadAt& head : all_heads(model.config())) {
      matrices.push_back(head_matrices(model, head));
      parameter.emplace_back();
      for (const HeadMatrix& m : matrices.back()) {
        const auto known = std::find_if(parameters.begin(), parameters.end(),
                                        [&](const Tensor& p) { return same_node(p, m.parameter); });
        parameter.back().push_back(static_cast<std::size_t>(known - parameters.begin()));
        if (known == parameters.end()) parameters.push_back(m.parameter);
      }
    }
  }
};

// What one shard adds to the loss, to the parameters' gradients and to ‖dL/dz‖² of each head.
struct ShardNorms {
  double loss = 0;
  std::vector<Array> gradients;
  std::vector<double> z_squares;
};

ShardNorms shard_norms(const nn::Transformer& model, const Shard& shard, const HeadTables& tables) {
  const RecordingScope record(true);
  const std::vector<AttentionLayer> layers = attention_layers(model.config());
  std::vector<Tensor> inputs(layers.size());  // z of each layer, then the parameters
  nn::Hooks hooks;
  for (std::size_t i = 0; i < layers.size(); ++i)
    hooks.add(layers[i].hook("hook_z"), [&inputs, i](const Tensor& z) {
      inputs[i] = z;
      return Tensor();
    });
  const Tensor loss = shard_loss(model, shard, hooks);
  inputs.insert(inputs.end(), tables.parameters.begin(), tables.parameters.end());
  const std::vector<Tensor> gradients = grad(loss, inputs, {.allow_unused = true});

  const std::size_t n_heads = model.config().n_heads;
  ShardNorms norms{static_cast<double>(loss.item()), {}, std::vector<double>(layers.size() * n_heads)};
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Array& dz = gradients[i].array();  // (b,n,H,d_value)
    const std::size_t width = dz.shape()[3];
    for (std::size_t row = 0; row < dz.size() / width; ++row)
      norms.z_squares[i * n_heads + row % n_heads] += sum_of_squares(dz.data() + row * width, width);
  }
  for (std::size_t i = layers.size(); i < gradients.size(); ++i)
    norms.gradients.push_back(gradients[i].array());
  return norms;
}

void add_to(ShardNorms& sum, const ShardNorms& part) {
  sum.loss += part.loss;
  for (std::size_t i = 0; i < sum.z_squares.size(); ++i) sum.z_squares[i] += part.z_squares[i];
  for (std::size_t i = 0; i < sum.gradients.size(); ++i)
    for (std::size_t j = 0; j < sum.gradients[i].size(); ++j)
      sum.gradients[i].data()[j] += part.gradients[i].data()[j];
}

HeadNorms norms_of_head(const HeadAt& at, const ShardNorms& sum, const std::vector<HeadMatrix>& matrices,
                        const std::vector<std::size_t>& parameter, double z_squares) {
  HeadNorms norms{.at = at};
  double squares[4];
  for (std::size_t i = 0; i < 4; ++i) {
    Array own = empty_array({matrices[i].size()});
    matrices[i].take(sum.gradients[parameter[i]], own.data());
    squares[i] = sum_of_squares(own.data(), own.size());
  }
  norms.W_Q = std::sqrt(squares[0]), norms.W_K = std::sqrt(squares[1]);
  norms.W_V = std::sqrt(squares[2]), norms.W_O = std::sqrt(squares[3]);
  norms.parameters = std::sqrt(squares[0] + squares[1] + squares[2] + squares[3]);
  norms.z = std::sqrt(z_squares);
  check(std::isfinite(norms.parameters) && std::isfinite(norms.z),
        "[head_gradient_norms] the gradient of {} is not finite: the model's parameters are too large or "
        "damaged.",
        head_words(at));
  return norms;
}

NormsAtStep norms_on(const nn::Transformer& model, const std::vector<Shard>& shards, ThreadPool& pool) {
  const HeadTables tables(model);
  std::vector<ShardNorms> parts(shards.size());
  pool.run(shards.size(), [&](std::size_t s) { parts[s] = shard_norms(model, shards[s], tables); });
  for (std::size_t s = 1; s < parts.size(); ++s) add_to(parts[0], parts[s]);
  NormsAtStep result{0, parts[0].loss, {}};
  const std::vector<HeadAt> heads = all_heads(model.config());
  for (std::size_t h = 0; h < heads.size(); ++h)
    result.heads.push_back(
        norms_of_head(heads[h], parts[0], tables.matrices[h], tables.parameter[h], parts[0].z_squares[h]));
  return result;
}

}  // namespace

NormsAtStep head_gradient_norms(const nn::Transformer& model, const tasks::Batch& batch, ThreadPool& pool,
                                LossOver over) {
  return norms_on(model, shards_of(batch, over), pool);
}

std::vector<NormsAtStep> head_gradient_norms(const nn::Transformer& model,
                                             const std::vector<train::Snapshot>& snapshots,
                                             const tasks::Batch& batch, ThreadPool& pool, LossOver over) {
  const std::vector<Shard> shards = shards_of(batch, over);
  nn::Transformer then = nn::clone(model);
  std::vector<NormsAtStep> result;
  for (const train::Snapshot& snapshot : snapshots) {
    train::set_weights(then, snapshot.weights, fmt::format("the snapshot of step {}", snapshot.step));
    result.push_back(norms_on(then, shards, pool));
    result.back().step = snapshot.step;
  }
  return result;
}

std::vector<LearningStart> learning_starts(const std::vector<NormsAtStep>& norms, double fraction,
                                           FractionOf of, double HeadNorms::*norm) {
  check(!norms.empty(), "[learning_starts] there are no snapshots. Hint: train with --history 40.");
  check(fraction >= 0 && fraction < 1,
        "[learning_starts] expected a fraction from 0 to below 1 of the largest norm, got {}.", fraction);
  std::vector<LearningStart> starts;
  double largest = 0;
  for (std::size_t h = 0; h < norms[0].heads.size(); ++h) {
    LearningStart& start = starts.emplace_back();
    start.at = norms[0].heads[h].at;
    start.largest_step = norms[0].step;
    for (const NormsAtStep& then : norms) {
      check(then.heads.size() == norms[0].heads.size(),
            "[learning_starts] the norms are of models with different heads.");
      if (then.heads[h].*norm <= start.largest) continue;
      start.largest = then.heads[h].*norm;
      start.largest_step = then.step;
    }
    largest = std::max(largest, start.largest);
  }
  for (std::size_t h = 0; h < starts.size(); ++h) {
    const double bound = fraction * (of == FractionOf::largest ? largest : starts[h].largest);
    const auto first = std::find_if(norms.begin(), norms.end(),
                                    [&](const NormsAtStep& then) { return then.heads[h].*norm > bound; });
    if (first != norms.end()) starts[h].first_step = first->step;
  }
  return starts;
}

std::vector<LearningStart> by_start(std::vector<LearningStart> starts) {
  std::stable_sort(starts.begin(), starts.end(), [](const LearningStart& a, const LearningStart& b) {
    return a.first_step && (!b.first_step || *a.first_step < *b.first_step);
  });
  return starts;
}

}  // namespace headlight::interpret
