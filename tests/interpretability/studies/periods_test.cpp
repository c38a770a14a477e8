// Accuracy by period, of models whose accuracy is known.
#include "headlight/studies/periods.h"

#include <set>

#include "catch.h"
#include "headlight/nn/by_hand.h"
#include "headlight/train/evaluate.h"
#include "headlight/train/weights.h"

using namespace headlight;
using namespace headlight::run;
using namespace headlight::studies;

namespace {

constexpr std::size_t kContext = 32;

tasks::TaskConfig repetitions() {
  return {.name = "repeat", .d_vocab = 32, .n_ctx = kContext, .min_segment = 8, .max_segment = 16};
}

std::vector<PeriodAccuracy> of_model_by_hand(const nn::InductionByHand& options) {
  ThreadPool pool(1);
  return accuracy_by_period(nn::induction_by_hand(options), tasks::make_task(repetitions()), Rng(3), pool);
}

std::vector<PeriodAccuracy> accuracies_of(std::size_t first, std::size_t last, std::size_t trained_from,
                                          std::size_t trained_to) {
  std::vector<PeriodAccuracy> all;
  for (std::size_t p = first; p <= last; ++p)
    all.push_back({p, static_cast<double>(p) / 100, p >= trained_from && p <= trained_to});
  return all;
}

}  // namespace

TEST_CASE("an induction head by hand predicts at every period", "[periods]") {
  const auto found = of_model_by_hand({.d_vocab = 32, .n_ctx = kContext, .n_heads = 1});
  REQUIRE(found.size() == kContext - 7);
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO(found[i].period);
    CHECK(found[i].period == i + 4);
    CHECK(found[i].accuracy == 1);
    CHECK(found[i].trained == (found[i].period >= 8 && found[i].period <= 16));
  }
}

// A head that looks 11 back predicts repeats of period 12. At a divisor P of 12 it predicts positions
// 11 … n_ctx-1 of the predictable P … n_ctx-1; at any other P, none of them.
TEST_CASE("a head by hand that looks a fixed distance back predicts at its period and its divisors",
          "[periods]") {
  const std::size_t offset = 11;
  for (const PeriodAccuracy& found : of_model_by_hand({.d_vocab = 32,
                                     .n_ctx = kContext,
                                     .n_heads = 1,
                                     .broken = nn::Broken::position_only,
                                     .offset = offset})) {
    INFO(found.period << ": " << found.accuracy);
    const double predictable = static_cast<double>(kContext - found.period);
    const double before = found.period < offset ? static_cast<double>(offset - found.period) : 0;
    if (found.period == offset + 1) CHECK(found.accuracy == 1);
    if ((offset + 1) % found.period == 0)
      CHECK(found.accuracy >= (predictable - before) / predictable - 1e-9);
    else
      CHECK(found.accuracy <= before / predictable + 1e-9);
  }
}

TEST_CASE("the accuracy at a period is that on 32 sequences of this period", "[periods]") {
  const nn::Transformer model = nn::induction_by_hand(
      {.d_vocab = 32, .n_ctx = kContext, .n_heads = 1, .broken = nn::Broken::position_only, .offset = 11});
  const tasks::Task task = tasks::make_task(repetitions());
  ThreadPool pool(1);
  const auto found = accuracy_by_period(model, task, Rng(3), pool, 3);
  REQUIRE(found.size() == 3);
  std::set<double> accuracies;
  for (const PeriodAccuracy& at : found) {
    const tasks::Batch batch = tasks::draw_batch(
        task, [&](Rng& drawn) { return task.with_segment(at.period, drawn); }, 32,
        Rng(3).stream("periods", at.period));
    CHECK(at.accuracy == *train::evaluate(model, batch, nn::Hooks()).accuracy_predictable);
    accuracies.insert(at.accuracy);
  }
  CHECK(accuracies.size() > 1);
}

TEST_CASE("periods end where the context or the vocabulary ends", "[periods]") {
  tasks::TaskConfig c = repetitions();
  CHECK(measured_periods(tasks::make_task(c)).back() == kContext - 4);
  c.d_vocab = 20;
  CHECK(measured_periods(tasks::make_task(c)).back() == 20);
  c.distinct = false;
  CHECK(measured_periods(tasks::make_task(c)).back() == kContext - 4);
  c = {.name = "repeat", .d_vocab = 600, .n_ctx = 512};
  const auto many = measured_periods(tasks::make_task(c));
  CHECK(many.size() == 127);
  CHECK(many.front() == 4);
  CHECK(many.back() == 508);
}

