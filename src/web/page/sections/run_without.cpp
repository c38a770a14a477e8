#include "run_without.h"

#include <fmt/core.h>

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/interpret/ablation.h"
#include "headlight/nn/one_sequence.h"
#include "page/page_cost.h"
#include "page/switched_off.h"

namespace headlight::page {
namespace {

using nlohmann::ordered_json;

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

ordered_json described_ways() {
  return ordered_json::array(
      {{"mean", fmt::format("its mean over {} other sequences", kMeanOver)}, {"zero", "zero"}});
}

// How many of the first examples are no longer than the sequences whose mean outputs are used.
std::size_t fitting_examples(const std::vector<Shown>& shown, const tasks::Batch& batch) {
  const std::size_t n = batch.tokens.shape()[1], m = batch.source.size() / kMeanOver;
  const auto longer = std::find_if(shown.begin(), shown.end(), [&](const Shown& s) {
    return s.example.tokens.size() > n || s.example.source.size() > m;
  });
  return static_cast<std::size_t>(longer - shown.begin());
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

ordered_json without_by_engine(const run::Run& run) {
  ordered_json ways = described_ways();
  ways.push_back({"resample", "its output on another sequence"});
  return {{"most", interpret::all_heads(run.model->config()).size()},
          {"ways", std::move(ways)},
          {"sequences", ordered_json::array()}};
}

ordered_json without_json(const run::Run& run, const std::vector<Shown>& shown, ThreadPool& pool) {
  const nn::Transformer& model = *run.model;
  const std::size_t heads = interpret::all_heads(model.config()).size();
  std::size_t n = 1;
  for (const Shown& s : shown) n = std::max(n, s.example.tokens.size());
  const tasks::Batch batch = tasks::draw_batch(run.task, run.task.training, kMeanOver,
                                               Rng(run.config.train.seed).stream("mean outputs"));
  const Reach extent = extent_of(model, heads, n, fitting_examples(shown, batch));
  if (extent.most == 0) return nullptr;
  const std::vector<std::vector<std::size_t>> sets = switched_sets(heads, extent.most);
  std::vector<interpret::ActivationCache> outputs;
  for (const interpret::Ablation way : kWays) outputs.push_back(interpret::outputs_for(way, model, batch));
  std::vector<ordered_json> found(extent.sequences * outputs.size());
  try {
    pool.run(found.size(), [&](std::size_t i) {
      const run::Example& example = shown[i / outputs.size()].example;
      found[i] = switched_off_json(switched_off(model, example, outputs[i % outputs.size()], sets), example,
                                   heads, extent.most);
    });
  } catch (const Error&) {  // of a model that diverged, where a head kept the numbers finite
    return nullptr;
  }
  ordered_json sequences = ordered_json::array();
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i % outputs.size() == 0) sequences.push_back(ordered_json::array());
    sequences.back().push_back(std::move(found[i]));
  }
  return {{"most", extent.most}, {"ways", described_ways()}, {"sequences", std::move(sequences)}};
}

}  // namespace headlight::page
