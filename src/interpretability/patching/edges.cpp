#include "headlight/interpret/edges.h"

#include <algorithm>
#include <map>

#include "headlight/autograd/backward.h"
#include "headlight/core/check.h"
#include "headlight/interpret/patching.h"
#include "headlight/ops/arithmetic.h"
#include "heads/shards.h"

namespace headlight::interpret {
namespace {

constexpr const char* kEmbed = "hook_embed";

void add_block(EdgeGraph& graph, const nn::TransformerConfig& c, std::size_t layer) {
  const std::string block = fmt::format("blocks.{}.", layer), mlp = fmt::format("MLP {}", layer);
  const std::size_t shared = c.n_kv_heads > 0 ? c.n_heads / c.n_kv_heads : 1, place = 2 * layer + 1;
  for (std::size_t h = 0; h < c.n_heads; ++h) {
    const std::string name = head_code({layer, h});
    graph.senders.push_back({name, "", block + "attn.hook_result", h, place});
    graph.receivers.push_back({name, "queries", block + "hook_q_input", h, place});
    if (h % shared > 0) continue;
    graph.receivers.push_back({name, "keys", block + "hook_k_input", h / shared, place});
    graph.receivers.push_back({name, "values", block + "hook_v_input", h / shared, place});
  }
  if (c.d_mlp == 0) return;
  graph.senders.push_back({mlp, "", block + "hook_mlp_out", {}, place + 1});
  graph.receivers.push_back({mlp, "", block + "hook_mlp_in", {}, place + 1});
}

// Calls f(where a row of d numbers begins in x, where it begins in what was written, d), row by row.
template <class F>
void each_row(const Array& x, const Port& to, const Array& written, const Port& from, F f) {
  const auto heads = [](const Port& port, const Array& of) { return port.head ? of.shape()[2] : 1; };
  const std::size_t d = x.shape().back(), into = heads(to, x), out_of = heads(from, written);
  check(x.size() / into == written.size() / out_of,
        "[edges] expected as many positions of '{}' as of '{}', got {} and {}.", from.hook, to.hook,
        written.size() / out_of / d, x.size() / into / d);
  for (std::size_t row = 0; row < x.size() / d / into; ++row)
    f((row * into + to.head.value_or(0)) * d, (row * out_of + from.head.value_or(0)) * d, d);
}

std::vector<std::string> hooks_of(const std::vector<Port>& ports) {
  std::vector<std::string> hooks;
  for (const Port& port : ports)
    if (std::find(hooks.begin(), hooks.end(), port.hook) == hooks.end()) hooks.push_back(port.hook);
  return hooks;
}

// dL/d(each receiver's hook) of a shard, where the embeddings are e + share (e' - e).
std::vector<Array> gradients(const nn::Transformer& model, const Shard& shard,
                             const std::vector<std::string>& inputs, const Array& e, const Array& e2,
                             double share) {
  const RecordingScope record(true);
  std::vector<Tensor> kept(inputs.size());
  Array change = e2;
  for (std::size_t i = 0; i < change.size(); ++i)
    change.data()[i] = static_cast<Real>(share) * (change.data()[i] - e.data()[i]);
  nn::Hooks hooks{{kEmbed, [&](const Tensor& x) { return x + Tensor(Array(change)); }}};
  for (std::size_t i = 0; i < inputs.size(); ++i)
    hooks.add(inputs[i], [&kept, i](const Tensor& x) {
      kept[i] = x;
      return Tensor();
    });
  std::vector<Array> result;
  for (const Tensor& g : grad(shard_loss(model, shard, hooks), kept)) result.push_back(g.array());
  return result;
}

std::vector<double> attribute_in_shard(const nn::Transformer& model, const EdgeGraph& graph,
                                       const Shard& shard, const IntArray& other, std::size_t steps) {
  const ActivationCache now = written_by_senders(model, graph, other),
                        then = written_by_senders(model, graph, shard.batch.tokens);
  const std::vector<std::string> inputs = hooks_of(graph.receivers);
  std::map<std::string, Array> sums;
  for (std::size_t k = 1; k <= steps; ++k) {
    const double share = 1 - static_cast<double>(k) / static_cast<double>(steps);
    std::vector<Array> part = gradients(model, shard, inputs, then[kEmbed], now[kEmbed], share);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto [sum, is_new] = sums.try_emplace(inputs[i], std::move(part[i]));
      if (!is_new) sum->second += part[i];
    }
  }
  std::vector<double> effects;
  for (const Edge& edge : graph.edges) {
    const Port &from = graph.senders[edge.sender], &to = graph.receivers[edge.receiver];
    const Array &g = sums.at(to.hook), &there = now[from.hook], &here = then[from.hook];
    double& effect = effects.emplace_back();
    each_row(g, to, there, from, [&](auto row, auto at, std::size_t d) {
      effect += dot(g.data() + row, there.data() + at, d) - dot(g.data() + row, here.data() + at, d);
    });
    effect /= static_cast<double>(steps);
  }
  return effects;
}

}  // namespace

