// What the page shows of a circuit along training, and of every period, against the library's own numbers.
#include "page/sections/run_formation.h"

#include "catch.h"
#include "headlight/interpret/ablation.h"
#include "headlight/interpret/circuits.h"
#include "headlight/studies/periods.h"
#include "page/page_cost.h"
#include "run/small_config.h"

using namespace headlight;
using namespace headlight::run;
using namespace headlight::page;
using namespace headlight::studies;

namespace {

Run run_with(std::uint64_t seed) {
  const RunConfig config = small_config();
  Run run{config, make_task(config), make_model(config)};
  Rng rng(seed);
  for (auto& [name, p] : nn::named_parameters(*run.model)) {
    Tensor handle = p;
    for (Real& x : handle.mutable_array()) x += static_cast<Real>(0.3 * rng.normal());
  }
  return run;
}

std::map<std::string, Array> weights_of(const Run& run) {
  std::map<std::string, Array> weights;
  for (const auto& [name, p] : nn::named_parameters(*run.model)) weights.emplace(name, p.array());
  return weights;
}

}  // namespace

TEST_CASE("along training the page has the accuracy without the circuit and with it alone", "[experiment]") {
  ThreadPool pool(1);
  Run run = run_with(1);
  const Run first = run_with(2), last = run_with(3);
  interpret::Certificate c;
  c.induction_heads = {{1, 0}};
  c.previous_token_heads = {{0, 1}};
  c.formation = {{10, 0.1, 0.2, 0.3}, {20, 0, 0, 0}, {30, 0, 0, 0}};
  std::vector<train::Snapshot> snapshots;
  snapshots.push_back({10, weights_of(first)});
  snapshots.push_back({15, weights_of(first)});
  snapshots.push_back({30, weights_of(last)});
  const auto formation = formation_json(c, run, *run.model, std::move(snapshots), pool);
  CHECK((formation[0]["step"] == 10 && formation[0]["matching"] == 0.1));
  CHECK((formation[0]["previous"] == 0.2 && formation[0]["accuracy"] == 0.3));
  CHECK_FALSE(formation[1].contains("without"));

  const auto batch = [&](const char* name) {
    return tasks::draw_batch(run.task, run.task.training, 16, Rng(run.config.train.seed).stream(name));
  };
  const tasks::Batch others = batch("page, formation means"), own = batch("page, formation");
  const interpret::HeadSet circuit = c.circuit();
  for (const int at : {0, 2}) {
    const auto* saved = at == 0 ? &first : &last;
    const auto means = interpret::mean_outputs(*saved->model, others);
    const auto accuracy = [&](const interpret::HeadSet& off) {
      return train::evaluate(*saved->model, own, interpret::replace_outputs(run.model->config(), off, means))
          .accuracy_predictable;
    };
    const interpret::HeadSet all = interpret::all_heads(run.model->config());
    CHECK(formation[at]["without"] == accuracy(c.induction_heads).value());
    CHECK(formation[at]["alone"] == accuracy(interpret::without(all, circuit)).value());
    CHECK_THAT(
        formation[at]["copying"].get<double>(),
        Catch::Matchers::WithinAbs(interpret::circuit_of(*saved->model, {1, 0}).copying_eigen.value(), 1e-3));
  }
  CHECK(weights_of(run) == weights_of(last));
}

TEST_CASE("the page's periods are those of the command, or fewer of a larger model", "[experiment]") {
  ThreadPool pool(1);
  const Run run = run_with(1);
  const std::vector<PeriodAccuracy> wanted = accuracy_by_period(run, pool);
  const std::vector<PeriodAccuracy> page = page_periods(run, pool);
  REQUIRE(page.size() == wanted.size());
  for (std::size_t i = 0; i < page.size(); ++i) {
    CHECK(page[i].period == wanted[i].period);
    CHECK(page[i].accuracy == wanted[i].accuracy);
    CHECK(page[i].trained == wanted[i].trained);
  }
  RunConfig config = small_config();
  config.task.name = "markov";
  const Run markov{config, make_task(config), make_model(config)};
  CHECK(page_periods(markov, pool).empty());

  config = small_config();
  config.task.n_ctx = config.task.d_vocab = 64;
  config.model.d_model = 768;
  config.model.n_heads = 12;
  config.model.n_layers = 12;
  const Run large{config, make_task(config), make_model(config)};
  CHECK(operations_of(*large.model, 64) * 32 * 8 > kPageOperations);
  CHECK(page_periods(large, pool).empty());
}
