#include "headlight/experiment/patterns.h"

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/core/kernels.h"
#include "headlight/report/head_table.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

interpret::CachedRun patterns_of(const nn::Transformer& model, const std::vector<std::int32_t>& tokens) {
  IntArray input = IntArray::from_shape({1, tokens.size()});
  std::copy(tokens.begin(), tokens.end(), input.begin());
  return interpret::run_with_cache(model, input,
                                   [](const std::string& name) { return name.ends_with("hook_pattern"); });
}

report::Heatmap pattern_map(const nn::Transformer& model, const tasks::Task& task,
                            const std::vector<std::int32_t>& tokens, std::size_t layer, std::size_t head,
                            const std::string& title) {
  const nn::TransformerConfig& c = model.config();
  check(layer < c.n_layers, "there is no layer {}: the model has layers 0 … {}.", layer, c.n_layers - 1);
  check(head < c.n_heads, "there is no head {}: each layer has heads 0 … {}.", head, c.n_heads - 1);
  const auto run = patterns_of(model, tokens);
  const Array& all = run.cache[interpret::pattern_name(layer)];
  check(std::all_of(all.begin(), all.end(), [](Real w) { return std::isfinite(w); }),
        "the patterns of layer {} are not finite: the model's weights are too large or damaged.", layer);
  const Array one = kernels::slice(all, 1, head, 1, 1);  // (1,1,n,n)
  report::Heatmap map{kernels::reshape(one, {tokens.size(), tokens.size()}), {}, {}, title};
  for (const std::int32_t token : tokens) map.queries.push_back(task.vocabulary.text(token));
  map.keys = map.queries;
  return map;
}

std::string pattern_title(const std::vector<interpret::HeadScores>& scores, std::size_t layer,
                          std::size_t head) {
  for (const interpret::HeadScores& s : scores)
    if (s.layer == layer && s.head == head)
      return fmt::format("Layer {}, head {}: {}", layer, head, report::head_role(s));
  return fmt::format("Layer {}, head {}", layer, head);
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
