// Models of random settings: each is refused in a sentence, or it trains.
#include <map>

#include "catch.h"
#include "headlight/autograd/audit.h"
#include "headlight/nn/settings.h"
#include "headlight/run/config.h"
#include "headlight/train/task_loss.h"
#include "headlight/train/weights.h"

using namespace headlight;
using run::RunConfig;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kDraws = 40;
#else
constexpr int kDraws = 200;
#endif

// Values of the settings that need others than 0 … 4, so that many models are accepted, and small.
const std::map<std::string, std::vector<std::uint64_t>> kWhole{
    {"n_layers", {1, 2}},        {"n_heads", {1, 2, 4}},  {"d_model", {4, 8, 9}},
    {"d_head", {0, 0, 3, 4}},    {"d_mlp", {0, 6, 6, 6}}, {"max_distance", {2, 4, 7, 32}},
    {"n_kv_heads", {0, 0, 1, 2}}};

SettingValue drawn(const Setting<nn::TransformerConfig>& row, Rng& rng) {
  const auto one_of = [&rng](const auto& values) { return values[rng.below(values.size())]; };
  if (row.choices) return one_of(row.choices());
  const SettingValue usual = row.get({});
  if (std::holds_alternative<bool>(usual)) return rng.below(2) == 1;
  if (std::holds_alternative<double>(usual)) return one_of(std::vector<double>{0, 0.3, 2});
  const auto found = kWhole.find(row.key);
  return one_of(found == kWhole.end() ? std::vector<std::uint64_t>{0, 1, 2, 3, 4} : found->second);
}

// A run of a few steps on a task that the model can read.
RunConfig drawn_run(Rng& rng) {
  RunConfig run;
  run.task.d_vocab = 7;
  run.task.n_ctx = 10;
  run.train.batch = run.train.shards = 4;
  run.train.steps = 3;
  run.train.warmup = 1;
  for (const auto& row : nn::settings()) row.set(run.model, drawn(row, rng));
  if (run.model.architecture == nn::Architecture::encoder) run.task.name = "histogram";
  if (run.model.architecture == nn::Architecture::encoder_decoder)
    run.task = {.name = "reverse", .d_vocab = 10, .n_ctx = 12, .min_segment = 4, .max_segment = 4};
  return run;
}

std::string described(const RunConfig& run) {
  std::string text;
  for (const auto& row : nn::settings())
    text += fmt::format("{}={} ", row.key, to_string(row.get(run.model)));
  return text;
}

train::Weights trained(const RunConfig& run, std::size_t threads) {
  const auto model = run::make_model(run);
  const tasks::Task task = run::make_task(run);
  ThreadPool pool(threads);
  train::Trainer trainer = train::task_trainer(*model, task, run.train, pool);
  for (int step = 0; step < 3; ++step) CHECK(std::isfinite(trainer.step().loss));
  return train::weights_of(*model);
}

// The faults that mean that a parameter does not learn. (A unit of a tiny relu may well be dead.)
std::string faults(const RunConfig& run) {
  const auto model = run::make_model(run);
  const tasks::Task task = run::make_task(run);
  const tasks::Batch batch = tasks::draw_batch(task, task.training, 4, Rng(1));
  AuditReport report = audit([&] { return train::token_loss(*model)(batch); }, nn::named_parameters(*model));
  std::erase_if(report.findings, [](const AuditFinding& f) { return f.fault == AuditFault::dead_relu; });
  return report.ok() ? "" : to_string(report);
}

}  // namespace

TEST_CASE("a random model is refused in a sentence, or it trains with the same bits on all threads",
          "[nn][random]") {
  Rng rng(20);
  int accepted = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    const RunConfig run = drawn_run(rng);
    INFO(described(run));
    try {
      run::check_config(run);
    } catch (const Error& e) {
      const std::string sentence = e.what();
      INFO(sentence);
      CHECK((sentence.size() > 30 && sentence.ends_with('.')));
      continue;
    }
    ++accepted;
    CHECK(faults(run) == "");
    const train::Weights one = trained(run, 1), three = trained(run, 3);
    REQUIRE(one.size() == three.size());
    for (const auto& [name, weights] : one) {
      INFO(name);
      CHECK(all_finite(weights));
      CHECK(difference(weights, three.at(name)) == 0);
    }
  }
  CHECK(accepted > kDraws / 8);
}
