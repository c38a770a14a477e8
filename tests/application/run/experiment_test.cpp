#include "headlight/run/experiment.h"

#include "catch.h"
#include "headlight/page/run_page.h"
#include "headlight/run/run.h"
#include "headlight/run/run_files.h"
#include "headlight/system/files.h"
#include "headlight/train/safetensors.h"
#include "run/saved.h"
#include "run/small_config.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::run;

namespace {

RunConfig measured_config() {
  RunConfig c = small_config();
  c.train.steps = 23;
  c.train.evaluate_every = 5;
  c.train.history = 4;
  return c;
}

// The files of a run that must not depend on how often it was interrupted, with their bytes: all but the
// times.
Files kept(const Experiment& experiment) {
  Run run = experiment.measure();
  Files files = files_of(run);
  files.erase(files::kTiming);
  run.state->seconds = 0;
  run.results.command = run.results.version = "";
  run.results.train_seconds = run.results.tokens_per_second = 0;
  run.results.formed_at_seconds.reset();
  const Files timeless = files_of(run);
  for (const char* name : {files::kState, files::kSummary}) files[name] = timeless.at(name);
  return files;
}

// Says which file differs.
void check_same(const Files& a, const Files& b) {
  REQUIRE(a.size() == b.size());
  for (const auto& [name, bytes] : a) {
    INFO(name);
    CHECK(b.at(name) == bytes);
  }
}

// Counts the steps that it saw, and keeps the count.
struct Counter : Observer {
  int seen = 0;
  void after(const Experiment&, const train::StepReport&) override { ++seen; }
  Files save() const override { return {{"counter.txt", std::to_string(seen)}}; }
  void load(const Files& files) override { seen = std::stoi(files.at("counter.txt")); }
};

void require_same_bits_when_resumed(double average) {
  RunConfig config = measured_config();
  config.train.average = average;
  Experiment whole(config, {.threads = 1});
  whole.observe(std::make_shared<Counter>());
  while (!whole.done()) whole.step();

  const TemporaryFolder folder;
  const auto parts = folder.path() / "parts";
  for (const std::int64_t stop : {1, 7, 10, 22, 23}) {
    Experiment run =
        stop == 1 ? Experiment(config, {.threads = 3}) : Experiment::resume(read_run(parts), {.threads = 2});
    run.observe(std::make_shared<Counter>());
    run.run_until(stop);
    CHECK(save(run, parts).interrupted == (stop < 23));
    CHECK(read_run(parts).results.steps == stop);
    if (stop == 23) check_same(kept(run), kept(whole));
  }
  const Files all = files_of(read_run(parts)), expected = kept(whole);
  for (const char* name : {files::kModel, files::kMetrics, files::kHistory, files::kOptimizer, files::kConfig,
                           "observers/counter.txt"}) {
    INFO(name);
    CHECK(all.at(name) == expected.at(name));
  }
}

}  // namespace

TEST_CASE("a run that is interrupted and resumed ends with the same bits", "[run][long]") {
  for (const double average : {0.0, 0.9}) require_same_bits_when_resumed(average);
}

TEST_CASE("a run that goes on past its end is the longer run", "[run]") {
  RunConfig longer = measured_config();
  longer.train.steps = 40;
  Experiment whole(longer, {.threads = 1});
  whole.run_until(40);
  Experiment shorter(measured_config(), {.threads = 1});
  shorter.run_until(23);
  Experiment more = Experiment::resume(shorter.measure(), {.threads = 1, .steps = 40});
  more.run_until(40);
  check_same(kept(more), kept(whole));
}

