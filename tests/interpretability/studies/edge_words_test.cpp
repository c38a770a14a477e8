// What the study of edges says, and where its numbers come from.
#include <map>

#include "headlight/interpret/attribution_patching.h"
#include "headlight/interpret/edges.h"
#include "headlight/studies/head_studies.h"
#include "studies/studied.h"

using namespace headlight;
using namespace headlight::studies;

namespace {

constexpr const char* kRenamed =
    "An edge that is replaced carries what its sender writes on the same sequences with every token exchanged "
    "for another, as in patch. What repeats is at the same places there, so edges that find it can be replaced "
    "together without harm; with --resample they cannot.\n";

std::vector<double> column(const StudyTable& table, std::size_t c) {
  std::vector<double> numbers;
  for (const auto& row : table.rows) numbers.push_back(number(row[c]));
  return numbers;
}

std::string input_of(const StudyCell& cell) {
  return std::holds_alternative<std::string>(cell) ? text(cell) : "";
}

// The first count of edges of which as much is left as of nine tenths.
std::int64_t enough(const StudyTable& pruning, std::size_t accuracy) {
  for (const auto& row : pruning.rows)
    if (number(row[accuracy]) >= 0.9 * number(pruning.rows.back()[accuracy]))
      return std::get<std::int64_t>(row[0]);
  return -1;
}

}  // namespace

TEST_CASE("the study of edges", "[studies][words]") {
  ThreadPool pool(1);
  const run::Run& run = small_run();
  const Study study = edge_study(run, {}, pool);
  const StudyTable &edges = study.tables[0], &pruning = study.tables[1];
  const train::Evaluation intact = train::evaluate(*run.model, study_batch(run), nn::Hooks());
  const std::vector<double> gradient = column(edges, 3), integrated = column(edges, 4),
                            measured = column(edges, 5);
  const double p = *interpret::pearson(gradient, measured), s = *interpret::spearman(gradient, measured),
               pi = *interpret::pearson(integrated, measured),
               si = *interpret::spearman(integrated, measured);
  CHECK(
      outline(study) ==
      fmt::format("edges\nsequences = 32\nreplacement = renamed\nsteps = 5\nintact_accuracy = {:.4f}\n"
                  "intact_loss = {:.4f}\npearson_gradient = {:.4f}\nspearman_gradient = {:.4f}\n"
                  "pearson_integrated = {:.4f}\nspearman_integrated = {:.4f}\n",
                  *intact.accuracy_predictable, *intact.loss_predictable, p, s, pi, si) +
          kRenamed +
          fmt::format("Measured on 32 sequences as in training, drawn anew, on predictable tokens. Intact: "
                      "accuracy {:.3f}, loss {:.3f} nats.\n",
                      *intact.accuracy_predictable, *intact.loss_predictable) +
          "[edges] Rise of the loss without each edge, nats, the largest estimate first:\n"
          "  sender: \"sender\" 3\n  receiver: \"receiver\" 3\n  input: \"input\" 3\n"
          "  rise_gradient: \"by gradient\" 3 signed\n  rise_integrated: \"integrated\" 3 signed\n"
          "  rise_true: \"measured\" 3 signed\n  the first 20 rows\n"
          "By gradient: gradient times difference, on the model's own input. Integrated: with the mean of the "
          "gradient at 5 inputs on the way from the other sequences to these.\n" +
          fmt::format(
              "Correlation with the measured rise over 29 edges, by gradient: Pearson {:.3f}, Spearman "
              "{:.3f}; integrated: Pearson {:.3f}, Spearman {:.3f}.\n",
              p, s, pi, si) +
          "[pruning] With the first edges of an order alone, the largest magnitude first:\n"
          "  kept: \"edges\" 3\n  accuracy_integrated: \"integrated: accuracy\" 3\n"
          "  loss_integrated: \"loss\" 3\n  accuracy_true: \"measured: accuracy\" 3\n  loss_true: \"loss\" 3\n" +
          fmt::format("Nine tenths of the intact accuracy are first left with {} edges in the order of the "
                      "integrated gradient, and with {} in that of the measured rise.\n",
                      enough(pruning, 1), enough(pruning, 3)) +
          "chart What is left with the first edges alone: accuracy on predictable tokens over edges kept\n"
          "  order of the integrated gradient\n  order of the measured rise\n");
  for (std::size_t i = 1; i < integrated.size(); ++i)
    CHECK(std::abs(integrated[i - 1]) >= std::abs(integrated[i]));
}

TEST_CASE("edges between heads have the rises of patch", "[studies]") {
  ThreadPool pool(1);
  const Study paths = path_study(small_run(), {}, pool), edges = edge_study(small_run(), {}, pool);
  std::map<std::string, double> rises;
  for (const auto& row : paths.tables[0].rows)
    rises[text(row[0]) + text(row[1]) + input_of(row[2])] = number(row[3]);
  std::size_t found = 0;
  for (const auto& row : edges.tables[0].rows)
    if (const auto at = rises.find(text(row[0]) + text(row[1]) + input_of(row[2])); at != rises.end()) {
      CHECK(std::abs(number(row[5]) - at->second) < 1e-4);
      ++found;
    }
  CHECK(found == rises.size());
}

TEST_CASE("a model that does no better with its edges has no circuit", "[studies][words]") {
  ThreadPool pool(1);
  run::RunConfig config = run::small_config();
  config.train.steps = 1, config.train.history = 0;
  run::Experiment experiment(config, {.threads = 1});
  experiment.run_until(1);
  const Study study = edge_study(experiment.measure(), {}, pool);
  const StudyTable& pruning = study.tables[1];
  CHECK(pruning.sentences[0] ==
        fmt::format(
            "The accuracy is {:.3f} with all edges and {:.3f} without any, so pruning finds no circuit.",
            number(pruning.rows.back()[1]), number(pruning.rows.front()[1])));
}

TEST_CASE("the model with the first edges alone", "[studies]") {
  ThreadPool pool(2);
  const run::Run& run = small_run();
  const tasks::Batch batch = study_batch(run), other = second_batch(run, 32);
  const Study study = edge_study(run, {.resample = true}, pool);
  CHECK(study.sentences[0] == "An edge that is replaced carries what its sender writes on other sequences.");
  const interpret::EdgeGraph graph = interpret::edge_graph(run.model->config());
  const auto written = interpret::written_by_senders(*run.model, graph, other.tokens);
  const auto edge_of = [&](const std::vector<StudyCell>& row) {
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      const interpret::Port& to = graph.receivers[graph.edges[e].receiver];
      if (graph.senders[graph.edges[e].sender].name == text(row[0]) && to.name == text(row[1]) &&
          to.input == input_of(row[2]))
        return e;
    }
    return graph.edges.size();
  };
  for (const auto& row : study.tables[1].rows) {
    std::vector<std::size_t> gone;
    for (auto kept = static_cast<std::size_t>(std::get<std::int64_t>(row[0])); kept < graph.edges.size();
         ++kept)
      gone.push_back(edge_of(study.tables[0].rows[kept]));
    const auto left = train::evaluate(*run.model, batch, interpret::without_edges(graph, gone, written));
    CHECK(number(row[1]) == Approx(*left.accuracy_predictable));
    CHECK(number(row[2]) == Approx(*left.loss_predictable).epsilon(1e-4));
  }
  const auto& chart = std::get<draw::Chart>(study.picture);
  CHECK(chart.series[1].y.back() == number(study.tables[1].rows.back()[3]));
  CHECK(chart.series[0].y[7] == number(study.tables[1].rows[7][1]));
}
