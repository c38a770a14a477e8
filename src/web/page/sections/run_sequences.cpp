#include "run_sequences.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "headlight/core/check.h"
#include "headlight/core/math.h"
#include "headlight/core/row_kernels.h"
#include "headlight/interpret/attribution.h"
#include "headlight/nn/one_sequence.h"
#include "headlight/run/run_files.h"
#include "headlight/studies/patterns.h"
#include "page/compress.h"
#include "run_terms.h"

namespace headlight::page {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kExamples = 6;
constexpr std::size_t kGuesses = 5;

// The bytes that the patterns of the examples, and those along training, may take; base64 adds a third.
constexpr std::size_t kExampleBytes = 9'000'000;
constexpr std::size_t kHistoryBytes = 3'000'000;

void add_patterns(PackedPatterns& packed, const interpret::CachedRun& run, interpret::Stack stack,
                  const nn::TransformerConfig& config) {
  for (const interpret::AttentionLayer& layer : interpret::attention_layers(config))
    if (layer.stack == stack) packed.add(run.cache[layer.pattern]);
}

PackedPatterns patterns_for(int bits, std::size_t cell, interpret::Stack stack,
                            const nn::TransformerConfig& config) {
  const bool causal = interpret::layer_of(config, {0, 0, stack}).causal;
  return PackedPatterns(bits, cell, causal ? Sight::causal : Sight::full,
                        stack == interpret::Stack::cross ? 0 : config.window);
}

// The most likely next tokens at every row of logits (…,d_vocab), the most likely first.
std::vector<std::vector<Guess>> guesses_of(const Array& logits, std::size_t most = kGuesses) {
  const std::size_t vocab = logits.shape().back();
  std::vector<std::vector<Guess>> all;
  std::vector<std::int32_t> order(vocab);
  for (std::size_t t = 0; t < logits.size() / vocab; ++t) {
    const Real* row = logits.data() + t * vocab;
    const kernels::SoftmaxSum sum = kernels::softmax_sum_row(row, vocab);
    check(std::isfinite(kernels::minus_log_softmax(sum, sum.max)),
          "the model's predictions are not finite: its parameters are too large or damaged.");
    std::iota(order.begin(), order.end(), 0);
    const auto shown = static_cast<std::ptrdiff_t>(std::min(most, vocab));
    std::partial_sort(order.begin(), order.begin() + shown, order.end(),
                      [&](auto a, auto b) { return row[a] > row[b]; });
    auto& guesses = all.emplace_back();
    for (std::ptrdiff_t k = 0; k < shown; ++k)
      guesses.push_back(
          {order[k], math::exp(-static_cast<double>(kernels::minus_log_softmax(sum, row[order[k]])))});
  }
  return all;
}

// [token, probability] of the guess after each layer but the last, at each position.
ordered_json lens_json(const nn::Transformer& model, const run::Example& example) {
  const Array lens = interpret::logit_lens(model, nn::one_sequence(example.tokens),
                                           {.source = nn::one_sequence(example.source)});
  const std::size_t layers = model.config().n_layers, n = example.tokens.size();
  const std::vector<std::vector<Guess>> guesses = guesses_of(lens, 1);
  ordered_json json = ordered_json::array();
  for (std::size_t i = 0; i < layers * n; ++i) {
    if (i % n == 0) json.push_back(ordered_json::array());
    json.back().push_back({guesses[i][0].token, std::round(1e4 * guesses[i][0].probability) / 1e4});
  }
  return json;
}

// The patterns of a model's heads on an example, stack by stack.
std::vector<PackedPatterns> packed_stacks(const interpret::CachedRun& run, std::size_t cell,
                                          const nn::TransformerConfig& config) {
  std::vector<PackedPatterns> stacks;
  for (const interpret::Stack stack : stacks_of(config)) {
    stacks.push_back(patterns_for(16, cell, stack, config));
    add_patterns(stacks.back(), run, stack, config);
  }
  return stacks;
}

ordered_json view_json(interpret::Stack stack, const run::Example& example, const PackedPatterns& patterns) {
  const auto &queries = studies::queries_of(stack, example), &keys = studies::keys_of(stack, example);
  ordered_json json = {{"tokens", queries}, {"patterns", patterns_json(patterns)}};
  if (&queries != &keys && !keys.empty()) json["keys"] = keys;
  return json;
}

ordered_json sequence_json(const Shown& s, const interpret::CachedRun& run, std::size_t cell,
                           const nn::Transformer& model) {
  const nn::TransformerConfig& config = model.config();
  const run::Example& example = s.example;
  ordered_json guesses = ordered_json::array();
  for (const auto& position : s.guesses) {
    ordered_json& list = guesses.emplace_back(ordered_json::array());
    for (const Guess& g : position) list.push_back({g.token, g.probability});
  }
  const std::vector<PackedPatterns> patterns = packed_stacks(run, cell, config);
  ordered_json json = {
      {"label", example.label},
      {"tokens", example.tokens},
      {"targets", example.targets},
      {"predictable", std::vector<int>(example.predictable.begin(), example.predictable.end())},
      {"guesses", std::move(guesses)},
      {"lens", lens_json(model, example)},
      {"patterns", patterns_json(patterns.front())}};
  if (!example.repeats.empty()) json["repeats"] = example.repeats;
  for (std::size_t i = 1; i < patterns.size(); ++i)
    json["views"].push_back(view_json(stacks_of(config)[i], example, patterns[i]));
  return json;
}

// The smallest cell at which the given number of patterns (n,n) fit into the given bytes.
std::size_t fitting_cell(std::size_t n, std::size_t patterns, int bits, std::size_t bytes) {
  std::size_t cell = 1;
  while (cell < n && patterns * PackedPatterns(bits, cell).bytes_of_pattern(n, n) > bytes) ++cell;
  return cell;
}

}  // namespace