TEST_CASE("what cannot be resumed says why", "[run]") {
  const TemporaryFolder folder;
  const auto run_folder = folder.path() / "run";
  CHECK(contains(error_of([&] { Experiment::resume(read_run(run_folder)); }), "there is no run"));
  Experiment run(small_config(), {.threads = 1});
  CHECK(contains(error_of([&] { run.measure(); }), "there are no results before the first step"));
  CHECK_FALSE(std::filesystem::exists(run_folder));
  run.run_until(4);
  save(run, run_folder);
  CHECK(contains(error_of([&] { Experiment::resume(read_run(run_folder), {.steps = 3}); }),
                 "has already been trained for 4 steps, more than 3"));
  const std::string state = read_file(run_folder / files::kState);
  write_file(run_folder / files::kState, "{}");
  CHECK(contains(error_of([&] { Experiment::resume(read_run(run_folder)); }), "state.json' is damaged"));
  const auto refused = [&](const std::string& from, const std::string& to, const std::string& words) {
    std::string changed = state;
    REQUIRE(contains(changed, from));
    write_file(run_folder / files::kState, changed.replace(changed.find(from), from.size(), to));
    CHECK(contains(error_of([&] { Experiment::resume(read_run(run_folder)); }), words));
  };
  refused("\"optimizer_steps\": 4", "\"optimizer_steps\": 0",
          "it has 0 steps of the optimizer and 4 of the training");
  refused("\"seconds\": ", "\"seconds\": 1e300, \"_\": ",
          "'seconds': expected a number from 0 to 3155760000, got 1e+300");
  std::string earlier = state;
  for (const char* key : {"\"steps\": 4", "\"optimizer_steps\": 4"})
    earlier.replace(earlier.find(key) + std::string(key).size() - 1, 1, "2");
  write_file(run_folder / files::kState, earlier);
  CHECK(contains(error_of([&] { Experiment::resume(read_run(run_folder)); }), "are of different runs"));
  std::filesystem::remove(run_folder / files::kState);
  CHECK(contains(error_of([&] { Experiment::resume(read_run(run_folder)); }), "saved by an older version"));
  write_file(run_folder / files::kState, state);
  std::filesystem::remove(run_folder / files::kOptimizer);
  CHECK(contains(error_of([&] { Experiment::resume(read_run(run_folder)); }), "optimizer.safetensors"));
}

TEST_CASE("a kept step without metrics is not taken for the next one", "[run]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "run";
  Experiment run(measured_config(), {.threads = 1});
  run.run_until(23);
  save(run, path);
  const auto kept_steps = all_snapshots(read_run(path));
  REQUIRE(kept_steps.size() >= 3);
  const std::string step = std::to_string(kept_steps[1].step);
  for (const char* file : {files::kMetrics, files::kTiming}) {
    std::string lines = read_file(path / file);
    const std::size_t begin = lines.find("{\"step\":" + step + ",");
    REQUIRE(begin != std::string::npos);
    lines.erase(begin, lines.find('\n', begin) + 1 - begin);
    write_file(path / file, lines);
  }
  CHECK(contains(error_of([&] { Experiment::resume(read_run(path)); }), "has no metrics of step " + step));
}

TEST_CASE("snapshots that are not finite are refused when they are read, and too large ones by the page",
          "[run]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "run", file = path / files::kHistory;
  Experiment run(measured_config(), {.threads = 1});
  run.run_until(5);
  save(run, path);
  const auto refused = [&](Real number) {
    std::map<std::string, Array> all = train::load_safetensors(file).arrays;
    train::NamedArrays named;
    for (auto& [name, array] : all) {
      if (name.starts_with("step_0/")) std::fill(array.begin(), array.end(), number);
      named.emplace_back(name, &array);
    }
    train::save_safetensors(file, named, {});
    return error_of([&] { page::report_page(read_run(path)); });
  };
  CHECK(refused(std::numeric_limits<Real>::quiet_NaN())
            .starts_with("'" + file.string() + "' has numbers in '"));
  CHECK(refused(std::numeric_limits<Real>::max()) ==
        "'history.safetensors' has parameters of step 0 that are too large: their blocks.0.attn.hook_pattern "
        "is not finite.");
}

