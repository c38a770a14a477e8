// A run's page, against what its folder holds.
#include "headlight/page/run_page.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "headlight/interpret/attribution.h"
#include "headlight/nn/one_sequence.h"
#include "headlight/run/examples.h"
#include "headlight/run/experiment.h"
#include "headlight/run/run.h"
#include "headlight/run/run_files.h"
#include "headlight/studies/patterns.h"
#include "headlight/system/files.h"
#include "page/compress.h"
#include "run/small_config.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::run;
using namespace headlight::studies;

namespace {

RunConfig kept_config() {
  RunConfig config = small_config();
  config.train.steps = 4;
  config.train.evaluate_every = 2;
  return config;
}

void save_run(const RunConfig& config, const std::filesystem::path& folder) {
  Experiment run(config, {.threads = 1});
  run.run_until(config.train.steps);
  const Run measured = run.measure();
  write_run(folder, measured, page::pages_of(measured, "run"));
}

nlohmann::json data_in(const std::string& html) {
  const std::string opening = "id=\"data\">";
  const std::size_t begin = html.find(opening) + opening.size();
  return nlohmann::json::parse(html.substr(begin, html.find("</script>", begin) - begin));
}

nlohmann::json page_of(const std::filesystem::path& run) { return data_in(read_file(run / files::kPage)); }

// The patterns of the run's model on a sequence.
void add_patterns(page::PackedPatterns& packed, const nn::Transformer& model, const Example& example) {
  const interpret::CachedRun run = patterns_of(model, example);
  for (std::size_t layer = 0; layer < model.config().n_layers; ++layer)
    packed.add(run.cache[interpret::pattern_name(layer)]);
}

}  // namespace

TEST_CASE("a page with the engine holds no numbers that the engine computes", "[experiment]") {
  Experiment experiment(kept_config(), {.threads = 1});
  experiment.run_until(2);
  Run run = experiment.measure();
  const auto data_with = [&](const std::string& engine) {
    return data_in(page::report_page(run, {.title = "run", .threads = 1, .engine = engine}));
  };
  const auto count = [](const nlohmann::json& page) {
    return std::count_if(page["sequences"].begin(), page["sequences"].end(),
                         [](const auto& s) { return s.contains("terms"); });
  };
  const nlohmann::json live = data_with("two modules"), stored = data_with("");
  CHECK(live.contains("lab"));
  CHECK(live["without"]["sequences"].empty());
  CHECK(live["without"]["most"] == 4);
  CHECK(live["without"]["ways"].size() == 3);
  CHECK(count(live) == 0);
  CHECK_FALSE(stored.contains("lab"));
  CHECK(stored["without"]["sequences"].size() > 1);
  CHECK(count(stored) > 1);

  const TemporaryFolder folder;
  RunConfig of_text = kept_config();
  of_text.task = {.name = "text", .n_ctx = 8, .text = (folder.path() / "text.txt").string()};
  write_file(of_text.task.text, std::string(600, 'a') + std::string(600, 'b'));
  Experiment reads(of_text, {.threads = 1});
  reads.run_until(2);
  run = reads.measure();
  CHECK_FALSE(data_with("two modules").contains("lab"));  // a page reads no files
}

TEST_CASE("a page shows the patterns of each snapshot on its first sequence", "[experiment]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "run";
  save_run(kept_config(), path);
  Run run = read_run(path);
  const Example tokens = first_example(run.task, run.config.train.seed);
  page::PackedPatterns now(16), along(8);
  add_patterns(now, *run.model, tokens);
  std::vector<std::int64_t> steps;
  for (train::Snapshot& snapshot : all_snapshots(read_run(path))) {
    steps.push_back(snapshot.step);
    train::set_weights(*run.model, std::move(snapshot.weights), "history");
    add_patterns(along, *run.model, tokens);
  }
  const auto page = page_of(path);
  CHECK(page["sequences"][0]["patterns"]["data"] == nlohmann::json(page::compressed_json(now, 1)));
  CHECK(page["history"]["patterns"]["data"] == nlohmann::json(page::compressed_json(along, steps.size())));
  CHECK(page["history"]["steps"] == steps);
}

TEST_CASE("a page gives each guess the probability of its own token", "[experiment]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "run";
  save_run(kept_config(), path);
  const Run run = read_run(path);
  const Array logits = patterns_of(*run.model, first_example(run.task, run.config.train.seed)).logits;
  const std::size_t vocab = logits.shape()[2];
  const auto guesses = page_of(path)["sequences"][0]["guesses"];
  REQUIRE(guesses.size() == logits.shape()[1]);
  for (std::size_t t = 0; t < guesses.size(); ++t) {
    double sum = 0, before = 1;
    for (std::size_t v = 0; v < vocab; ++v) sum += std::exp(static_cast<double>(logits(0, t, v)));
    for (const auto& guess : guesses[t]) {
      const double probability =
          std::exp(static_cast<double>(logits(0, t, guess[0].get<std::size_t>()))) / sum;
      CHECK(std::abs(guess[1].get<double>() - probability) < 1e-5);
      CHECK(probability <= before);
      before = probability;
    }
  }
}

