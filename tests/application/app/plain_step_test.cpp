// The plain loops that bench times beside the engine.
#include "bench/plain_step.h"

#include "bench/step_timing.h"
#include "catch.h"
#include "headlight/run/experiment.h"

using namespace headlight;

TEST_CASE("the plain loops of a tiny model learn what the engine's model learns", "[bench]") {
  const bench::BenchConfig& config = bench::find_bench_config("tiny32");
  const std::unique_ptr<bench::PlainStep> plain = bench::plain_step(config.name);
  run::Experiment ours(bench::run_config(config), {.threads = 1, .record = false});
  double of_plain = 0, of_ours = 0;
  for (int step = 0; step < 500; ++step) {
    const double a = plain->step(), b = ours.step().loss;
    if (step >= 400) of_plain += a / 100, of_ours += b / 100;
  }
  INFO(of_plain << " and " << of_ours);
  CHECK(of_plain < 0.8 * std::log(27));
  CHECK(std::abs(of_plain - of_ours) < 0.05 * of_ours);
  CHECK(bench::plain_step("small") == nullptr);
}
