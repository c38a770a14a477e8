#include "run_terms.h"

#include <algorithm>
#include <map>

#include "headlight/autograd/recording.h"
#include "headlight/core/check.h"
#include "headlight/interpret/attribution.h"
#include "headlight/interpret/circuits.h"
#include "headlight/nn/one_sequence.h"
#include "headlight/nn/positions.h"
#include "page/packed_numbers.h"

namespace headlight::page {
namespace {

using nlohmann::ordered_json;

// Sources as the page names them, and which of the sources each part is made of.
struct Grouped {
  ordered_json parts = ordered_json::array();
  std::vector<std::size_t> part_of;  // of each source
};

ordered_json part_json(const interpret::Source& source, const nn::TransformerConfig& c) {
  using Kind = interpret::SourceKind;
  switch (source.kind) {
    case Kind::embed:
      return {"embed", 0};
    case Kind::pos_embed:
      return {"pos_embed", 0};
    case Kind::head:
      return {"head", head_number(*source.head, c)};
    case Kind::mlp:
      return {"mlp", source.layer};
    case Kind::bias:
      break;
  }
  return {"bias", 0};
}

Grouped grouped(const std::vector<interpret::Source>& sources, const nn::TransformerConfig& c) {
  using Kind = interpret::SourceKind;
  Grouped result;
  std::map<std::size_t, std::size_t> biases;  // of each position
  for (const interpret::Source& source : sources) {
    const auto known = biases.find(source.back);
    if (source.kind == Kind::bias && known != biases.end()) {
      result.part_of.push_back(known->second);
      continue;
    }
    result.part_of.push_back(result.parts.size());
    if (source.kind == Kind::bias) biases[source.back] = result.parts.size();
    result.parts.push_back(part_json(source, c));
  }
  return result;
}

// x (S,n,d), summed over the sources of each part, with a step for each part.
ordered_json packed_parts(const Array& x, const Grouped& groups) {
  const std::size_t n = x.shape()[1], d = x.shape()[2];
  Array sums = full_array({groups.parts.size(), n, d}, 0);
  for (std::size_t s = 0; s < groups.part_of.size(); ++s)
    for (std::size_t i = 0; i < n * d; ++i)
      sums.data()[groups.part_of[s] * n * d + i] += x.data()[s * n * d + i];
  return packed_numbers(sums, groups.parts.size());
}

// The bias of query - key = 1-n … n-1.
ordered_json packed_bias(const Array& bias) {
  const std::size_t n = bias.shape()[0];
  Array by_distance = empty_array({2 * n - 1});
  for (std::size_t i = 0; i < n; ++i) {
    by_distance.data()[n - 1 + i] = bias(i, 0);
    by_distance.data()[n - 1 - i] = bias(0, i);
  }
  return packed_numbers(by_distance);
}

ordered_json score_json(const nn::Transformer& model, const interpret::HeadScoreSources& h) {
  const Grouped groups = grouped(h.sources, model.config()), of_keys = grouped(h.key_sources, model.config());
  ordered_json json = {
      {"parts", groups.parts}, {"q", packed_parts(h.q, groups)}, {"k", packed_parts(h.k, of_keys)}};
  if (const auto own = interpret::share_of_own_key(model, h.at)) json["smear"] = *own;
  if (std::any_of(h.bias.begin(), h.bias.end(), [](Real x) { return x != 0; }))
    json["bias"] = packed_bias(h.bias);
  if (h.cap != 0) json["cap"] = h.cap;
  const nn::MultiHeadAttention& attn = model.blocks[h.at.layer].attn;
  if (attn.sinks.defined()) json["sink"] = static_cast<double>(attn.sinks.array().data()[h.at.head]);
  if (const std::size_t window = model.config().window; window != 0) json["window"] = window;
  return json;
}

// W_U less its mean over the vocabulary.
Array centred_unembedding(const nn::Transformer& model) {
  const nn::TransformerConfig& c = model.config();
  const Array& W = c.tied_embeddings ? model.embed.W.array() : model.unembed.W.array();
  Array U = empty_array({c.d_model, c.d_vocab});
  for (std::size_t i = 0; i < c.d_model; ++i) {
    double mean = 0;
    for (std::size_t t = 0; t < c.d_vocab; ++t)
      mean += static_cast<double>(c.tied_embeddings ? W(t, i) : W(i, t)) / static_cast<double>(c.d_vocab);
    for (std::size_t t = 0; t < c.d_vocab; ++t)
      U(i, t) = static_cast<Real>(static_cast<double>(c.tied_embeddings ? W(t, i) : W(i, t)) - mean);
  }
  return U;
}

// What each source contributes to the logits of the predictions that the page lists, less the mean.
Array contributions_of(const Array& x, const Array& U, const Shown& s) {
  std::size_t listed = 0;
  for (const auto& guesses : s.guesses) listed = std::max(listed, guesses.size());
  const std::size_t n = x.shape()[1], d = x.shape()[2];
  Array values = full_array({x.shape()[0], n, listed + 1}, 0);
  const auto put = [&](std::size_t i, std::size_t place, std::int32_t token) {
    check(token >= 0 && static_cast<std::size_t>(token) < U.shape()[1],
          "[report] the vocabulary has no token {}.", token);
    for (std::size_t source = 0; source < x.shape()[0]; ++source) {
      double sum = 0;
      for (std::size_t c = 0; c < d; ++c)
        sum +=
            static_cast<double>(x(source, i, c)) * static_cast<double>(U(c, static_cast<std::size_t>(token)));
      values(source, i, place) = static_cast<Real>(sum);
    }
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t g = 0; i < s.guesses.size() && g < s.guesses[i].size(); ++g)
      put(i, g, s.guesses[i][g].token);
    if (const auto& targets = s.example.targets; i < targets.size() && targets[i] >= 0)
      put(i, listed, targets[i]);
  }
  return values;
}

}  // namespace