TEST_CASE("a page has the guess after each layer but the last", "[experiment]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "run";
  save_run(kept_config(), path);
  const Run run = read_run(path);
  const std::vector<std::int32_t> tokens = first_example(run.task, run.config.train.seed).tokens;
  const Array logits = interpret::logit_lens(*run.model, nn::one_sequence(tokens));
  const auto lens = page_of(path)["sequences"][0]["lens"];
  REQUIRE(lens.size() == run.model->config().n_layers);
  for (std::size_t layer = 0; layer < lens.size(); ++layer) {
    REQUIRE(lens[layer].size() == tokens.size());
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      const auto guess = lens[layer][t][0].get<std::size_t>();
      double sum = 0;
      for (std::size_t v = 0; v < logits.shape()[3]; ++v) {
        CHECK(logits(layer, 0, t, v) <= logits(layer, 0, t, guess));
        sum += std::exp(static_cast<double>(logits(layer, 0, t, v)));
      }
      const double probability = std::exp(static_cast<double>(logits(layer, 0, t, guess))) / sum;
      CHECK(std::abs(lens[layer][t][1].get<double>() - probability) < 1e-4);
    }
  }
}

TEST_CASE("a page draws the level of each kind of token beside the loss on it", "[experiment]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "run";
  save_run(kept_config(), path);
  const auto page = page_of(path);
  std::size_t levels = 0;
  for (const auto& curve : page["charts"][0]["curves"]) {
    if (!curve.contains("level_of") || curve["level_of"] == "") continue;
    ++levels;
    const double value = page["metrics"][0]["values"][curve["key"].get<std::string>()];
    CHECK((value < 1e-6) == (curve["level_of"] == "loss_predictable"));  // what can be known costs nothing
  }
  CHECK(levels == 2);
}

TEST_CASE("a page draws held-out sequences beside those in training, and own metrics", "[experiment]") {
  Experiment experiment(kept_config(), {.threads = 1});
  experiment.run_until(4);
  Run run = experiment.measure();
  for (Metrics& m : run.metrics) m.own = {{"loss", static_cast<double>(m.step) - 3}};
  const auto data = data_in(page::report_page(run));
  REQUIRE(data["charts"].size() == 4);
  CHECK(data["charts"][1] ==
        nlohmann::json::parse(R"({"title": "Accuracy on predictable tokens", "share": true,
    "curves": [{"key": "accuracy_predictable", "name": "sequences as in training", "brief": "training"},
               {"key": "accuracy_held_out", "name": "held-out sequences", "brief": "held out"}]})"));
  CHECK(data["charts"][2] == nlohmann::json::parse(R"({"title": "Loss on all tokens, in nats", "share": false,
    "curves": [{"key": "loss", "name": "sequences as in training", "brief": "training"},
               {"key": "loss_held_out", "name": "held-out sequences", "brief": "held out"}]})"));
  CHECK(data["charts"][3] == nlohmann::json::parse(R"({"title": "loss", "share": false,
    "curves": [{"key": "own loss", "name": "loss", "brief": "loss"}]})"));
  const Metrics& last = run.metrics.back();
  const auto& values = data["metrics"].back()["values"];
  CHECK(values["accuracy_held_out"] == *last.held_out->accuracy_predictable);
  CHECK(values["loss_held_out"] == last.held_out->loss);
  CHECK(values["loss"] == last.evaluation.loss);
  CHECK(values["own loss"] == 1);
  for (Metrics& m : run.metrics) m.held_out.reset(), m.own.clear();
  CHECK(data_in(page::report_page(run))["charts"].size() == 2);
}

TEST_CASE("a page shows settings as they were filled in", "[experiment]") {
  const TemporaryFolder folder;
  save_run(kept_config(), folder.path() / "run");
  std::map<std::string, std::string> shown;
  const auto page = page_of(folder.path() / "run");
  for (const auto& row : page["settings"]) shown[row.at(0).get<std::string>()] = row.at(1);
  CHECK(shown.at("task.min_segment") == "4");
  CHECK(shown.at("task.max_segment") == "8");
  CHECK(shown.at("model.d_head") == "8");
  CHECK(shown.at("train.steps") == "4");
}

