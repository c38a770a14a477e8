// Edges against path patching, against the other run, and against differences of the loss.
#include "headlight/interpret/edges.h"

#include "headlight/interpret/patching.h"
#include "headlight/train/evaluate.h"
#include "interpret/head_subjects.h"
#include "interpret/subjects.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

bool has_edges(const nn::TransformerConfig& c) {
  return c.architecture != nn::Architecture::encoder_decoder && c.norm_place == nn::NormPlace::pre;
}

std::vector<std::size_t> all_edges(const EdgeGraph& graph) {
  std::vector<std::size_t> edges(graph.edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) edges[e] = e;
  return edges;
}

double furthest(const Array& x, const Array& y) {
  REQUIRE(x.shape() == y.shape());
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    most = std::max(most, std::abs(static_cast<double>(x.data()[i]) - static_cast<double>(y.data()[i])));
  return most;
}

// The heads of the graph's ports, by their names.
std::optional<HeadAt> head_named(const nn::TransformerConfig& c, const std::string& name) {
  for (const HeadAt& head : all_heads(c))
    if (head_code(head) == name) return head;
  return {};
}

constexpr double kNearly = kDouble ? 1e-11 : 1e-4;

}  // namespace

TEST_CASE("a run without one edge is path patching along it", "[interpret][patching]") {
  std::size_t tried = 0;
  for (const HeadSubject& subject : head_subjects()) {
    const nn::TransformerConfig& c = subject.config;
    if (!has_edges(c)) continue;
    INFO(subject.name);
    const nn::Transformer model = head_model(c);
    const tasks::Batch batch = head_batch(c, 3), other = head_batch(c, 3, 7);
    const EdgeGraph graph = edge_graph(c);
    const ActivationCache written = written_by_senders(model, graph, other.tokens),
                          outputs = outputs_of(model, other);
    const PathPatching paths(model, batch, outputs);
    const Array plain = model(batch.tokens, {}).array();
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      const Port &from = graph.senders[graph.edges[e].sender], &to = graph.receivers[graph.edges[e].receiver];
      const std::optional<HeadAt> sender = head_named(c, from.name), receiver = head_named(c, to.name);
      if (!sender || to.name.starts_with("MLP")) continue;
      INFO(from.name << " to " << to.name << " " << to.input);
      std::vector<Receiver> receivers;
      if (receiver) receivers.push_back({*receiver, head_inputs().find(to.input)});
      const Array expected = paths.run({{*sender}}, receivers, !receiver).logits;
      const Array logits = run_with_hooks(model, batch.tokens, without_edges(graph, {e}, written)).array();
      CHECK(furthest(logits, expected) < kNearly);
      CHECK(furthest(logits, plain) > 50 * kNearly);
      ++tried;
    }
  }
  CHECK(tried > 150);
}

TEST_CASE("a run without all edges is the other run, without none the plain one", "[interpret][patching]") {
  for (const KnownModel& subject : subjects()) {
    if (!has_edges(subject.config)) continue;
    INFO(subject.name);
    const nn::Transformer model = subject_model(subject.config);
    const IntArray here{{3, 1, 4, 1, 5, 2, 6}}, there{{2, 7, 1, 8, 2, 8, 1}};
    const EdgeGraph graph = edge_graph(subject.config);
    const ActivationCache written = written_by_senders(model, graph, there);
    const auto logits = [&](const std::vector<std::size_t>& edges) {
      return run_with_hooks(model, here, without_edges(graph, edges, written)).array();
    };
    CHECK(furthest(logits(all_edges(graph)), model(there, {}).array()) < kNearly);
    CHECK(same_numbers(logits({}), model(here, {}).array()));
  }
}

TEST_CASE("which edges a model has", "[interpret][patching]") {
  const auto count = [](std::size_t layers, std::size_t heads, std::size_t kv, std::size_t mlp) {
    return edge_graph({.n_layers = layers, .n_heads = heads, .d_mlp = mlp, .n_kv_heads = kv}).edges.size();
  };
  CHECK(count(2, 4, 0, 0) == 12 * 1 + 12 * 5 + 9);
  CHECK(count(3, 8, 0, 0) == 24 * (1 + 9 + 17) + 25);
  CHECK(count(2, 4, 2, 0) == 8 * 1 + 8 * 5 + 9);        // inputs of shared keys and values once
  CHECK(count(1, 2, 0, 8) == 6 * 1 + 3 + (1 + 2 + 1));  // the MLP reads and writes
  CHECK(contains(error_of([] { (void)edge_graph({.norm_place = nn::NormPlace::post}); }),
                 "no edge can be replaced alone"));
  CHECK(contains(
      error_of([] { (void)edge_graph({.architecture = nn::Architecture::encoder_decoder, .n_source = 4}); }),
      "got an encoder–decoder"));
}

TEST_CASE("an edge's gradient is the slope of the loss along its change", "[interpret][patching]") {
  ThreadPool pool(2);
  for (const HeadSubject& subject : head_subjects()) {
    const nn::TransformerConfig& c = subject.config;
    if (!has_edges(c)) continue;
    INFO(subject.name);
    const nn::Transformer model = head_model(c);
    const tasks::Batch batch = head_batch(c, 11), other = head_batch(c, 11, 7);
    const EdgeGraph graph = edge_graph(c);
    const ActivationCache here = written_by_senders(model, graph, batch.tokens),
                          there = written_by_senders(model, graph, other.tokens);
    const std::vector<double> slopes = attribute_edges(model, graph, batch, other, pool, 1);
    for (std::size_t e = 0; e < graph.edges.size(); e += 3) {
      const Port& from = graph.senders[graph.edges[e].sender];
      INFO(from.name << " to " << graph.receivers[graph.edges[e].receiver].name);
      const auto loss = [&](double share) {
        ActivationCache near;
        Array z = here[from.hook];
        for (std::size_t i = 0; i < z.size(); ++i)
          z.data()[i] += static_cast<Real>(share) * (there[from.hook].data()[i] - z.data()[i]);
        near.put(from.hook, z);
        return *train::evaluate(model, batch, without_edges(graph, {e}, near)).loss_predictable;
      };
      CHECK(std::abs(slopes[e] - derivative_at_0(loss, 0.02)) < 1e-4);
      CHECK(std::abs(slopes[e]) > 1e-7);
    }
  }
}

TEST_CASE("integrated gradients of the embedding's edges add up to the change of the loss",
          "[interpret][patching]") {
  ThreadPool pool(2);
  const nn::TransformerConfig c = head_subjects()[2].config;  // with MLPs
  const nn::Transformer model = head_model(c);
  const tasks::Batch batch = head_batch(c, 5), other = head_batch(c, 5, 7);
  const EdgeGraph graph = edge_graph(c);
  const double change =
      *train::evaluate(model, tasks::Batch{other.tokens, batch.targets, batch.predictable, batch.source},
                       nn::Hooks())
           .loss_predictable -
      *train::evaluate(model, batch, nn::Hooks()).loss_predictable;
  const auto gap = [&](std::size_t steps) {
    const std::vector<double> effects = attribute_edges(model, graph, batch, other, pool, steps);
    double sum = 0;
    for (std::size_t e = 0; e < effects.size(); ++e)
      if (graph.edges[e].sender == 0) sum += effects[e];
    return sum - change;
  };
  CHECK(std::abs(change) > 1e-2);
  CHECK(std::abs(gap(400)) < 1e-3);
  CHECK(gap(400) * 2 == Approx(gap(200)).epsilon(0.02));  // a sum over steps errs by their length
}
