// What a run that is saved replaces, and what is not lost in its folder.
#include "catch.h"
#include "experiment/small_config.h"
#include "headlight/run/experiment.h"
#include "headlight/run/run_folder.h"
#include "headlight/system/files.h"
#include "headlight/system/folder.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::run;

namespace {

namespace fs = std::filesystem;

class Note : public Observer {
 public:
  void after(const Experiment& run, const train::StepReport& step) override {
    static_cast<void>(run), static_cast<void>(step);
  }
  void save(const fs::path& folder) const override { write_file(folder / "note.txt", "observed"); }
};

// A run after its first step.
Experiment begun_run(std::uint64_t seed = 0) {
  RunConfig config = small_config();
  config.train.seed = seed;
  Experiment run(config, {.threads = 1});
  run.run_until(1);
  return run;
}

}  // namespace

TEST_CASE("a run replaces what the old one wrote, and nothing else", "[experiment]") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "run";
  begun_run().save(path);
  write_file(path / "text.txt", "mine");
  write_file(path / "observers" / "notes.txt", "mine too");
  write_file(path / "failed_metrics.jsonl", "mine as well");
  write_file(path / "report-tokens.html", "a page of the old run");
  for (int step = 2; step <= 3; ++step) {
    Experiment run = Experiment::resume(path, {.threads = 1});
    run.run_until(step);
    run.save(path);
    CHECK(read_file(path / "text.txt~") == "mine");
    CHECK(read_file(path / "observers~" / "notes.txt") == "mine too");
    CHECK(read_file(path / "failed_metrics.jsonl") == "mine as well");
    for (const char* name : {"text.txt", "observers", "report-tokens.html", "config.json~"})
      CHECK_FALSE(fs::exists(path / name));
    CHECK(load_results(path).steps == step);
  }
}

TEST_CASE("what a failed run left goes with the next run", "[experiment]") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "run";
  for (const std::string& lines : {std::string(), metrics_line(begun_run().metrics().front()) + "\n"}) {
    write_file(path / files::kFailed, lines);
    begun_run().save(path);
    CHECK_FALSE(fs::exists(path / files::kFailed));
    CHECK_FALSE(fs::exists(path / "failed_metrics.jsonl~"));
  }
}

TEST_CASE("an observer's files go with their run, but no others in their folder", "[experiment]") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "run";
  Experiment observed = begun_run();
  observed.observe(std::make_shared<Note>());
  observed.save(path);
  CHECK(fs::exists(path / "observers" / "note.txt"));
  begun_run().save(path);
  CHECK_FALSE(fs::exists(path / "observers"));
  CHECK_FALSE(fs::exists(path / "observers~"));
  observed.save(path);
  write_file(path / "observers" / "deep" / "mine.txt", "mine");
  observed.save(path);
  CHECK(read_file(path / "observers~" / "deep" / "mine.txt") == "mine");
  CHECK(fs::exists(path / "observers" / "note.txt"));
}

TEST_CASE("where no manifest tells what a run wrote, the names do", "[experiment]") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "run";
  for (const char* damage : {"", "{"}) {
    begun_run().save(path);
    write_file(path / "text.txt", "of an old run");
    fs::remove(path / files::kManifest);
    if (*damage != '\0') write_file(path / files::kManifest, damage);
    begun_run().save(path);
    CHECK_FALSE(fs::exists(path / "text.txt"));
    CHECK_FALSE(fs::exists(path / "text.txt~"));
    // A damaged one tells nothing, so nothing of the folder is replaced.
    CHECK(fs::exists(folder.path() / "run~" / "text.txt") == (*damage != '\0'));
  }
}

TEST_CASE("what the user wrote over a run's file is not replaced", "[experiment]") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "run";
  begun_run().save(path);
  Experiment run = begun_run(1);
  run.claim(path);
  write_file(path / "config.json", "my own settings");
  run.save();
  CHECK(read_file(path / "config.json~") == "my own settings");
  CHECK(load_config(path).train.seed == 1);
  CHECK_FALSE(fs::exists(path / "state.json~"));
}

TEST_CASE("a failed run's name may be a link of the user's", "[experiment]") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "run";
  begun_run().save(path);
  const fs::path metrics = folder.path() / "metrics.jsonl";
  fs::copy_file(path / files::kMetrics, metrics);
  fs::create_symlink(metrics, path / files::kFailed);
  CHECK_FALSE(is_run_entry(fs::directory_entry(path / files::kFailed)));
  CHECK(is_run_entry(fs::directory_entry(path / files::kMetrics)));
}

TEST_CASE("what comes into a claimed folder is not replaced", "[experiment]") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "run";
  Experiment run = begun_run();
  run.claim(path);
  write_file(path / "text.txt", "mine");
  for (int times = 0; times < 2; ++times) {
    run.save();
    CHECK(read_file(path / "text.txt~") == "mine");
    CHECK_FALSE(fs::exists(path / "text.txt"));
    CHECK_FALSE(fs::exists(path / "config.json~"));
    CHECK_FALSE(fs::exists(folder.path() / "run~"));
  }
}

TEST_CASE("another run that takes the place of a claimed folder is kept", "[experiment]") {
  const TemporaryFolder folder;
  const fs::path best = folder.path() / "best", path = folder.path() / "run", aside = folder.path() / "run~";
  begun_run(1).save(best);
  const std::string before = read_file(best / files::kModel);
  for (const auto& put : {std::function([&] { fs::create_directory_symlink("best", path); }),
                          std::function([&] { fs::copy(best, path, fs::copy_options::recursive); })}) {
    Experiment run = begun_run();
    run.claim(path);
    put();
    run.save();
    CHECK(load_results(path).seed == 0);
    CHECK(read_file(best / files::kModel) == before);
    CHECK(load_results(aside).seed == 1);
    fs::remove_all(aside);
    fs::remove_all(path);
  }
  Experiment run = begun_run();
  run.claim(path);
  write_file(path, "a file");
  run.save();
  CHECK(load_results(path).seed == 0);
  CHECK(read_file(aside) == "a file");
}

TEST_CASE("a run is saved where it is told, or in the folder that it has claimed", "[experiment]") {
  const TemporaryFolder folder;
  Experiment run = begun_run();
  CHECK(error_of([&] { run.save(); }) ==
        "[save] no folder is claimed. Hint: claim(folder), or save(folder).");
  run.claim(folder.path() / "one");
  run.save(folder.path() / "two");
  CHECK_FALSE(fs::exists(folder.path() / "one"));
  run.save(folder.path() / "one" / ".");
  CHECK(load_results(folder.path() / "one").steps == load_results(folder.path() / "two").steps);
}
