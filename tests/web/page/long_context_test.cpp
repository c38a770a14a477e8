// A run whose context is too long for what holds whole patterns.
#include "catch.h"
#include "headlight/page/run_page.h"
#include "headlight/run/experiment.h"

using namespace headlight;

TEST_CASE("a run of a long context ends without what holds patterns", "[page]") {
  run::RunConfig config;
  config.task.n_ctx = 2048;
  config.task.distinct = false;
  config.model.n_layers = config.model.n_heads = 1;
  config.model.d_model = 8;
  config.train.batch = config.train.shards = 1;
  config.train.steps = 1;
  config.train.history = 2;
  run::Experiment experiment(config, {.threads = 2});
  experiment.run_until(1);
  const run::Run run = experiment.measure();
  CHECK(run.results.heads.empty());
  CHECK_FALSE(run.results.certificate.has_value());
  CHECK(page::pages_of(run, "long").empty());
  CHECK(error_of([&] { page::report_page(run, {}); }) ==
        "a page draws the patterns of contexts of up to 1024 tokens, and this run's context has 2048.");
}
