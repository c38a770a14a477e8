// The list of runs: what is in it, and that a damaged run does not end it.
#include "headlight/run/run_list.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "headlight/run/experiment.h"
#include "headlight/run/run.h"
#include "headlight/run/run_files.h"
#include "headlight/system/files.h"
#include "run/saved.h"
#include "run/small_config.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::run;

namespace {

namespace fs = std::filesystem;

void save_run(const fs::path& folder, std::uint64_t seed, std::int64_t done = 2) {
  RunConfig config = small_config();
  config.train.steps = 2;
  config.train.history = 0;
  config.train.seed = seed;
  Experiment run(config, {.threads = 1});
  run.run_until(done);
  save(run, folder);
}

}  // namespace

TEST_CASE("the runs of a folder are listed by the time they were saved", "[run]") {
  const TemporaryFolder folder;
  save_run(folder.path() / "b", 1);
  save_run(folder.path() / "a", 2);
  save_run(folder.path() / ".hidden", 3);
  fs::create_directory(folder.path() / "no run");
  write_file(folder.path() / "a file", "");
  const auto runs = listed_runs({folder.path()});
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].folder.filename() == "b");
  CHECK(runs[1].folder.filename() == "a");
  CHECK(runs[1].results->seed == 2);
  CHECK(runs[1].config->train.seed == 2);
  CHECK(listed_runs({folder.path() / "a"}).size() == 1);
  CHECK(listed_runs({folder.path() / "a", folder.path()}).size() == 3);
  CHECK(contains(error_of([&] { listed_runs({folder.path() / "none"}); }), "there is no folder '"));
}

TEST_CASE("a run of a far year has its date", "[run]") {
  using namespace std::chrono;
  const auto at_noon = [](int y) { return system::FileTime(sys_days(year(y) / July / 4)) + 12h; };
  for (const int y : {1, 1600, 1970, 2025, 2400, 2500, 9999})
    CHECK(written(at_noon(y)).starts_with(fmt::format("{:04}-07-0", y)));
  CHECK(written({}) == "unknown");
  const TemporaryFolder folder;
  save_run(folder.path(), 1);
  for (const int y : {2400, 2500, 1}) {
    const auto summary = folder.path() / files::kSummary;
    const timespec time{.tv_sec = floor<seconds>(at_noon(y)).time_since_epoch().count(), .tv_nsec = 0};
    const std::array<timespec, 2> times{time, time};
    REQUIRE(::utimensat(AT_FDCWD, summary.c_str(), times.data(), 0) == 0);
    struct stat status {};
    REQUIRE(::stat(summary.c_str(), &status) == 0);
    if (status.st_mtime != time.tv_sec) continue;  // not every file system holds such a time
    CHECK(listed_run(folder.path()).saved == at_noon(y));
  }
}

TEST_CASE("a damaged run is listed as such, among the others", "[run]") {
  const TemporaryFolder folder;
  for (const char* name : {"summary", "model", "config", "whole"}) save_run(folder.path() / name, 0);
  write_file(folder.path() / "summary" / files::kSummary, "{");
  write_file(folder.path() / "model" / files::kModel, "x");
  write_file(folder.path() / "config" / files::kConfig, "[]");
  const auto runs = listed_runs({folder.path()});
  REQUIRE(runs.size() == 4);
  for (const ListedRun& run : runs) {
    const bool whole = run.folder.filename() == "whole";
    CHECK(run.damage.empty() == whole);
    CHECK(run.results.has_value() == whole);
    const auto json = nlohmann::json::parse(to_json(run));
    CHECK(json.contains("damage") != whole);
    CHECK(json.contains("accuracy_predictable") == whole);
  }
}

TEST_CASE("a run as JSON has its settings by their keys", "[run]") {
  const TemporaryFolder folder;
  save_run(folder.path() / "run", 7, 1);
  const auto json = nlohmann::json::parse(to_json(listed_run(folder.path() / "run")));
  const Results r = read_run(folder.path() / "run", Parts::results).results;
  double induction = 0;
  for (const auto& head : r.heads) induction = std::max(induction, head["induction"]);
  CHECK(json["run"] == (folder.path() / "run").string());
  CHECK(json["task"] == "repeat");
  CHECK((json["loss"] == r.evaluation.loss && json["induction"] == induction));
  CHECK(json["accuracy_predictable"] == *r.evaluation.accuracy_predictable);
  CHECK(json["best_possible_loss"] == best_possible(r.baselines)->loss);
  CHECK((json["passed"] == r.passed && json["diverged"] == false));
  CHECK(json["settings"]["train.seed"] == 7);
  CHECK_FALSE(json["settings"].contains("task.min_segment"));
  CHECK(json["steps"] == 1);
  CHECK(json["interrupted"] == true);
  CHECK(json["induction"].is_number());
}

TEST_CASE("a folder holds a run when it has more of one than its settings", "[run]") {
  const TemporaryFolder folder;
  CHECK_FALSE(holds_run(folder.path() / "none"));
  write_file(folder.path() / "notes.txt", "");
  write_file(folder.path() / files::kConfig, "{}");
  CHECK_FALSE(holds_run(folder.path()));
  write_file(folder.path() / files::kModel, "");
  CHECK(holds_run(folder.path()));
}
