// What a run measures, and on which sequences: all of them follow from its seed, and none was trained on.
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "app/program.h"
#include "headlight/interpret/scores.h"
#include "train/whole_run.h"

using namespace headlight;
using namespace headlight::train;

namespace {

using Json = nlohmann::json;

RunConfig config_of(const std::string& task, std::uint64_t seed) {
  RunConfig config;
  config.task.name = task;
  config.task.n_ctx = config.model.n_ctx = 24;
  config.model.d_model = 16;
  config.model.n_heads = 2;
  config.train.batch = 12;
  config.train.shards = 4;
  config.train.steps = 3;
  config.train.evaluate_every = 2;
  config.train.seed = seed;
  return config;
}

// What a run leaves behind, but for its times.
struct Left {
  std::vector<Json> metrics;
  Json summary;
  std::string weights;
};

Left left_by(const RunConfig& config, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const auto file = folder / "settings.json";
  write_file(file, to_json(config));
  const Outcome o = headlight_program("train --config " + file.string() + " --out " + folder.string());
  INFO(o.err);
  REQUIRE(o.status == 0);
  Left left{{}, Json::parse(read_file(folder / "summary.json")), read_file(folder / "model.safetensors")};
  std::istringstream lines(read_file(folder / "metrics.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    left.metrics.push_back(Json::parse(line));
    left.metrics.back().erase("seconds");
  }
  return left;
}

tasks::Batch drawn(const RunConfig& config, const char* stream, std::size_t count,
                   tasks::Lengths lengths = tasks::Lengths::training) {
  return tasks::draw_batch(*tasks::make_task(config.task), count, Rng(config.train.seed).stream(stream), 0,
                           lengths);
}

// Heads are scored on repeated tokens, whatever the task.
IntArray scored_tokens(RunConfig config, std::size_t count) {
  config.task.name = "repeat";
  return drawn(config, "scores", count, tasks::Lengths::held_out).tokens;
}

void require_figures(const Json& line, nn::Transformer& model, const RunConfig& config, std::size_t evaluated,
                     std::size_t scored) {
  ThreadPool pool(1);
  const Evaluation expected = evaluate(model, drawn(config, "evaluation", evaluated), pool);
  CHECK(line.at("accuracy_predictable").get<double>() == Approx(expected.accuracy_predictable));
  CHECK(line.at("loss").get<double>() == Approx(expected.loss));
  CHECK(line.at("loss_predictable").get<double>() == Approx(expected.loss_predictable));
  CHECK(line.at("loss_unpredictable").get<double>() == Approx(expected.loss_unpredictable));
  const auto heads = interpret::score_heads(model, scored_tokens(config, scored));
  REQUIRE(line.at("heads").size() == heads.size());
  for (std::size_t i = 0; i < heads.size(); ++i) {
    CHECK(line.at("heads")[i].at("previous_token").get<double>() == Approx(heads[i].previous_token));
    CHECK(line.at("heads")[i].at("duplicate_token").get<double>() == Approx(heads[i].duplicate_token));
    CHECK(line.at("heads")[i].at("induction").get<double>() == Approx(heads[i].induction));
  }
}

void require_step(const Json& line, const StepReport& expected) {
  CHECK(line.at("train_loss").get<double>() == Approx(expected.loss));
  CHECK(line.at("gradient_norm").get<double>() == Approx(expected.gradient_norm));
  CHECK(line.at("learning_rate").get<double>() == Approx(expected.learning_rate));
}

std::set<std::vector<std::int32_t>> sequences_of(const IntArray& tokens) {
  std::set<std::vector<std::int32_t>> sequences;
  const std::size_t n = tokens.shape()[1];
  for (std::size_t b = 0; b < tokens.shape()[0]; ++b)
    sequences.emplace(tokens.data() + b * n, tokens.data() + (b + 1) * n);
  return sequences;
}

}  // namespace

TEST_CASE("the same seed repeats a run, another seed changes all of it", "[program]") {
  const TemporaryFolder folder;
  const Left first = left_by(config_of("repeat", 0), folder.path() / "first"),
             again = left_by(config_of("repeat", 0), folder.path() / "again"),
             other = left_by(config_of("repeat", 1), folder.path() / "other");
  CHECK(first.weights == again.weights);
  CHECK(first.metrics == again.metrics);
  CHECK(first.weights != other.weights);
  REQUIRE(first.metrics.size() == other.metrics.size());
  for (std::size_t i = 0; i < first.metrics.size(); ++i) {
    CHECK(first.metrics[i].at("step") == other.metrics[i].at("step"));
    CHECK(first.metrics[i].at("loss") != other.metrics[i].at("loss"));
    CHECK(first.metrics[i].at("heads") != other.metrics[i].at("heads"));
  }
}

TEST_CASE("a run's figures are those of its weights on the seed's own sequences", "[program]") {
  for (const char* task : {"repeat", "copy"}) {
    INFO(task);
    const TemporaryFolder folder;
    const RunConfig config = config_of(task, 6);
    const Left left = left_by(config, folder.path());
    REQUIRE(left.metrics.size() == 3);
    CHECK(left.metrics[0].at("step") == 0);
    CHECK(left.metrics[1].at("step") == 2);
    CHECK(left.metrics[2].at("step") == 3);
    WholeRun run(config);
    require_figures(left.metrics[0], *run.model, config, 32, 16);
    run.step();
    require_step(left.metrics[1], run.step());
    require_figures(left.metrics[1], *run.model, config, 32, 16);
    require_step(left.metrics[2], run.step());
    require_figures(left.metrics[2], *run.model, config, 256, 32);
    const tasks::Batch held_out = drawn(config, "held out", 256, tasks::Lengths::held_out);
    CHECK(left.summary.at("accuracy").at("held_out_period").get<double>() ==
          Approx(evaluate(*run.model, held_out, run.pool).accuracy_predictable));
  }
}

TEST_CASE("no sequence that a run is measured on is one that it trains on", "[program]") {
  const RunConfig config = config_of("repeat", 0);
  const auto trained = sequences_of(training_batch(config, 256).tokens);
  for (const IntArray& tokens : {drawn(config, "evaluation", 256).tokens, scored_tokens(config, 32)})
    for (const auto& sequence : sequences_of(tokens)) CHECK_FALSE(trained.contains(sequence));
}