std::vector<interpret::Stack> stacks_of(const nn::TransformerConfig& config) {
  std::vector<interpret::Stack> stacks;
  for (const interpret::AttentionLayer& layer : interpret::attention_layers(config))
    if (layer.layer == 0) stacks.push_back(layer.stack);
  return stacks;
}

std::size_t head_number(const interpret::HeadAt& at, const nn::TransformerConfig& c) {
  const interpret::HeadSet all = interpret::all_heads(c);
  const auto found = std::find(all.begin(), all.end(), at);
  check(found != all.end(), "[report] the model has no head {}.", interpret::head_code(at));
  return static_cast<std::size_t>(found - all.begin());
}

std::vector<double> turn_of(const nn::Transformer& model) {
  const nn::MultiHeadAttentionConfig& c = model.blocks[0].attn.config();
  const nn::Positions& kind = nn::positions().find(c.positions);
  if (!kind.rotation || c.n_ctx < 2) return {};
  const std::size_t d = *c.d_head;
  Array unit = full_array({d, 1, d}, 0);
  for (std::size_t i = 0; i < d; ++i) unit(i, 0, i) = 1;
  const Array turned = kind.rotation(nn::position_sizes(c))(Tensor(std::move(unit)), 1).array();
  return {turned.begin(), turned.end()};
}

ordered_json terms_json(const nn::Transformer& model, const Shown& s) {
  const NoGrad no_grad;
  const nn::TransformerConfig& c = model.config();
  const IntArray tokens = nn::one_sequence(s.example.tokens);
  const nn::Given given{nn::one_sequence(s.example.source)};
  ordered_json heads = ordered_json::array();
  for (const interpret::HeadScoreSources& h : interpret::factored_scores(model, tokens, given).heads)
    heads.push_back(score_json(model, h));
  const interpret::LogitSources logits = interpret::factored_logits(model, tokens, given);
  const Grouped groups = grouped(logits.sources, c);
  return {
      {"heads", std::move(heads)},
      {"logits",
       {{"parts", groups.parts},
        {"contributions", packed_parts(contributions_of(logits.x, centred_unembedding(model), s), groups)}}}};
}

}  // namespace headlight::page
