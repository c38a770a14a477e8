#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "headlight/core/check.h"
#include "headlight/interpret/attribution_patching.h"
#include "headlight/interpret/edges.h"
#include "headlight/studies/head_studies.h"

namespace headlight::studies {
namespace {

constexpr std::size_t kSteps = 5;      // of integrated gradients, as in Hanna et al.
constexpr double kNearlyIntact = 0.9;  // part of the intact accuracy
constexpr double kNoCircuit = 0.05;    // accuracy above that without any edge

interpret::EdgeGraph measurable_edges(const nn::TransformerConfig& config) {
  interpret::EdgeGraph graph = interpret::edge_graph(config);
  check(graph.edges.size() <= kMostEdges,
        "this model has {} edges, and at most {} are measured: each costs a forward pass. Hint: ./headlight "
        "patch measures the paths between heads alone.",
        graph.edges.size(), kMostEdges);
  return graph;
}

double edge_loss(const train::Evaluation& e) { return e.loss_predictable.value_or(e.loss); }

// A model's edges, and what is known of each.
struct MeasuredEdges {
  const nn::Transformer& model;
  ThreadPool& pool;
  interpret::EdgeGraph graph;
  tasks::Batch batch, other;
  interpret::ActivationCache written;  // on `other`
  train::Evaluation intact;
  std::vector<double> gradient, integrated, measured = {};  // of each edge

  MeasuredEdges(const run::Run& run, const EdgeRequest& request, ThreadPool& threads)
      : model(*run.model),
        pool(threads),
        graph(measurable_edges(model.config())),
        batch(study_batch(run, request.sequences)),
        other(request.resample ? second_batch(run, request.sequences) : renamed_batch(run, batch)),
        written(interpret::written_by_senders(model, graph, other.tokens)),
        intact(train::evaluate(model, batch, nn::Hooks())),
        gradient(interpret::attribute_edges(model, graph, batch, other, pool, 1)),
        integrated(interpret::attribute_edges(model, graph, batch, other, pool, kSteps)) {
    measured.resize(graph.edges.size());
    pool.run(measured.size(),
             [&](std::size_t e) { measured[e] = edge_loss(without({e})) - edge_loss(intact); });
  }

  train::Evaluation without(const std::vector<std::size_t>& edges) const {
    return train::evaluate(model, batch, interpret::without_edges(graph, edges, written));
  }

  // With the first edges of an order alone, for each count of them.
  std::vector<train::Evaluation> keeping(const std::vector<std::size_t>& order,
                                         const std::vector<std::size_t>& counts) const {
    std::vector<train::Evaluation> left(counts.size());
    pool.run(counts.size(), [&](std::size_t i) {
      left[i] = without({order.begin() + static_cast<std::ptrdiff_t>(counts[i]), order.end()});
    });
    return left;
  }
};

// The edges by the magnitude of a number, the largest first.
std::vector<std::size_t> edges_by(const std::vector<double>& numbers) {
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(numbers[a]) > std::abs(numbers[b]); });
  return order;
}

// 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, … and all: each a quarter more than the one before.
std::vector<std::size_t> kept_counts(std::size_t edges) {
  std::vector<std::size_t> counts;
  for (std::size_t k = 0; k < edges; k += std::max<std::size_t>(1, k / 4)) counts.push_back(k);
  counts.push_back(edges);
  return counts;
}

// Pearson's and Spearman's correlation of an estimate with the measured rise.
struct Agreement {
  std::optional<double> linear, ranks;

  Agreement(const std::vector<double>& estimated, const MeasuredEdges& m)
      : linear(interpret::pearson(estimated, m.measured)),
        ranks(interpret::spearman(estimated, m.measured)) {}

  std::string words() const {
    return linear && ranks ? fmt::format("Pearson {:.3f}, Spearman {:.3f}", *linear, *ranks)
                           : "none, as one of them does not vary";
  }
};

StudyTable edges_table(const MeasuredEdges& m, const std::vector<std::size_t>& order) {
  StudyTable table{"edges",
                   "Rise of the loss without each edge, nats, the largest estimate first:",
                   {{"sender", "sender"},
                    {"receiver", "receiver"},
                    {"input", "input"},
                    {"rise_gradient", "by gradient", 3, true},
                    {"rise_integrated", "integrated", 3, true},
                    {"rise_true", "measured", 3, true}}};
  table.most_rows = 20;
  for (const std::size_t e : order) {
    const interpret::Port &from = m.graph.senders[m.graph.edges[e].sender],
                          &to = m.graph.receivers[m.graph.edges[e].receiver];
    table.rows.push_back({from.name, to.name, to.input.empty() ? StudyCell() : StudyCell(to.input),
                          m.gradient[e], m.integrated[e], m.measured[e]});
  }
  table.sentences = {
      fmt::format(
          "By gradient: gradient times difference, on the model's own input. Integrated: with the mean "
          "of the gradient at {} inputs on the way from the other sequences to these.",
          kSteps),
      fmt::format("Correlation with the measured rise over {} edges, by gradient: {}; integrated: {}.",
                  m.measured.size(), Agreement(m.gradient, m).words(), Agreement(m.integrated, m).words())};
  return table;
}

