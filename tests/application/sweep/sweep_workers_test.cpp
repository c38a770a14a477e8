// Several workers on one sweep: who may join, and what they know of each other.
#include <nlohmann/json.hpp>
#include <thread>

#include "catch.h"
#include "headlight/core/version.h"
#include "headlight/run/run_files.h"
#include "headlight/sweep/sweep.h"
#include "headlight/system/files.h"
#include "run/small_config.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::sweep;

namespace {

SweepPlan short_plan(const std::string& varied) {
  run::RunConfig base = run::small_config();
  base.train.steps = 3;
  base.train.evaluate_every = 3;
  base.train.history = 0;
  return {base, {varied_setting(varied)}, {0, 1}};
}

// Runs the sweep and calls `meanwhile` once, while its first run is in training.
void run_with(Sweep& sweep, const std::function<void()>& meanwhile) {
  int asked = 0;
  sweep.run({.jobs = 1, .stop = [&] {
               if (++asked == 2) meanwhile();
               return false;
             }});
}

std::vector<std::string> hidden_names(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (const std::string name = entry.path().filename().string(); name.starts_with('.'))
      names.push_back(name);
  return names;
}

}  // namespace

TEST_CASE("workers of a sweep have its plan, its version and its texts", "[sweep]") {
  const TemporaryFolder folder;
  const auto at = folder.path() / "sweep";
  const SweepPlan plan = short_plan("heads=1,2");
  Sweep first(plan, at);
  run_with(first, [&] {
    SweepPlan other = plan;
    other.seeds = {0};
    CHECK(contains(error_of([&] { Sweep(other, at); }), "holds another sweep. Hint: "));
    const std::string json = read_file(at / sweep_files::kJson);
    const auto refusal = [&](const char* key, const char* value) {
      auto changed = nlohmann::ordered_json::parse(json);
      changed[key] = value;
      write_file(at / sweep_files::kJson, changed.dump());
      return error_of([&] { Sweep(plan, at).run({.stop = [] { return true; }}); });
    };
    CHECK(refusal("version", "Headlight 0.1.0") ==
          "'" + at.string() + "' is being swept by Headlight 0.1.0, and this is " + version() +
              ". Hint: all workers of a sweep have the same version.");
    CHECK(refusal("texts", "00") == "'" + at.string() +
                                        "' is being swept over another text of the same name. Hint: --out "
                                        "DIR puts a new sweep elsewhere.");
    write_file(at / sweep_files::kJson, json);
  });
  CHECK(nlohmann::json::parse(read_file(at / sweep_files::kJson))["version"] == version());
  CHECK(hidden_names(at).empty());
}

TEST_CASE("a worker takes no run that another has, and sees how runs ended elsewhere", "[sweep]") {
  const TemporaryFolder folder;
  const auto at = folder.path() / "sweep";
  SweepPlan plan = short_plan("lr=1e38,1e-3");
  plan.base.train.warmup = plan.base.train.clip = 0;
  Sweep first(plan, at);
  int asked = 0, steps = 0;
  first.run({.jobs = 1, .stop = [&] {
               if (!std::filesystem::exists(at / first.rows()[2].run.folder) || ++asked != 3) return false;
               Sweep second(plan, at);
               SweepProgress last;
               CHECK_FALSE(second.run({.jobs = 1,
                                       .stop = [&] { return steps++ > 0; },
                                       .look = [&](const SweepProgress& p) { last = p; }}));
               CHECK(steps == 2);  // asked before it took a run, and when there was none to take
               CHECK((last.workers == 2 && last.done == 3 && last.failed == 2 && last.total == 4));
               CHECK(second.rows()[0].failure == first.rows()[0].failure);
               CHECK(second.rows()[2].results);
               CHECK_FALSE(second.rows()[3].results);
               return false;
             }});
  CHECK(steps == 2);
  CHECK(hidden_names(at).empty());
  std::size_t done_at_first = 4;
  Sweep again(plan, at);
  again.run(
      {.jobs = 1, .look = [&](const SweepProgress& p) { done_at_first = std::min(done_at_first, p.done); }});
  CHECK(done_at_first < 4);  // what failed is tried again
}

TEST_CASE("workers at once end with the same rows and files", "[sweep]") {
  const TemporaryFolder folder;
  const SweepPlan plan = short_plan("heads=1,2");
  Sweep a(plan, folder.path() / "sweep"), b(plan, folder.path() / "sweep");
  const SweepOptions options{.jobs = 2};
  bool ended = false;
  std::thread other([&] { ended = b.run(options); });
  CHECK(a.run(options));
  other.join();
  CHECK(ended);
  CHECK(a.files() == b.files());
  for (std::size_t i = 0; i < a.rows().size(); ++i)
    CHECK(a.rows()[i].results.value().train_seconds == b.rows()[i].results.value().train_seconds);
  CHECK(hidden_names(folder.path() / "sweep").empty());
  CHECK(hidden_names(folder.path()).empty());
}
