// What a run measures, and on which sequences: all of them follow from its seed, and none was trained on.
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "app/program.h"
#include "headlight/interpret/scores.h"
#include "headlight/run/run.h"
#include "headlight/train/evaluate.h"
#include "run/whole_run.h"

using namespace headlight;
using namespace headlight::run;

namespace {

using Json = nlohmann::json;

RunConfig config_of(const std::string& task, std::uint64_t seed) {
  RunConfig config;
  config.task.name = task;
  config.task.n_ctx = 24;
  config.model.d_model = 16;
  config.model.n_heads = 2;
  config.train.batch = 12;
  config.train.shards = 4;
  config.train.steps = 3;
  config.train.evaluate_every = 2;
  config.train.seed = seed;
  return config;
}

// What a run leaves behind.
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
  for (std::string line; std::getline(lines, line);) left.metrics.push_back(Json::parse(line));
  return left;
}

tasks::Batch drawn(const RunConfig& config, const char* stream, std::size_t count,
                   tasks::Generator tasks::Task::*generator = &tasks::Task::training) {
  const tasks::Task task = tasks::make_task(config.task);
  return tasks::draw_batch(task, task.*generator, count, Rng(config.train.seed).stream(stream));
}

// Heads are scored on repeated tokens, whatever the task. The separator of copy, token 0, is none of them.
IntArray scored_tokens(RunConfig config, std::size_t count) {
  const std::int32_t signs = config.task.name == "copy" ? 1 : 0;
  config.task.name = "repeat";
  config.task.d_vocab -= static_cast<std::size_t>(signs);
  IntArray tokens = drawn(config, "scores", count, &tasks::Task::held_out).tokens;
  for (std::int32_t& token : tokens) token += signs;
  return tokens;
}

train::Evaluation expected_evaluation(const nn::Transformer& model, const RunConfig& config,
                                      std::size_t count) {
  ThreadPool pool(1);
  return train::evaluate(model, drawn(config, "evaluation", count), pool);
}

void require_heads(const Json& written, const nn::Transformer& model, const RunConfig& config,
                   std::size_t count) {
  const auto heads = interpret::score_heads(model, scored_tokens(config, count));
  REQUIRE(written.size() == heads.size());
  for (std::size_t i = 0; i < heads.size(); ++i)
    for (const char* key : {"previous_token", "duplicate_token", "induction"})
      CHECK(written[i].at(key).get<double>() == Approx(heads[i][key]));
}

// Along training a run is measured on 32 sequences, its heads on 16.
void require_measured(const Json& line, const nn::Transformer& model, const RunConfig& config) {
  const train::Evaluation expected = expected_evaluation(model, config, 32);
  CHECK(line.at("accuracy_predictable").get<double>() == Approx(expected.accuracy_predictable.value()));
  CHECK(line.at("loss").get<double>() == Approx(expected.loss));
  CHECK(line.at("loss_predictable").get<double>() == Approx(expected.loss_predictable.value()));
  CHECK(line.at("loss_unpredictable").get<double>() == Approx(expected.loss_unpredictable.value()));
  require_heads(line.at("heads"), model, config, 16);
}

// At its end on 256, its heads on 32.
void require_results(const Json& summary, const nn::Transformer& model, const RunConfig& config) {
  const train::Evaluation expected = expected_evaluation(model, config, 256);
  const Json &accuracy = summary.at("accuracy"), &loss = summary.at("loss");
  CHECK(accuracy.at("predictable").get<double>() == Approx(expected.accuracy_predictable.value()));
  CHECK(loss.at("all").get<double>() == Approx(expected.loss));
  CHECK(loss.at("predictable").get<double>() == Approx(expected.loss_predictable.value()));
  CHECK(loss.at("unpredictable").get<double>() == Approx(expected.loss_unpredictable.value()));
  require_heads(summary.at("heads"), model, config, 32);
  ThreadPool pool(1);
  const tasks::Batch held_out = drawn(config, "held out", 256, &tasks::Task::held_out);
  CHECK(accuracy.at("held_out").get<double>() ==
        Approx(train::evaluate(model, held_out, pool).accuracy_predictable.value()));
}

void require_step(const Json& line, const train::StepReport& expected) {
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

TEST_CASE("a run's numbers are those of its weights on the seed's own sequences", "[program]") {
  for (const char* task : {"repeat", "copy"}) {
    INFO(task);
    const TemporaryFolder folder;
    const RunConfig config = config_of(task, 6);
    const Left left = left_by(config, folder.path());
    REQUIRE(left.metrics.size() == 3);
    CHECK(left.metrics[0].at("step") == 0);
    CHECK(left.metrics[1].at("step") == 2);
    CHECK(left.metrics[2].at("step") == 3);
    CHECK(left.summary.at("steps") == 3);
    WholeRun run(config);
    require_measured(left.metrics[0], *run.model, config);
    CHECK(left.summary.at("loss").at("first").get<double>() == Approx(run.step().loss));
    require_step(left.metrics[1], run.step());
    require_measured(left.metrics[1], *run.model, config);
    CHECK(left.summary.at("loss").at("last").get<double>() == Approx(run.step().loss));
    require_measured(left.metrics[2], *run.model, config);
    require_results(left.summary, *run.model, config);
  }
}

TEST_CASE("no sequence that a run is measured on is one that it trains on", "[program]") {
  const RunConfig config = config_of("repeat", 0);
  const auto trained = sequences_of(training_batch(config, 256).tokens);
  for (const IntArray& tokens : {drawn(config, "evaluation", 256).tokens, scored_tokens(config, 32)})
    for (const auto& sequence : sequences_of(tokens)) CHECK_FALSE(trained.contains(sequence));
}
