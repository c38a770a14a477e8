// A run as a value, and the folder that holds it.
#include "headlight/run/run.h"

#ifdef __linux__
#include <sys/inotify.h>
#endif
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "headlight/page/run_page.h"
#include "headlight/run/run_files.h"
#include "headlight/system/files.h"
#include "run/saved.h"
#include "run/small_config.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::run;

namespace {

namespace fs = std::filesystem;

// An observer that keeps a file.
class Keeper : public Observer {
 public:
  void after(const Experiment& /*run*/, const train::StepReport& /*step*/) override {}
  Files save() const override { return {{"kept.txt", "kept"}}; }
};

// A run that was stopped after two of its four steps, with every file that a run can have.
Run stopped_run(std::uint64_t seed = 0) {
  RunConfig config = small_config();
  config.train.steps = 4;
  config.train.evaluate_every = 2;
  config.train.seed = seed;
  config.train.average = 0.9;
  Experiment run(config, {.threads = 1, .command = "./headlight train"});
  run.observe(std::make_shared<Keeper>());
  run.run_until(2);
  return run.measure();
}

void replace_in(const fs::path& file, const std::string& from, const std::string& to) {
  std::string text = read_file(file);
  REQUIRE(contains(text, from));
  write_file(file, text.replace(text.find(from), from.size(), to));
}

std::vector<std::int64_t> steps_of(const std::vector<train::Snapshot>& snapshots) {
  std::vector<std::int64_t> steps;
  for (const train::Snapshot& snapshot : snapshots) steps.push_back(snapshot.step);
  return steps;
}

}  // namespace

TEST_CASE("a saved run comes back bit for bit", "[run]") {
  const TemporaryFolder folder;
  const Run run = stopped_run();
  write_run(folder.path() / "run", run);
  const Run back = read_run(folder.path() / "run");
  CHECK(back.notes.empty());
  const Files before = files_of(run), after = files_of(back);
  std::vector<std::string> names;
  for (const auto& [name, bytes] : before) {
    names.push_back(name);
    INFO(name);
    CHECK(after.at(name) == bytes);
    CHECK(read_file(folder.path() / "run" / name) == bytes);
  }
  CHECK(after.size() == before.size());
  CHECK(names == std::vector<std::string>{"config.json", "history.safetensors", "metrics.jsonl",
                                          "model.safetensors", "observers/kept.txt", "optimizer.safetensors",
                                          "state.json", "summary.json", "timing.jsonl"});
}

TEST_CASE("parts that were not asked for are not read", "[run]") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "run";
  write_run(path, stopped_run());
  for (const char* name : {files::kModel, files::kMetrics, files::kHistory, files::kState})
    write_file(path / name, "damaged");
  const Run run = read_run(path, Parts::results);
  CHECK(run.results.steps == 2);
  CHECK(run.config.train.steps == 4);
  CHECK((run.model == nullptr && run.metrics.empty() && run.snapshots.empty() && !run.state));
  CHECK(run.notes.empty());
  write_file(path / files::kSummary, "damaged");
  CHECK(read_run(path, Parts::config).task.config.name == "repeat");
}

#ifdef __linux__
TEST_CASE("each file of a run is opened once", "[run]") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "run";
  const Run run = stopped_run();
  write_run(path, run, page::pages_of(run, "run", 1));
  const int watch = ::inotify_init1(IN_NONBLOCK);
  REQUIRE(watch >= 0);
  for (const fs::path& watched : {path, path / files::kObservers})
    REQUIRE(::inotify_add_watch(watch, watched.c_str(), IN_OPEN) >= 0);
  read_run(path);
  std::map<std::string, int> opened;
  alignas(inotify_event) std::array<char, 65536> events{};
  const ssize_t size = ::read(watch, events.data(), events.size());
  ::close(watch);
  for (ssize_t at = 0; at < size;) {
    const auto* event = reinterpret_cast<const inotify_event*>(events.data() + at);
    if (event->len > 0 && (event->mask & IN_ISDIR) == 0) ++opened[event->name];
    at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
  }
  CHECK(opened.size() == 10);  // pages are not read
  for (const auto& [name, times] : opened) {
    INFO(name);
    CHECK(times == 1);
  }
}
#endif

TEST_CASE("a file that was edited since the run was saved is a note", "[run]") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "run";
  const Run run = stopped_run();
  write_run(path, run, page::pages_of(run, "run", 1));
  const auto edit = [&](const char* name, const std::string& from, const std::string& to) {
    replace_in(path / name, from, to);
    const Run back = read_run(path);
    CHECK(back.notes == std::vector<std::string>{fmt::format(
                            "'{}' was edited or damaged since the run was saved.", (path / name).string())});
    write_run(path, run);
  };
  edit(files::kConfig, "\"learning_rate\": 0.007", "\"learning_rate\": 0.008");
  edit(files::kSummary, "\"command\": \"./headlight train\"", "\"command\": \"another\"");
  edit(files::kMetrics, "\"loss\":", "\"loss\": ");
  edit(files::kTiming, "\"seconds\":", "\"seconds\": ");
  edit(files::kState, "\"seconds\":", "\"seconds\":  ");
  edit("observers/kept.txt", "kept", "edited");
  for (const char* name : {files::kModel, files::kHistory, files::kOptimizer}) {
    std::string bytes = read_file(path / name);
    bytes[bytes.size() - sizeof(Real)] =
        static_cast<char>(bytes[bytes.size() - sizeof(Real)] ^ 1);  // a last bit
    edit(name, read_file(path / name), bytes);
  }
  write_file(path / files::kPage, "edited");  // nothing reads it
  write_file(path / "observers" / "more.txt", "from elsewhere");
  CHECK(contains(read_run(path).notes.at(0), "observers/more.txt' was edited or damaged"));
  CHECK(read_run(path, Parts::results).notes.empty());  // of files that are read
}