ordered_json patterns_json(const PackedPatterns& p, std::size_t sets) {
  ordered_json json = {{"bits", p.bits()},       {"cell", p.cell()}, {"causal", p.sight() == Sight::causal},
                       {"queries", p.queries()}, {"keys", p.keys()}, {"data", compressed_json(p, sets)}};
  if (p.window() > 0) json["window"] = p.window();
  return json;
}

Sequences page_sequences(const run::Run& run, const std::vector<run::Example>& own) {
  const nn::TransformerConfig& config = run.model->config();
  const std::size_t heads = interpret::all_heads(config).size();
  const std::size_t n = std::max(run.task.config.n_ctx, run.task.n_source);
  const std::size_t cell = fitting_cell(n, 2 * heads, 16, kExampleBytes);
  const std::size_t room = kExampleBytes / (heads * PackedPatterns(16, cell).bytes_of_pattern(n, n));
  std::vector<run::Example> examples = own;
  for (run::Example& example :
       run::examples(run.task, run.config.train.seed, std::clamp<std::size_t>(room, 1, kExamples)))
    examples.push_back(std::move(example));
  Sequences sequences{{}, ordered_json::array()};
  for (run::Example& example : examples) {
    const interpret::CachedRun cached = studies::patterns_of(*run.model, example);
    sequences.shown.push_back({std::move(example), guesses_of(cached.logits)});
    sequences.json.push_back(sequence_json(sequences.shown.back(), cached, cell, *run.model));
  }
  return sequences;
}

ordered_json history_json(nn::Transformer& model, std::vector<train::Snapshot> snapshots,
                          const run::Example& example) {
  const nn::TransformerConfig& c = model.config();
  const std::vector<interpret::Stack> stacks = stacks_of(c);
  const std::size_t n = std::max(example.tokens.size(), example.source.size());
  const std::size_t cell =
      fitting_cell(n, snapshots.size() * stacks.size() * c.n_layers * c.n_heads, 8, kHistoryBytes);
  std::vector<PackedPatterns> views;
  for (const interpret::Stack stack : stacks) views.push_back(patterns_for(8, cell, stack, c));
  ordered_json steps = ordered_json::array();
  const std::string file = run::files::kHistory;
  for (train::Snapshot& snapshot : snapshots) {
    train::set_weights(model, std::move(snapshot.weights), file);
    steps.push_back(snapshot.step);
    const interpret::CachedRun run = studies::patterns_of(model, example);
    studies::check_patterns(run, file, snapshot.step);
    for (std::size_t i = 0; i < stacks.size(); ++i) add_patterns(views[i], run, stacks[i], c);
  }
  ordered_json json = {{"steps", std::move(steps)}, {"patterns", patterns_json(views[0], snapshots.size())}};
  for (std::size_t i = 1; i < views.size(); ++i)
    json["views"].push_back(patterns_json(views[i], snapshots.size()));
  return json;
}

}  // namespace headlight::page
