#include "puzzle_model.h"

#include <fmt/core.h>

#include "headlight/core/check.h"
#include "headlight/core/thread_pool.h"
#include "headlight/nn/module.h"
#include "headlight/ops/ops.h"
#include "headlight/system/files.h"
#include "headlight/system/sha256.h"
#include "headlight/train/safetensors.h"
#include "headlight/train/trainer.h"
#include "headlight/train/weights.h"

namespace headlight::puzzles {
namespace {

IntArray tokens_of(const std::vector<Numbers>& inputs) {
  IntArray tokens = IntArray::from_shape({inputs.size(), inputs.at(0).size()});  // (B,n)
  for (std::size_t b = 0; b < inputs.size(); ++b)
    for (std::size_t i = 0; i < inputs[b].size(); ++i) tokens(b, i) = inputs[b][i];
  return tokens;
}

// The largest logit at the last position, of each sequence.
std::vector<int> answers_in(const Array& logits) {  // (B,n,V)
  std::vector<int> answers;
  const std::size_t last = logits.shape()[1] - 1;
  for (std::size_t b = 0; b < logits.shape()[0]; ++b) {
    int best = 0;
    for (std::size_t v = 1; v < logits.shape()[2]; ++v)
      if (logits(b, last, v) > logits(b, last, static_cast<std::size_t>(best))) best = static_cast<int>(v);
    answers.push_back(best);
  }
  return answers;
}

tasks::Batch batch_of(const std::vector<Numbers>& inputs) {
  const IntArray tokens = tokens_of(inputs);
  return {tokens, tokens, BoolArray(tokens.shape(), false), {}};
}

}  // namespace

nn::TransformerConfig config_of(const Recipe& recipe) {
  constexpr std::size_t kWidth = 32;
  nn::TransformerConfig config;
  config.n_layers = recipe.layers;
  config.n_heads = recipe.heads;
  config.d_model = kWidth;
  config.d_mlp = recipe.mlp ? 4 * kWidth : 0;
  config.d_vocab = static_cast<std::size_t>(recipe.numbers);
  config.n_ctx = static_cast<std::size_t>(recipe.length);
  config.positions = "learned";
  return config;
}

train::TrainConfig training_of(const Recipe& recipe) {
  train::TrainConfig config;
  config.steps = recipe.steps, config.batch = 64, config.shards = 2, config.seed = recipe.seed;
  config.learning_rate = 5e-3, config.schedule = "cosine", config.weight_decay = 0.05;
  return config;
}

void train_model(nn::Transformer& model, const Recipe& recipe, const AfterStep& after) {
  const std::vector<Numbers> inputs = inputs_of(recipe, recipe.trained_on);
  const int length = recipe.length;
  const std::size_t numbers = model.config().d_vocab;
  ThreadPool pool(1);  // a step is too small to divide
  train::Trainer trainer(
      nn::parameters(model), train::Loss([&](const train::Examples& examples) {
        Rng rng = examples.rng;
        std::vector<Numbers> drawn;
        IntArray targets = IntArray::from_shape({examples.count});
        for (std::size_t i = 0; i < examples.count; ++i) {
          drawn.push_back(inputs[rng.below(inputs.size())]);
          targets(i) = recipe.target(drawn.back());
        }
        const Tensor logits = slice(model(tokens_of(drawn)), 1, length - 1, length);  // (B,1,V)
        return train::SummedLoss{cross_entropy(reshape(logits, {-1, static_cast<int>(numbers)}), targets,
                                               {.reduction = Reduction::sum}),
                                 examples.count};
      }),
      training_of(recipe), pool);
  for (int step = 0; step < recipe.steps; ++step) {
    const train::StepReport report = trainer.step();
    if (after) after(report);
  }
}

PuzzleModel::PuzzleModel(const Puzzle& puzzle, const std::filesystem::path& folder)
    : model_([&] {
        Rng rng(puzzle.recipe.seed);
        return nn::Transformer(config_of(puzzle.recipe), rng);
      }()) {
  const std::filesystem::path file = folder / fmt::format("puzzle_{}.safetensors", puzzle.number);
  const std::string& wanted = puzzle.recipe.hash;
  if (std::filesystem::exists(file)) {
    const std::string bytes = train::read_safetensors(file);
    hash_ = sha256(bytes);
    if (hash_ == wanted) {
      train::set_weights(model_, train::safetensors_from(bytes, file.string()).arrays, file.string());
      return;
    }
  }
  train_model(model_, puzzle.recipe);
  const std::string bytes = train::to_safetensors(model_);
  hash_ = sha256(bytes);
  check(
      wanted.empty() || hash_ == wanted,
      "the model of puzzle {} came out with other bits than its recipe names ({} instead of {}), so its answer may be "
      "another. Hint: a processor without fused multiply-add has other bits.",
      puzzle.number, hash_.substr(0, 12), wanted.substr(0, 12));
  std::filesystem::create_directories(folder);
  write_file(file, bytes);
}

std::vector<int> PuzzleModel::answers(const std::vector<Numbers>& inputs) const {
  const NoGrad off;
  return answers_in(model_(tokens_of(inputs)).array());
}

std::vector<int> PuzzleModel::swapped(const std::vector<Numbers>& inputs, const std::vector<Numbers>& from,
                                      const interpret::HeadSet& heads, Where where) const {
  const NoGrad off;
  const interpret::ActivationCache other = interpret::outputs_of(model_, batch_of(from));
  const std::vector<std::size_t> last{model_.config().n_ctx - 1};
  const nn::Hooks hooks = interpret::replace_outputs(model_.config(), heads, other,
                                                     where == Where::last ? last : decltype(last){});
  return answers_in(interpret::run_with_hooks(model_, tokens_of(inputs), hooks).array());
}

std::vector<std::vector<double>> PuzzleModel::attention(const std::vector<Numbers>& inputs,
                                                        const interpret::HeadAt& head,
                                                        std::size_t query) const {
  const std::string name = interpret::pattern_name(head.layer);
  const interpret::CachedRun run =
      interpret::run_with_cache(model_, tokens_of(inputs), interpret::hooks_named(name));
  const Array& pattern = run.cache[name];  // (B,H,n,n)
  std::vector<std::vector<double>> rows;
  for (std::size_t b = 0; b < inputs.size(); ++b) {
    rows.emplace_back();
    for (std::size_t key = 0; key <= query; ++key)
      rows.back().push_back(static_cast<double>(pattern(b, head.head, query, key)));
  }
  return rows;
}

}  // namespace headlight::puzzles
