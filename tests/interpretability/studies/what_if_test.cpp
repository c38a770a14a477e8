// Trainings that go on with one thing changed.
#include "headlight/studies/what_if.h"

#include "studies/studied.h"

using namespace headlight;
using namespace headlight::studies;

namespace {

constexpr std::int64_t kAt = 30;

WhatIf after(const TrainingChange& change) { return what_if(small_run(), kAt, change, {.threads = 1}); }

// Parameters by name.
const Array& weights(const run::Run& run, const std::string& name) {
  for (const auto& [key, parameter] : nn::named_parameters(*run.model))
    if (key == name) return parameter.array();
  throw Error("no parameter " + name);
}

bool same_columns(const Array& a, const Array& b, std::size_t first, std::size_t count) {
  for (std::size_t i = 0; i < a.shape()[0]; ++i)
    for (std::size_t j = first; j < first + count; ++j)
      if (a(i, j) != b(i, j)) return false;
  return true;
}

run::NamedSetting setting(const std::string& part, const std::string& key) {
  for (const run::ConfigPart& p : run::settings())
    for (const auto& row : p.rows)
      if (p.name == part && row.key == key) return {part, &row};
  throw Error("no setting " + key);
}

}  // namespace

TEST_CASE("without a change both trainings are the run's own, bit for bit", "[studies][whatif]") {
  const WhatIf both = after({});
  CHECK(both.as_saved == true);
  CHECK(both.same_weights);
  CHECK(!both.first_other_loss);
  CHECK(both.change == "nothing is changed");
  REQUIRE(both.unchanged.metrics.size() == both.changed.metrics.size());
  for (std::size_t i = 0; i < both.changed.metrics.size(); ++i)
    CHECK(run::metrics_line(both.changed.metrics[i]) == run::metrics_line(both.unchanged.metrics[i]));
  CHECK(both.changed.results.evaluation.loss == small_run().results.evaluation.loss);
}

TEST_CASE("a clamped head keeps its weights, and all others learn", "[studies][whatif]") {
  const WhatIf both = after({.clamped = {{0, 1}}});
  CHECK(both.as_saved == true);
  CHECK(both.first_other_loss == kAt + 2);  // the step after the first that changes the head
  const run::RunConfig& config = small_run().config;
  const std::size_t d = config.model.d_model / config.model.n_heads;
  run::Experiment again(config, {.threads = 1});
  again.run_until(kAt);
  const run::Run then = again.measure();
  for (const char* name : {"blocks.0.attn.W_Q", "blocks.0.attn.W_K", "blocks.0.attn.W_V"}) {
    INFO(name);
    CHECK(same_columns(weights(both.changed, name), weights(then, name), d, d));
    CHECK(!same_columns(weights(both.changed, name), weights(then, name), 0, d));
    CHECK(!same_columns(weights(both.unchanged, name), weights(then, name), d, d));
  }
  const Array &out = weights(both.changed, "blocks.0.attn.W_O"), &before = weights(then, "blocks.0.attn.W_O");
  for (std::size_t row = 0; row < 2 * d; ++row)
    CHECK((xt::view(out, row) == xt::view(before, row)) == (row >= d));
  CHECK(both.change == "L0H1 keeps its weights of step 30");
}

TEST_CASE("a zeroed head writes nothing from the step on", "[studies][whatif]") {
  const WhatIf both = after({.zeroed = {{1, 0}, {1, 1}}});
  CHECK(both.first_other_loss == kAt + 1);
  for (const Real x : weights(both.changed, "blocks.1.attn.W_O")) CHECK(x == 0);
  CHECK(both.change == "L1H0, L1H1 write nothing");
}

TEST_CASE("other sequences begin where they are asked for", "[studies][whatif]") {
  const std::uint64_t own = small_run().config.train.seed;
  CHECK(after({.data_seed = own}).same_weights);
  CHECK(after({.data_seed = own + 1}).first_other_loss == kAt + 1);
  const std::int64_t step =
      std::find_if(small_run().metrics.begin(), small_run().metrics.end(), [](const auto& m) {
        return m.step > kAt;
      })->step;
  const WhatIf without = after({.without_batch = step});
  CHECK(without.first_other_loss == step);
  CHECK(without.change == fmt::format("the batch of step {} is left out", step));
  // The next batch takes its place: the loss is that of the same weights on its sequences.
  run::Experiment again(small_run().config, {.threads = 1});
  again.run_until(step - 1);
  const std::size_t batch = small_run().config.train.batch;
  const tasks::Batch next = tasks::draw_training_batch(small_run().task, batch, Rng(own).stream("data"),
                                                       static_cast<std::uint64_t>(step) * batch);
  const double expected = train::evaluate(again.model(), next, nn::Hooks()).loss;
  for (const run::Metrics& m : without.changed.metrics)
    if (m.step == step) CHECK(m.report->loss == Approx(expected).epsilon(1e-5));
}

TEST_CASE("a setting changes from the step on", "[studies][whatif]") {
  const auto rate = setting("train", "learning_rate");
  const WhatIf both = after({.settings = {{rate, SettingValue(0.001)}}});
  CHECK(both.first_other_loss == kAt + 2);
  CHECK(both.changed.config.train.learning_rate == 0.001);
  CHECK(both.change == "learning_rate is 0.001");
}

TEST_CASE("a step or a batch that is not there is refused", "[studies][whatif]") {
  CHECK(error_of([] { what_if(small_run(), 60, {}); }) ==
        "[whatif] expected a step from 1 to 59, before the last one, got 60.");
  CHECK(error_of([] { after({.without_batch = 12}); }) ==
        "[whatif] expected the batch of a step from 31 to 60, after step 30, got 12.");
  CHECK(error_of([] {
          after({.clamped = {{0, 0}}, .zeroed = {{0, 0}}});
        }) == "[whatif] L0H0 cannot both keep its weights and write nothing.");
  CHECK(contains(error_of([] { after({.zeroed = {{7, 0}}}); }), "there is no layer 7"));
  CHECK(error_of([] { what_if(small_run(), kAt, {}, {.threads = 1, .stop = [] { return true; }}); }) ==
        "[whatif] stopped at step 0: nothing was saved.");
}

TEST_CASE("a study of a change says where the two part", "[studies][whatif]") {
  const WhatIf both = after({.zeroed = {{0, 0}, {0, 1}, {1, 0}, {1, 1}}});
  const Study study = what_if_study(both, "runs/small");
  CHECK(
      study.sentences[0] ==
      "From step 30 on runs/small is trained twice: unchanged, and so that L0H0, L0H1, L1H0, L1H1 write nothing.");
  CHECK(study.sentences[1] ==
        "Control: trained on unchanged, the weights are those of runs/small, bit for bit.");
  CHECK(study.sentences[2] == "The losses of both are the same, bit for bit, before step 31.");
  REQUIRE(study.tables.size() == 2);
  for (const auto& row : study.tables[0].rows) {
    const auto step = std::get<std::int64_t>(row[1]);
    CHECK(step > kAt);
    const bool is_accuracy = text(row[0]) == "accuracy";
    CHECK(std::abs(number(row[2]) - number(row[3])) > (is_accuracy ? 0.05 : 0.1));
  }
  CHECK(contains(what_if_page(both, "runs/small"), "and what if L0H0, L0H1, L1H0, L1H1 write nothing"));
  CHECK(contains(terminal_study(what_if_study(after({}), "runs/small")), "They part nowhere so far."));
}
