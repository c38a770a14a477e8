#include "run_without.h"

#include <fmt/core.h>

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/interpret/ablation.h"
#include "headlight/nn/one_sequence.h"
#include "page_cost.h"

namespace headlight::page {
namespace {

constexpr std::size_t kAllSetsOf = 10;   // heads of which every set is computed
constexpr std::size_t kMeanOver = 64;    // sequences
constexpr std::size_t kBytes = 600'000;  // that all predictions may take; the page compresses them to a third

constexpr interpret::Ablation kWays[] = {interpret::Ablation::mean, interpret::Ablation::zero};

// How many heads may be off at once, and of how many sequences there is room.
struct Reach {
  std::size_t most = 0, sequences = 0;
};

Reach extent_of(const nn::Transformer& model, std::size_t heads, std::size_t n, std::size_t examples) {
  const std::size_t d_vocab = model.config().d_vocab, token_bytes = d_vocab > 256 ? 2 : 1;
  if (d_vocab > kMostSwitchedVocabulary) return {};
  std::vector<std::size_t> sizes{2, 1};
  if (heads <= kAllSetsOf) sizes.insert(sizes.begin(), heads);
  for (const std::size_t most : sizes) {
    if (most > heads) continue;
    const std::size_t passes = std::size(kWays) * switched_sets(heads, most).size();
    const std::size_t bytes = passes * n * (token_bytes + 2);
    const auto by_time =
        static_cast<std::size_t>(kPageOperations / (static_cast<double>(passes) * operations_of(model, n)));
    const std::size_t sequences = std::min({kBytes / bytes, by_time, examples});
    if (sequences > 0) return {most, sequences};
  }
  return {};
}

std::vector<PageWithout::Way> described_ways() {
  return {{"mean", fmt::format("its mean over {} other sequences", kMeanOver)}, {"zero", "zero"}};
}

// How many of the first examples are no longer than the sequences whose mean outputs are used.
std::size_t fitting_examples(const std::vector<run::Example>& examples, const tasks::Batch& batch) {
  const std::size_t n = batch.tokens.shape()[1], m = batch.source.size() / kMeanOver;
  const auto longer = std::find_if(examples.begin(), examples.end(), [&](const run::Example& example) {
    return example.tokens.size() > n || example.source.size() > m;
  });
  return static_cast<std::size_t>(longer - examples.begin());
}

interpret::HeadSet chosen(const interpret::HeadSet& all, const std::vector<std::size_t>& numbers) {
  interpret::HeadSet heads;
  for (const std::size_t number : numbers) heads.push_back(all[number]);
  return heads;
}

SwitchedOff switched_off(const nn::Transformer& model, const run::Example& example,
                         const interpret::ActivationCache& outputs,
                         const std::vector<std::vector<std::size_t>>& sets) {
  const NoGrad no_grad;
  const interpret::HeadSet all = interpret::all_heads(model.config());
  const IntArray tokens = nn::one_sequence(example.tokens), source = nn::one_sequence(example.source);
  SwitchedOff off;
  for (const std::vector<std::size_t>& set : sets) {
    const nn::Hooks hooks = interpret::replace_outputs(model.config(), chosen(all, set), outputs);
    off.add(model(tokens, hooks, {source}).array(), example.targets, example.predictable);
  }
  return off;
}

}  // namespace

PageWithout without_by_engine(const run::Run& run) {
  std::vector<PageWithout::Way> ways = described_ways();
  ways.push_back({"resample", "its output on another sequence"});
  return {interpret::all_heads(run.model->config()).size(), std::move(ways)};
}

std::optional<PageWithout> page_without(const run::Run& run, const std::vector<run::Example>& examples,
                                        ThreadPool& pool) {
  const nn::Transformer& model = *run.model;
  const std::size_t heads = interpret::all_heads(model.config()).size();
  std::size_t n = 1;
  for (const run::Example& example : examples) n = std::max(n, example.tokens.size());
  const tasks::Batch batch = tasks::draw_batch(run.task, run.task.training, kMeanOver,
                                               Rng(run.config.train.seed).stream("mean outputs"));
  const std::size_t fitting = fitting_examples(examples, batch);
  const Reach extent = extent_of(model, heads, n, fitting);
  if (extent.most == 0) return {};
  const std::vector<std::vector<std::size_t>> sets = switched_sets(heads, extent.most);
  std::vector<interpret::ActivationCache> outputs;
  for (const interpret::Ablation way : kWays) outputs.push_back(interpret::outputs_for(way, model, batch));
  PageWithout page{extent.most, described_ways()};
  page.sequences.resize(extent.sequences, std::vector<SwitchedOff>(outputs.size()));
  try {
    pool.run(extent.sequences * outputs.size(), [&](std::size_t i) {
      const std::size_t sequence = i / outputs.size(), way = i % outputs.size();
      page.sequences[sequence][way] = switched_off(model, examples[sequence], outputs[way], sets);
    });
  } catch (const Error&) {  // of a model that diverged, where a head kept the numbers finite
    return {};
  }
  return page;
}

}  // namespace headlight::page