TEST_CASE("every task with segments draws its longest one", "[periods]") {
  for (const char* name : {"repeat", "copy", "reverse", "sort"})
    for (const bool distinct : {true, false})
      for (const bool with_source : {false, true}) {
        INFO(name << distinct << with_source);
        const tasks::Task task = tasks::make_task({.name = name,
                                                   .d_vocab = 14,
                                                   .n_ctx = 17,
                                                   .min_segment = 4,
                                                   .max_segment = 6,
                                                   .distinct = distinct,
                                                   .with_source = with_source});
        for (std::size_t length = 1; length <= task.longest_segment; ++length) {
          const tasks::Batch batch = tasks::draw_batch(
              task, [&](Rng& rng) { return task.with_segment(length, rng); }, 4, Rng(1));
          std::size_t predictable = 0;
          for (const bool marked : batch.predictable.values()) predictable += marked ? 1 : 0;
          CHECK(predictable > 0);
        }
      }
}

TEST_CASE("tasks without segments or with too short ones have no accuracy by period", "[periods]") {
  CHECK_THROWS_WITH(
      measured_periods(tasks::make_task({.name = "parity", .n_ctx = 16})),
      Catch::Matchers::ContainsSubstring("a task with segments; 'parity' has none. Hint: repeat, copy"));
  tasks::TaskConfig c = repetitions();
  c.name = "reverse";
  c.d_vocab = 5;
  c.min_segment = c.max_segment = 3;
  CHECK_THROWS_WITH(measured_periods(tasks::make_task(c)),
                    Catch::Matchers::ContainsSubstring("segments of at most 3"));
}

TEST_CASE("the chart by period distinguishes trained periods from others", "[periods]") {
  const draw::Chart chart = periods_chart(accuracies_of(4, 12, 6, 8));
  REQUIRE(chart.series.size() == 3);
  CHECK(chart.series[0].name == "other periods");
  CHECK(chart.series[0].x == std::vector<double>{4, 5, 6});
  CHECK(chart.series[1].name.empty());
  CHECK(chart.series[1].x == std::vector<double>{8, 9, 10, 11, 12});
  CHECK(chart.series[1].y == std::vector<double>{0.08, 0.09, 0.1, 0.11, 0.12});
  CHECK(draw::style_of(chart, 0) == draw::style_of(chart, 1));
  CHECK(chart.series[2].name == "periods in training");
  CHECK(chart.series[2].x == std::vector<double>{6, 7, 8});

  const draw::Chart one = periods_chart(accuracies_of(4, 4, 4, 4));
  REQUIRE(one.series.size() == 1);
  CHECK(one.series[0].dots);
  const draw::Chart from_the_first = periods_chart(accuracies_of(4, 8, 2, 5));
  REQUIRE(from_the_first.series.size() == 2);
  CHECK(from_the_first.series[0].name == "other periods");
  CHECK(from_the_first.series[0].x == std::vector<double>{5, 6, 7, 8});
}

TEST_CASE("fewer periods are taken at equal distances", "[periods]") {
  const tasks::Task task = tasks::make_task(repetitions());
  CHECK(measured_periods(task, 5) == std::vector<std::size_t>{4, 9, 14, 19, 24});
  CHECK(measured_periods(task, 25).size() == 25);
  CHECK(measured_periods(task, 24).size() == 13);
  CHECK(contains(error_of([&] { (void)measured_periods(task, 0); }), "expected at least 1 period, got 0."));
}

TEST_CASE("a model whose loss is not finite has no accuracy by period", "[periods]") {
  const tasks::Task task = tasks::make_task({.d_vocab = 16, .n_ctx = 16});
  nn::Transformer model = nn::induction_by_hand({.d_vocab = 16, .n_ctx = 16});
  train::Weights weights = train::weights_of(model);
  for (auto& [name, array] : weights) std::fill(array.begin(), array.end(), std::numeric_limits<Real>::max());
  train::set_weights(model, std::move(weights), "the weights");
  ThreadPool pool(1);
  CHECK(contains(error_of([&] { accuracy_by_period(model, task, Rng(0), pool, 2); }), "is not finite"));
}
