#include "experiment/saved_size.h"

#include "catch.h"
#include "headlight/experiment/experiment.h"
#include "headlight/experiment/run_folder.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::experiment;

TEST_CASE("the weights that a run saves take the room that was foreseen", "[experiment]") {
  const TemporaryFolder folder;
  RunConfig config;
  config.task.name = "reverse";  // without a certificate, which takes longer than the rest
  config.model.n_layers = 1;
  config.train.steps = 2;
  config.train.evaluate_every = 1;
  for (const std::int64_t history : {0, 40}) {
    config.train.history = static_cast<std::size_t>(history);
    Experiment run(config, {.threads = 1});
    while (!run.done()) run.step();
    run.save(folder.path());
    double saved = 0;
    for (const char* name : {files::kModel, files::kOptimizer, files::kHistory})
      if (std::filesystem::exists(folder.path() / name))
        saved += static_cast<double>(std::filesystem::file_size(folder.path() / name));
    const double foreseen = saved_bytes(run.config(), run.task());
    INFO("foreseen " << foreseen << ", saved " << saved);
    CHECK(foreseen > 0.9 * saved);
    CHECK(foreseen < 1.3 * saved);
  }
}

TEST_CASE("a run that its disk does not hold is refused before it is trained", "[experiment]") {
  CHECK_NOTHROW(require_room(8e6, 8e6, "runs/new"));
  CHECK(error_of([] { require_room(8e6, 7.5e6, "runs/new"); }) ==
        "the file system of 'runs/new' has 7.5 MB free, but the weights that this run saves take up to 8.0 "
        "MB. Hint: "
        "--out saves the run elsewhere, --history 0 keeps no weights along training.");
  const TemporaryFolder folder;
  CHECK(room_at(folder.path()) > 0);
  CHECK(room_at(folder.path() / "missing") > 1e30);
}