TEST_CASE("a manifest that is damaged is a note, and one that is missing is that of an older version",
          "[run]") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "run";
  write_run(path, stopped_run());
  write_file(path / files::kManifest, "{");
  const auto notes = read_run(path).notes;
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].starts_with("'" + (path / files::kManifest).string() + "' is damaged: "));
  fs::remove(path / files::kManifest);
  CHECK(read_run(path).notes.empty());
}

TEST_CASE("a run of version 0.2 is read, and cannot be resumed", "[run]") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "run";
  const Run run = stopped_run();
  write_run(path, run);
  for (const char* name : {files::kManifest, files::kState, files::kOptimizer, files::kTiming})
    fs::remove(path / name);
  fs::remove_all(path / files::kObservers);
  auto config = nlohmann::json::parse(read_file(path / files::kConfig));
  config.erase("format");
  for (const char* key : {"architecture", "n_kv_heads", "d_head"}) config["model"].erase(key);
  for (const char* key : {"average", "history", "label_smoothing"}) config["train"].erase(key);
  write_file(path / files::kConfig, config.dump());
  auto summary = nlohmann::json::parse(read_file(path / files::kSummary));
  for (const char* key : {"verdict", "diverged", "manifest", "certificate"}) summary.erase(key);
  write_file(path / files::kSummary, summary.dump());
  const Run back = read_run(path);
  CHECK(back.notes.empty());
  CHECK(train::weights_of(*back.model) == train::weights_of(*run.model));
  CHECK(back.metrics.size() == run.metrics.size());
  CHECK(back.results.evaluation.loss == run.results.evaluation.loss);
  CHECK(steps_of(all_snapshots(back)) == steps_of(all_snapshots(run)));
  CHECK(error_of([&] { Experiment::resume(back); }) ==
        "this run cannot be resumed: it has no state.json. Hint: it was saved by an older version; "
        "./headlight train --config CONFIG trains it again, where CONFIG is the run's config.json.");
}

// tests/application/run/saved_by_0_2 was written by ./headlight train --vocab 12 --context 16 --d-model 16
// --heads 1
// --steps 1200
// --history 2 --evaluate-every 1200 of the program before 0.3, and then lost its page and its picture.
TEST_CASE("a run that an older program saved is read whole and resumed", "[run]") {
  const Run run = read_run(fs::path(HEADLIGHT_SOURCE_DIR) / "tests/application/run/saved_by_0_2");
  CHECK(run.notes.empty());
  REQUIRE(run.results.certificate.has_value());
  CHECK((run.results.certificate->verdict == interpret::Verdict::circuit));
  CHECK(run.results.accuracy_held_out == 0.9915865384615384);
  CHECK(run.results.heads.size() == 2);
  CHECK(run.metrics.size() == 2);
  CHECK(run.seconds.size() == 2);
  CHECK(steps_of(run.snapshots) == std::vector<std::int64_t>{0, 1200});
  Experiment resumed = Experiment::resume(run, {.threads = 1, .steps = 1201});
  CHECK(resumed.steps_done() == 1200);
  resumed.run_until(1201);
  CHECK(resumed.measure().results.evaluation.accuracy_predictable > 0.99);
}

TEST_CASE("the weights of a kept step are put back, others are not there", "[run]") {
  RunConfig config = small_config();
  config.train.evaluate_every = 2;
  config.train.history = 3;
  Experiment experiment(config, {.threads = 1});
  const Array before = experiment.model().embed.W.array();
  experiment.run_until(5);
  Run run = experiment.measure();
  const Array after = run.model->embed.W.array();
  rewind(run, 5);
  CHECK(difference(run.model->embed.W.array(), after) == 0);
  CHECK(
      contains(error_of([&] { rewind(run, 3); }), "the snapshot of step 3 was not kept; the nearest kept: "));
  CHECK(contains(error_of([&] { rewind(run, 6); }), "the nearest kept: 5."));
  CHECK(difference(run.model->embed.W.array(), after) == 0);
  rewind(run, 0);
  CHECK(difference(run.model->embed.W.array(), before) == 0);
  run.snapshots.clear();
  CHECK(contains(error_of([&] { rewind(run, 0); }), "the snapshots along this run's training were not kept"));
}