TEST_CASE("a task without predictable marks, held-out sequences or scores runs all the way", "[run]") {
  const TemporaryFolder folder;
  tasks::Task task{.config = {.name = "next", .d_vocab = 5, .n_ctx = 4},
                   .vocabulary = tasks::Vocabulary::of_size(5),
                   .training = [](Rng& rng) {
                     const auto first = static_cast<std::int32_t>(rng.below(5));
                     tasks::Sequence s;
                     for (std::int32_t t = 0; t < 4; ++t) {
                       s.tokens.push_back((first + t) % 5);
                       s.targets.push_back(t == 0 ? tasks::kNoTarget : (first + t + 1) % 5);
                     }
                     return s;
                   }};
  tasks::registry().add({"next", "counts on", [task](const tasks::TaskConfig&) { return task; }});
  RunConfig config = small_config();
  config.train.steps = 150;
  Experiment run(task, config, {.threads = 1});
  while (!run.done()) run.step();
  const Run measured = run.measure();
  const Results& results = measured.results;
  write_run(folder.path() / "run", measured, page::pages_of(measured, "run"));
  CHECK(results.evaluation.accuracy_predictable.value() > 0.99);
  CHECK_FALSE(results.evaluation.loss_unpredictable);
  CHECK_FALSE(results.accuracy_held_out);
  CHECK(results.heads.empty());
  CHECK(std::filesystem::exists(folder.path() / "run" / files::kPage));
  CHECK(read_run(folder.path() / "run").task.vocabulary.text(1) == "B");
}

TEST_CASE("observers of one's own are called, saved and resumed", "[run]") {
  const TemporaryFolder folder;
  const auto run_folder = folder.path() / "run";
  const auto counter = std::make_shared<Counter>();
  std::vector<std::int64_t> looks;
  {
    Experiment run(small_config(), {.threads = 1});
    run.observe(counter);
    run.observe(every(3), [&](const Experiment& now) { looks.push_back(now.steps_done()); });
    run.run_until(7);
    save(run, run_folder);
  }
  CHECK(counter->seen == 7);
  CHECK(looks == std::vector<std::int64_t>{3, 6});
  Experiment run = Experiment::resume(read_run(run_folder), {.threads = 1, .steps = 9});
  const auto again = std::make_shared<Counter>();
  run.observe(again);
  run.run_until(9);
  CHECK(again->seen == 9);
  CHECK(contains(error_of([] { every(0); }), "every 0 steps"));
}

TEST_CASE("what could not be saved again is refused before the training goes on", "[run]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "run";
  Experiment run(measured_config(), {.threads = 1});
  run.run_until(5);
  save(run, path);
  const std::string metrics = read_file(path / files::kMetrics), times = read_file(path / files::kTiming),
                    state = read_file(path / files::kState);
  const auto refused = [&] { return error_of([&] { Experiment::resume(read_run(path)); }); };
  const auto last_line = [](const std::string& lines) {
    return lines.substr(lines.rfind('\n', lines.size() - 2) + 1);
  };
  const auto renumbered = [](std::string line) {
    const std::size_t begin = line.find(':') + 1;
    return line.replace(begin, line.find(',') - begin, "1000");
  };
  write_file(path / files::kMetrics, metrics + renumbered(last_line(metrics)));
  write_file(path / files::kTiming, times + renumbered(last_line(times)));
  CHECK(contains(refused(), "metrics.jsonl' and summary.json are of different runs."));
  write_file(path / files::kTiming, times);

  std::string no_heads = metrics;
  for (std::size_t at = 0; (at = no_heads.find("\"heads\":[{", at)) != std::string::npos; ++at)
    no_heads.erase(at + 9, no_heads.find(']', at) - at - 9);
  write_file(path / files::kMetrics, no_heads);
  CHECK(contains(refused(), "metrics.jsonl' and summary.json are of different runs."));
  write_file(path / files::kMetrics, metrics);
  CHECK_NOTHROW(Experiment::resume(read_run(path)));

  std::string old = state;
  const std::size_t begin = old.find("\"seconds\": ") + 11;
  write_file(path / files::kState, old.replace(begin, old.find(',', begin) - begin, "3155760000"));
  CHECK(contains(refused(), "state.json' is damaged: 'seconds': 3155760000"));
}