EdgeGraph edge_graph(const nn::TransformerConfig& config) {
  check(
      config.architecture != nn::Architecture::encoder_decoder,
      "[edges] expected a model of one stack, got an encoder–decoder. Hint: patch --heads patches its heads.");
  check(
      config.norm_place == nn::NormPlace::pre,
      "[edges] expected norms before attention and MLPs, got norms after the sums: there no input is a sum of "
      "what earlier heads wrote, so no edge can be replaced alone.");
  EdgeGraph graph;
  graph.senders.push_back({"embed", "", kEmbed, {}, 0});
  for (std::size_t layer = 0; layer < config.n_layers; ++layer) add_block(graph, config, layer);
  graph.receivers.push_back({"logits",
                             "",
                             fmt::format("blocks.{}.hook_resid_post", config.n_layers - 1),
                             {},
                             2 * config.n_layers + 1});
  for (std::size_t s = 0; s < graph.senders.size(); ++s)
    for (std::size_t r = 0; r < graph.receivers.size(); ++r)
      if (graph.senders[s].place < graph.receivers[r].place) graph.edges.push_back({s, r});
  return graph;
}

ActivationCache written_by_senders(const nn::Transformer& model, const EdgeGraph& graph,
                                   const IntArray& tokens) {
  const std::vector<std::string> outputs = hooks_of(graph.senders);
  return run_with_cache(model, tokens,
                        [&](const std::string& name) {
                          return std::find(outputs.begin(), outputs.end(), name) != outputs.end();
                        })
      .cache;
}

nn::Hooks without_edges(const EdgeGraph& graph, const std::vector<std::size_t>& edges,
                        const ActivationCache& other) {
  nn::Hooks hooks;
  const auto written = std::make_shared<ActivationCache>();  // in this pass
  std::map<std::string, std::vector<Edge>> by_receiver;
  std::vector<Port> senders;
  for (const std::size_t e : edges) {
    const Edge& edge = graph.edges.at(e);
    by_receiver[graph.receivers[edge.receiver].hook].push_back(edge);
    senders.push_back(graph.senders[edge.sender]);
  }
  for (const std::string& name : hooks_of(senders))
    hooks.add(name, [written, name](const Tensor& x) {
      written->put(name, x.array());
      return Tensor();
    });
  for (const auto& [name, cut] : by_receiver)
    hooks.add(name, [&graph, &other, written, edges_cut = cut](const Tensor& x) {
      Array input = x.array();
      for (const Edge& edge : edges_cut) {
        const Port& from = graph.senders[edge.sender];
        const Array &now = other[from.hook], &then = (*written)[from.hook];
        each_row(input, graph.receivers[edge.receiver], now, from, [&](auto to, auto at, std::size_t d) {
          for (std::size_t i = 0; i < d; ++i)
            input.data()[to + i] += now.data()[at + i] - then.data()[at + i];
        });
      }
      return Tensor(std::move(input));
    });
  return hooks;
}

std::vector<double> attribute_edges(const nn::Transformer& model, const EdgeGraph& graph,
                                    const tasks::Batch& batch, const tasks::Batch& other, ThreadPool& pool,
                                    std::size_t steps) {
  const std::vector<Shard> shards = shards_of(batch, natural_loss(batch));
  std::vector<std::vector<double>> parts(shards.size());
  pool.run(shards.size(), [&](std::size_t s) {
    const std::size_t rows = shards[s].batch.tokens.shape()[0];
    parts[s] = attribute_in_shard(model, graph, shards[s],
                                  tasks::batch_rows(other, shards[s].first, rows).tokens, steps);
  });
  std::vector<double> effects(graph.edges.size());
  for (const std::vector<double>& part : parts)
    for (std::size_t e = 0; e < effects.size(); ++e) effects[e] += part[e];
  return effects;
}

}  // namespace headlight::interpret