TEST_CASE("the last metrics are measured on the sequences of the others", "[run]") {
  RunConfig config = small_config();
  config.train.evaluate_every = 2;
  for (const std::int64_t steps : {4, 5}) {
    Experiment experiment(config, {.threads = 1});
    experiment.run_until(steps);
    const Run run = experiment.measure();
    const auto metrics = all_metrics(run);
    CHECK(metrics.size() == (steps == 4 ? 3 : 4));  // at 0, 2, 4 and 5
    CHECK(metrics.back().step == steps);
    CHECK(metrics.back().evaluation.loss == experiment.evaluate().loss);
    CHECK(metrics.back().held_out->loss == experiment.evaluate_held_out()->loss);
    CHECK(metrics.back().heads[1].values == experiment.head_scores()[1].values);
    CHECK(metrics[1].evaluation.loss == experiment.metrics()[1].evaluation.loss);
    CHECK(metrics[1].held_out->loss == experiment.metrics()[1].held_out->loss);
    Run older = experiment.measure();
    older.metrics.resize(2);
    CHECK(all_metrics(older).size() == 3);
    CHECK(all_metrics(older).back().evaluation.loss == run.results.evaluation.loss);
  }
}

TEST_CASE("snapshots hold each step once, and end with the trained model", "[run]") {
  RunConfig config = small_config();
  config.train.evaluate_every = 2;
  const auto steps_after = [&](std::int64_t steps) {
    Experiment experiment(config, {.threads = 1});
    experiment.run_until(steps);
    return steps_of(all_snapshots(experiment.measure()));
  };
  CHECK(steps_after(4) == std::vector<std::int64_t>{0, 2, 4});
  CHECK(steps_after(5) == std::vector<std::int64_t>{0, 2, 4, 5});
}

TEST_CASE("a run that is saved replaces the run in its folder, and leaves the user's files", "[run]") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "run";
  Run run = stopped_run();
  write_run(path, run, page::pages_of(run, "run", 1));
  CHECK(fs::exists(path / files::kHistory));
  CHECK(fs::exists(path / files::kPage));
  CHECK(fs::exists(path / files::kPattern));
  write_file(path / "notes.txt", "mine");
  write_file(path / "more" / "notes.txt", "mine too");
  write_file(path / "induction_head.svg", "the picture of version 0.2");
  run.snapshots.clear();
  run.state->observers.clear();
  write_run(path, run);
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  CHECK(names == std::vector<std::string>{"config.json", "manifest.json", "metrics.jsonl",
                                          "model.safetensors", "more", "notes.txt", "optimizer.safetensors",
                                          "state.json", "summary.json", "timing.jsonl"});
  CHECK(read_file(path / "notes.txt") == "mine");
  CHECK(read_file(path / "more" / "notes.txt") == "mine too");
  CHECK(read_run(path).notes.empty());
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);  // no draft, no lock
}

TEST_CASE("two runs cannot write to one folder at a time", "[run]") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "run";
  const Run first = stopped_run(), second = stopped_run(1);
  {
    const FolderLock lock(path);
    CHECK(contains(error_of([&] { write_run(path / ".", second); }), "another process is writing to '"));
    CHECK_FALSE(fs::exists(path));
    write_run(lock, first);
    CHECK(contains(error_of([&] { write_run(path, second); }), "another process is writing to '"));
    CHECK(read_run(path).config.train.seed == 0);
  }
  write_run(path, second);
  CHECK(read_run(path).config.train.seed == 1);
}

TEST_CASE("a run that a killed save left beside its folder is read from it", "[run]") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "run";
  write_run(path, stopped_run());
  write_file(path / "notes.txt", "mine");
  fs::rename(path, hidden_name(path, "old"));
  write_file(hidden_name(path, "draft") / files::kConfig, "{");
  CHECK(read_run(path).notes.empty());
  CHECK(read_file(path / "notes.txt") == "mine");
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a run of another program's task is read, and only drawing from the task is refused", "[run]") {
  const TemporaryFolder folder;
  RunConfig config = small_config();
  config.train.steps = 2;
  tasks::Task task = tasks::make_task(config.task);
  task.config.name = "unheard-of";
  config.task = task.config;
  Experiment experiment(std::move(task), config);
  experiment.run_until(2);
  save(experiment, folder.path() / "run");
  const Run run = read_run(folder.path() / "run");
  CHECK(run.config.task.name == "unheard-of");
  CHECK(run.task.config.d_vocab == 12);
  CHECK(run.task.vocabulary.size() == 12);
  CHECK(run.model != nullptr);
  CHECK(run.notes.empty());
  CHECK(filled_in(run.config).task.d_vocab == 12);
  CHECK(changed_settings(run.config).size() > 2);  // for `compare` and `runs`
  Rng rng(1);
  CHECK(error_of([&] { (void)run.task.training(rng); }) ==
        "the task 'unheard-of' is not in this program, so that no sequence of it can be drawn. Hint: use the "
        "program that trained the run (docs/library.md, \"Commands for a task of your own\"), or give the "
        "tokens.");
  tasks::TaskConfig huge = run.config.task;
  huge.d_vocab = std::size_t{1} << 50;
  CHECK(contains(error_of([&] { (void)tasks::task_of_another_program(huge); }), "choose a smaller d_vocab"));
}