StudyTable pruning_table(const MeasuredEdges& m, const std::vector<std::size_t>& counts,
                         const std::vector<train::Evaluation>& estimated,
                         const std::vector<train::Evaluation>& actual) {
  StudyTable table{"pruning",
                   "With the first edges of an order alone, the largest magnitude first:",
                   {{"kept", "edges"},
                    {"accuracy_integrated", "integrated: accuracy"},
                    {"loss_integrated", "loss"},
                    {"accuracy_true", "measured: accuracy"},
                    {"loss_true", "loss"}}};
  for (std::size_t i = 0; i < counts.size(); ++i)
    table.rows.push_back({static_cast<std::int64_t>(counts[i]),
                          optional_cell(estimated[i].accuracy_predictable), edge_loss(estimated[i]),
                          optional_cell(actual[i].accuracy_predictable), edge_loss(actual[i])});
  if (!m.intact.accuracy_predictable) return table;
  const double intact = *m.intact.accuracy_predictable, none = *estimated[0].accuracy_predictable;
  const auto enough = [&](const std::vector<train::Evaluation>& left) {
    return counts[static_cast<std::size_t>(
        std::ranges::find_if(
            left, [&](const auto& e) { return *e.accuracy_predictable >= kNearlyIntact * intact; }) -
        left.begin())];
  };
  table.sentences = {
      intact - none < kNoCircuit
          ? fmt::format(
                "The accuracy is {:.3f} with all edges and {:.3f} without any, so pruning finds no circuit.",
                intact, none)
          : fmt::format("Nine tenths of the intact accuracy are first left with {} edges in the order of the "
                        "integrated gradient, and with {} in that of the measured rise.",
                        enough(estimated), enough(actual))};
  return table;
}

draw::Chart pruning_chart(const StudyTable& table, bool accuracy) {
  draw::Chart chart{"What is left with the first edges alone",
                    {"edges kept"},
                    {accuracy ? "accuracy on predictable tokens" : "loss (nats)"},
                    {}};
  for (const auto& [name, column] : {std::pair{"order of the integrated gradient", accuracy ? 1 : 2},
                                     std::pair{"order of the measured rise", accuracy ? 3 : 4}}) {
    draw::Series& series = chart.series.emplace_back();
    series.name = name;
    for (const auto& row : table.rows) {
      series.x.push_back(static_cast<double>(std::get<std::int64_t>(row[0])));
      series.y.push_back(std::get<double>(row[static_cast<std::size_t>(column)]));
    }
  }
  return chart;
}

std::string replaced_words(bool resample) {
  return resample
             ? "An edge that is replaced carries what its sender writes on other sequences."
             : "An edge that is replaced carries what its sender writes on the same sequences with every token "
               "exchanged for another, as in patch. What repeats is at the same places there, so edges that "
               "find it can be replaced together without harm; with --resample they cannot.";
}

}  // namespace

Study edge_study(const run::Run& run, const EdgeRequest& request, ThreadPool& pool) {
  const MeasuredEdges m(run, request, pool);
  const std::vector<std::size_t> order = edges_by(m.integrated), counts = kept_counts(order.size());
  const std::optional<double> accuracy = m.intact.accuracy_predictable;
  Study study{"edges"};
  study.facts = {{"sequences", static_cast<std::int64_t>(request.sequences)},
                 {"replacement", std::string(request.resample ? "resample" : "renamed")},
                 {"steps", static_cast<std::int64_t>(kSteps)},
                 {"intact_accuracy", optional_cell(accuracy)},
                 {"intact_loss", edge_loss(m.intact)}};
  for (const auto& [key, numbers] : {std::pair{"gradient", &m.gradient}, {"integrated", &m.integrated}}) {
    const Agreement agreement(*numbers, m);
    study.facts.emplace_back(fmt::format("pearson_{}", key), optional_cell(agreement.linear));
    study.facts.emplace_back(fmt::format("spearman_{}", key), optional_cell(agreement.ranks));
  }
  study.sentences = {
      replaced_words(request.resample),
      fmt::format(
          "Measured on {} sequences as in training, drawn anew, on {} tokens. Intact: {}loss {:.3f} nats.",
          request.sequences, accuracy ? run.task.kinds.predictable : std::string("all"),
          accuracy ? fmt::format("accuracy {:.3f}, ", *accuracy) : "", edge_loss(m.intact))};
  study.tables = {edges_table(m, order), pruning_table(m, counts, m.keeping(order, counts),
                                                       m.keeping(edges_by(m.measured), counts))};
  study.picture = pruning_chart(study.tables[1], accuracy.has_value());
  return study;
}

}  // namespace headlight::studies
