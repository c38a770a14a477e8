#include "headlight/studies/patterns.h"

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/core/finite.h"
#include "headlight/core/kernels.h"
#include "headlight/nn/one_sequence.h"
#include "headlight/ops/attention.h"
#include "headlight/studies/head_table.h"

namespace headlight::studies {

namespace {

std::vector<std::string> texts_of(const tasks::Task& task, const std::vector<std::int32_t>& tokens) {
  std::vector<std::string> texts;
  for (const std::int32_t token : tokens) texts.push_back(task.vocabulary.text(token));
  return texts;
}

// Nothing where every query sees every key.
std::optional<BoolArray> keys_seen(const nn::TransformerConfig& config,
                                   const interpret::AttentionLayer& layer, std::size_t queries,
                                   std::size_t keys) {
  AttentionOptions options{.causal = layer.causal};
  if (config.window > 0 && layer.stack != interpret::Stack::cross) options.window = config.window;
  if (!options.causal && !options.window) return std::nullopt;
  return visible_keys(queries, keys, options);
}

}  // namespace

interpret::CachedRun patterns_of(const nn::Transformer& model, const run::Example& example) {
  return interpret::run_with_cache(model, nn::one_sequence(example.tokens),
                                   interpret::hooks_named("attn.hook_pattern"), {},
                                   {nn::one_sequence(example.source)});
}

void check_patterns(const interpret::CachedRun& run, const std::string& file, std::int64_t step) {
  for (const std::string& name : run.cache.names())
    check(all_finite(run.cache[name]),
          "'{}' has parameters of step {} that are too large: their {} is not finite.", file, step, name);
}

const std::vector<std::int32_t>& queries_of(interpret::Stack stack, const run::Example& example) {
  return stack == interpret::Stack::encoder ? example.source : example.tokens;
}

const std::vector<std::int32_t>& keys_of(interpret::Stack stack, const run::Example& example) {
  return stack == interpret::Stack::self ? example.tokens : example.source;
}

draw::Heatmap pattern_map(const nn::Transformer& model, const tasks::Task& task, const run::Example& example,
                          const interpret::HeadAt& head, const std::string& title) {
  const interpret::AttentionLayer layer = interpret::layer_of(model.config(), head);
  const std::string& name = layer.pattern;
  const auto run = patterns_of(model, example);
  const Array& all = run.cache[name];  // (1,H,n,m)
  check(std::all_of(all.begin(), all.end(), [](Real w) { return std::isfinite(w); }),
        "the patterns of layer {} are not finite: the model's parameters are too large or damaged.",
        head.layer);
  const Array one = kernels::slice(all, 1, head.head, 1, 1);  // (1,1,n,m)
  return {kernels::reshape(one, {all.shape()[2], all.shape()[3]}),
          texts_of(task, queries_of(head.stack, example)), texts_of(task, keys_of(head.stack, example)),
          title, keys_seen(model.config(), layer, all.shape()[2], all.shape()[3])};
}

std::string pattern_title(const std::vector<interpret::HeadScores>& scores, const interpret::HeadAt& head) {
  std::string words = interpret::head_words(head);
  words[0] = 'L';
  for (const interpret::HeadScores& s : scores)
    if (s.at() == head) return fmt::format("{}: {}", words, interpret::head_role(s));
  return words;
}

interpret::HeadAt head_to_show_first(const std::vector<interpret::HeadScores>& scores) {
  const char* score = interpret::score_to_show_first(scores);
  return interpret::is_scored(scores, score) ? interpret::best_head(scores, score).at() : interpret::HeadAt{};
}

}  // namespace headlight::studies
