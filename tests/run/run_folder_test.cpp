#include <cstring>

#include "catch.h"
#include "experiment/small_config.h"
#include "headlight/run/experiment.h"
#include "headlight/run/run.h"
#include "headlight/system/files.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::run;

namespace {

// A run of two steps, saved.
void save_small_run(const std::filesystem::path& folder) {
  Experiment run(small_config(), {.threads = 1});
  run.run_until(2);
  run.save(folder);
}

}  // namespace

TEST_CASE("a saved run comes back bit for bit", "[experiment]") {
  const TemporaryFolder folder;
  Experiment run(small_config(), {.threads = 1});
  run.run_until(3);
  run.save(folder.path() / "run");
  const Run back = load_run(folder.path() / "run");
  CHECK(to_json(back.config) == to_json(run.config()));
  const auto a = train::weights_of(run.model()), b = train::weights_of(*back.model);
  REQUIRE(a.size() == b.size());
  for (const auto& [name, array] : a)
    CHECK(std::memcmp(array.data(), b.at(name).data(), array.size() * sizeof(Real)) == 0);
}

TEST_CASE("damaged runs are named and refused", "[experiment]") {
  const TemporaryFolder folder;
  const auto run = folder.path() / "run";
  CHECK(contains(error_of([&] { load_run(RunFolder(run, true)); }), "there is no run"));
  save_small_run(run);
  const auto weights = run / "model.safetensors";
  const std::string good = read_file(weights);
  const auto refused = [&](const std::string& bytes) {
    write_file(weights, bytes);
    return error_of([&] { load_run(RunFolder(run, true)); });
  };
  CHECK(contains(refused(good.substr(0, good.size() - 1)), "is not a whole safetensors file"));
  CHECK(contains(refused(good + "x"), "1 bytes after the last array"));
  CHECK(contains(refused(good.substr(0, 5)), "only 5 bytes long"));
  CHECK(contains(refused(""), "only 0 bytes long"));
  std::string huge = good;
  huge[6] = '\x7f';
  CHECK(contains(refused(huge), "which are not there"));
  std::string broken = good;
  broken[20] = '\x01';
  CHECK(contains(refused(broken), "is not a whole safetensors file"));
  std::string poisoned = good;
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  std::memcpy(poisoned.data() + poisoned.size() - sizeof(Real), &nan, sizeof(Real));
  CHECK(contains(refused(poisoned), "that are not finite"));
  std::filesystem::remove(weights);
  CHECK(contains(error_of([&] { load_run(RunFolder(run, true)); }), "there is no file"));
  RunConfig wider = small_config();
  wider.model.d_model = 32;
  write_file(weights, good);
  write_file(run / "config.json", to_json(wider));
  CHECK(contains(error_of([&] { load_run(RunFolder(run, true)); }), "but the config's model needs"));
  write_file(run / "config.json", "{");
  CHECK(contains(error_of([&] { load_run(RunFolder(run, true)); }), "not valid JSON"));
}

TEST_CASE("the weights of a kept step are loaded, others not", "[experiment]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "run";
  RunConfig config = small_config();
  config.train.evaluate_every = 2;
  config.train.history = 3;
  Experiment run(config, {.threads = 1});
  const Array before = run.model().embed.W.array();
  run.run_until(5);
  run.save(path);
  CHECK(difference(load_run_at(path, 0).model->embed.W.array(), before) == 0);
  CHECK(difference(load_run_at(path, 5).model->embed.W.array(), run.model().embed.W.array()) == 0);
  CHECK(contains(error_of([&] { load_run_at(path, 3); }),
                 "the weights of step 3 were not kept; the nearest kept: "));
  CHECK(contains(error_of([&] { load_run_at(path, 6); }), "the nearest kept: 5."));
  std::filesystem::remove(path / files::kHistory);
  CHECK(contains(error_of([&] { load_history(RunFolder(path, true)); }), "has no history.safetensors"));
}

TEST_CASE("metrics end with the results", "[experiment]") {
  const TemporaryFolder folder;
  RunConfig config = small_config();
  config.train.evaluate_every = 2;
  for (const std::int64_t steps : {4, 5}) {
    Experiment run(config, {.threads = 1});
    run.run_until(steps);
    const Results results = run.save(folder.path() / "run");
    const auto metrics = load_metrics(folder.path() / "run");
    CHECK(metrics.size() == (steps == 4 ? 3 : 4));  // at 0, 2, 4 and 5
    CHECK(metrics.back().step == steps);
    CHECK(metrics.back().evaluation.loss == results.evaluation.loss);
    CHECK(metrics[1].evaluation.loss == run.metrics()[1].evaluation.loss);
  }
}

TEST_CASE("a history holds each snapshot once, and ends with the trained model", "[experiment]") {
  const TemporaryFolder folder;
  RunConfig config = small_config();
  config.train.evaluate_every = 2;
  const auto steps_after = [&](std::int64_t steps) {
    Experiment run(config, {.threads = 1});
    run.run_until(steps);
    run.save(folder.path() / "run");
    std::vector<std::int64_t> all;
    for (const train::Snapshot& snapshot : load_history(folder.path() / "run")) all.push_back(snapshot.step);
    return all;
  };
  CHECK(steps_after(4) == std::vector<std::int64_t>{0, 2, 4});
  CHECK(steps_after(5) == std::vector<std::int64_t>{0, 2, 4, 5});
}

TEST_CASE("nothing of a run stays in a folder that another run takes over", "[experiment]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "run";
  save_small_run(path);
  CHECK(has_history(path));
  RunConfig without = small_config();
  without.train.history = 0;
  Experiment run(without, {.threads = 1});
  run.run_until(1);
  run.save(path);
  CHECK_FALSE(has_history(path));
  CHECK_FALSE(std::filesystem::exists(path / files::kPage));
}