TEST_CASE("a page has its run's own texts and numbers", "[experiment]") {
  const TemporaryFolder folder;
  RunConfig config = kept_config();
  config.model.n_layers = 1;
  save_run(config, folder.path() / "run");
  const Run run = read_run(folder.path() / "run");
  const auto page = page_of(folder.path() / "run");
  CHECK(page["title"] == "run");
  CHECK((page["n_layers"] == 1 && page["n_heads"] == 2));
  CHECK((page["vocabulary"][0] == "A" && page["vocabulary"].size() == 12));
  CHECK((page["found"] == 0.5 && page["unseen"] == "#73737b"));
  CHECK(page["opens_with"] == interpret::score_to_show_first(run.results.heads));
  CHECK_FALSE(page.contains("stacks"));
  CHECK(page["verdict"] == brief_verdict(run.results));
  const tasks::TaskWords& words = run.task.words;
  CHECK(page["task"] == nlohmann::json{{"name", "repeat"},
                                       {"labels", false},
                                       {"scored_on", tasks::scored_kind(run.task)},
                                       {"what", words.what},
                                       {"answer", words.answer},
                                       {"success", words.success},
                                       {"look_for", words.look_for}});
  const Facts listed = facts(run.results, run.task.kinds);
  REQUIRE(page["results"].size() == listed.size());
  for (std::size_t i = 0; i < listed.size(); ++i)
    CHECK(page["results"][i] == nlohmann::json{listed[i].first, listed[i].second, ""});
  const std::vector<Example> shown = examples(run.task, run.config.train.seed, 6);
  REQUIRE(page["sequences"].size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(page["sequences"][i]["label"] == shown[i].label);
    CHECK(page["sequences"][i]["tokens"] == shown[i].tokens);
    CHECK(page["sequences"][i]["targets"] == shown[i].targets);
    const auto& known = shown[i].predictable;
    CHECK(page["sequences"][i]["predictable"] == std::vector<int>(known.begin(), known.end()));
    CHECK(page["sequences"][i]["repeats"] == shown[i].repeats);
    CHECK(page["sequences"][i]["guesses"][3].size() == 5);
  }
  const std::vector<Metrics> metrics = all_metrics(run);
  REQUIRE(page["metrics"].size() == metrics.size());
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    CHECK(page["metrics"][i]["step"] == metrics[i].step);
    const auto& values = page["metrics"][i]["values"];
    CHECK(values["loss_predictable"] == *metrics[i].evaluation.loss_predictable);
    CHECK(values["loss_unpredictable"] == *metrics[i].evaluation.loss_unpredictable);
    CHECK(values["accuracy_predictable"] == *metrics[i].evaluation.accuracy_predictable);
    CHECK(page["metrics"][i]["scores"][1][2] == metrics[i].heads[1]["induction"]);
  }
  const auto best = best_possible(run.results.baselines).value();
  CHECK(page["charts"][0]["curves"][2] == nlohmann::json{{"key", "line_0"},
                                                         {"name", "best predictor, predictable"},
                                                         {"brief", "best predictor"},
                                                         {"level_of", "loss_predictable"}});
  CHECK(page["charts"][0]["curves"][3]["name"] == "best predictor, unpredictable");
  CHECK(page["metrics"][0]["values"]["line_1"] == *best.loss_unpredictable);
}

TEST_CASE("a page explains each setting, and a switch by what its flag does", "[experiment]") {
  const TemporaryFolder folder;
  save_run(kept_config(), folder.path() / "run");
  std::map<std::string, std::string> explained;
  const auto page = page_of(folder.path() / "run");
  for (const auto& row : page["settings"]) explained[row.at(0).get<std::string>()] = row.at(2);
  CHECK(explained.at("task.n_ctx") == "Positions in a sequence");
  CHECK(explained.at("task.distinct") == "--repeats makes it false: \"Allow equal tokens in a segment\"");
  CHECK(explained.at("model.bias") == "--bias makes it true: \"Biases in attention and MLPs\"");
  CHECK(page["settings"][0][0] == "task.name");
  CHECK(page["settings"].back()[0] == "train.seed");
}

TEST_CASE("a page takes the scores of heads in the order of the model's", "[experiment]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "run";
  save_run(kept_config(), path);
  Results results = read_run(path, Parts::results).results;
  for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}}) {
    Results other = results;
    std::swap(other.heads.at(a), other.heads.at(b));
    write_file(path / files::kSummary, to_json(other));
    CHECK(contains(error_of([&] { read_run(path); }), "is of another model than config.json"));
  }
  write_file(path / files::kSummary, to_json(results));
  CHECK_NOTHROW(page::report_page(read_run(path)));
}

TEST_CASE("a page holds at most three megabytes of patterns along training", "[experiment][long]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "run";
  RunConfig config = kept_config();
  config.task.n_ctx = 64;
  config.task.d_vocab = 64;
  config.model.d_mlp = 0;
  config.model.n_heads = 8;
  config.train.batch = config.train.shards = 2;
  config.train.steps = config.train.history = 120;
  config.train.evaluate_every = 1;
  save_run(config, path);
  const nlohmann::json history = page_of(path)["history"];
  const std::size_t snapshots = history["steps"].size(),
                    bytes = history["patterns"]["data"].get<std::string>().size() / 4 * 3;
  CHECK(snapshots * 16 * 64 * 65 / 2 > 3'000'000);  // whole patterns would not fit
  CHECK(bytes <= 3'000'002);
  CHECK(history["patterns"]["cell"] == 2);
}
