// A small transformer that learns to copy, with the addition of its shards' gradients left open.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "headlight/autograd/backward.h"
#include "headlight/nn/transformer.h"
#include "headlight/ops/ops.h"
#include "headlight/optim/adam.h"
#include "headlight/tasks/batch.h"

namespace headlight {

// The gradients of all shards, in the order of the shards: a row of numbers for each.
using Gradients = std::vector<std::vector<double>>;

// Adds up the rows, number by number.
using AddUp = std::function<std::vector<double>(const Gradients& rows)>;

// Neighbours first, then neighbouring sums.
inline std::vector<double> add_in_tree(Gradients rows) {
  for (std::size_t width = 1; width < rows.size(); width *= 2)
    for (std::size_t i = 0; i + width < rows.size(); i += 2 * width)
      for (std::size_t j = 0; j < rows[i].size(); ++j) rows[i][j] += rows[i + width][j];
  return rows[0];
}

// Two layers of one head, d = 16, on sequences of 16 tokens whose segment repeats. A step reads 32 sequences
// in 8 shards and uses AdamW. Two of these with the same rate and the same additions have the same bits after
// each step.
class SmallTraining {
 public:
  static constexpr std::size_t kShards = 8, kRowsOfShard = 4, kTokens = 16;

  explicit SmallTraining(double rate)
      : task_(tasks::make_task({.name = "repeat", .d_vocab = 12, .n_ctx = kTokens})),
        model_(fresh_model()),
        parameters_(nn::parameters(model_)),
        optimizer_(parameters_, {.learning_rate = rate}) {}

  // All weights, one after the other.
  std::vector<double> weights() const {
    std::vector<double> all;
    for (const Tensor& p : parameters_) all.insert(all.end(), p.array().begin(), p.array().end());
    return all;
  }

  // The first number of the embedding.
  double& first_weight() { return parameters_[0].mutable_array()(0, 0); }

  // The gradients of the shards of the next step.
  Gradients shard_gradients() {
    loss_ = 0;
    Gradients rows;
    for (std::size_t shard = 0; shard < kShards; ++shard) rows.push_back(gradient_of(shard));
    return rows;
  }

  // One step. Returns the loss of its batch, before the weights change.
  double step(const AddUp& add_up = add_in_tree) {
    const std::vector<double> sum = add_up(shard_gradients());
    std::vector<const Real*> of_parameters;
    const Real* at = sum.data();
    for (const Tensor& p : parameters_) of_parameters.push_back(std::exchange(at, at + p.size()));
    optimizer_.step(of_parameters);
    ++steps_;
    return loss_;
  }

 private:
  static nn::Transformer fresh_model() {
    Rng rng(1);
    return nn::Transformer({.n_layers = 2, .d_model = 16, .n_heads = 1, .d_vocab = 12, .n_ctx = kTokens},
                           rng);
  }

  std::vector<double> gradient_of(std::size_t shard) {
    const std::size_t first = (steps_ * kShards + shard) * kRowsOfShard;
    const tasks::Batch rows = tasks::draw_training_batch(task_, kRowsOfShard, Rng(1).stream("data"), first);
    const Tensor sum = cross_entropy(model_(rows.tokens), rows.targets,
                                     {.ignore_index = tasks::kNoTarget, .reduction = Reduction::sum});
    const Tensor loss = sum / static_cast<double>(kShards * kRowsOfShard * kTokens);
    loss_ += loss.item();
    std::vector<double> numbers;
    for (const Tensor& g : grad(loss, parameters_))
      numbers.insert(numbers.end(), g.array().begin(), g.array().end());
    return numbers;
  }

  tasks::Task task_;
  nn::Transformer model_;
  std::vector<Tensor> parameters_;
  optim::AdamW optimizer_;
  std::size_t steps_ = 0;
  double loss_ = 0;
};

}  // namespace headlight
