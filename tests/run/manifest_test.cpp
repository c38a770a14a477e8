// A run's manifest: what the run wrote, and every file that is something else.
#include "run/manifest.h"

#include <nlohmann/json.hpp>

#include "catch.h"
#include "experiment/small_config.h"
#include "headlight/page/run_page.h"
#include "headlight/run/experiment.h"
#include "headlight/run/run.h"
#include "headlight/run/run_list.h"
#include "headlight/studies/certificate.h"
#include "headlight/studies/comparison.h"
#include "headlight/system/files.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::run;

namespace {

namespace fs = std::filesystem;

// An observer that keeps a file.
class Keeper : public Observer {
 public:
  void after(const Experiment& /*run*/, const train::StepReport& /*step*/) override {}
  void save(const fs::path& folder) const override { write_file(folder / "kept.txt", "kept"); }
};

fs::path saved_run(const TemporaryFolder& folder, const std::string& name = "run", std::uint64_t seed = 0) {
  RunConfig config = small_config();
  config.train.steps = 4;
  config.train.evaluate_every = 2;
  config.train.seed = seed;
  Experiment run(config, {.threads = 1});
  run.observe(std::make_shared<Keeper>());
  run.run_until(2);
  run.save(folder.path() / name);
  return folder.path() / name;
}

void flip_last_byte(const fs::path& file) {
  std::string bytes = read_file(file);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write_file(file, bytes);
}

void replace_in(const fs::path& file, const std::string& from, const std::string& to) {
  std::string text = read_file(file);
  REQUIRE(contains(text, from));
  write_file(file, text.replace(text.find(from), from.size(), to));
}

constexpr const char* kNotWritten = "is not the file that the run wrote: ";

}  // namespace

TEST_CASE("a run's manifest lists its files, but no pages", "[experiment]") {
  const TemporaryFolder folder;
  const fs::path run = saved_run(folder);
  const Manifest manifest =
      manifest_from_json(read_file(run / files::kManifest), (run / files::kManifest).string());
  std::vector<std::string> names;
  for (const ManifestFile& file : manifest.files) names.push_back(file.name);
  CHECK(names == std::vector<std::string>{"best_head.svg", "config.json", "history.safetensors",
                                          "metrics.jsonl", "model.safetensors", "observers/kept.txt",
                                          "optimizer.safetensors", "state.json", "summary.json",
                                          "timing.jsonl"});
  CHECK(to_json(manifest) == to_json(manifest_of(run)));
  CHECK(manifest.find("config.json")->bytes == fs::file_size(run / files::kConfig));
  CHECK(manifest.find("observers") == nullptr);
  CHECK(manifest.find("zzz") == nullptr);
  CHECK(fs::exists(run / files::kPage));
}

TEST_CASE("every file that the run did not write is named by what reads it", "[experiment]") {
  const TemporaryFolder folder;
  const fs::path saved = saved_run(folder), copy = folder.path() / "copy";
  const auto refused = [&](const char* name, auto read) {
    const fs::path file = copy / name;
    fs::remove_all(copy);
    fs::copy(saved, copy, fs::copy_options::recursive);
    CHECK_NOTHROW(read(RunFolder(copy)));
    const std::string whole = read_file(file);
    flip_last_byte(file);
    CHECK(error_of([&] { read(RunFolder(copy)); }) ==
          fmt::format(
              "'{}' {}its SHA-256 is not the one in manifest.json. Hint: --trust reads it all the same.",
              file.string(), kNotWritten));
    write_file(file, whole + "x");
    CHECK(contains(error_of([&] { read(RunFolder(copy)); }),
                   fmt::format("it has {} instead of {} bytes", whole.size() + 1, whole.size())));
    fs::remove(file);
    CHECK(contains(error_of([&] { read(RunFolder(copy)); }),
                   fmt::format("'{}', which the run wrote, is not there", file.string())));
  };
  refused(files::kConfig, [](const RunFolder& run) { load_run(run); });
  refused(files::kModel, [](const RunFolder& run) { load_run(run); });
  refused(files::kSummary, [](const RunFolder& run) { load_results(run); });
  refused(files::kMetrics, [](const RunFolder& run) { load_metrics(run); });
  refused(files::kHistory, [](const RunFolder& run) { load_history(run); });
  refused(files::kHistory, [](const RunFolder& run) { write_page(run); });
  for (const char* name :
       {files::kState, files::kOptimizer, files::kTiming, files::kHistory, "observers/kept.txt"})
    refused(name, [](const RunFolder& run) { Experiment::resume(run); });
  refused(files::kMetrics, [](const RunFolder& run) {
    const RunFolder other(run.path.parent_path() / "other");
    if (!fs::exists(other.path)) fs::copy(run.path, other.path);
    compared_runs({run, other});
  });
}

TEST_CASE("a list of runs marks one whose files were changed", "[experiment]") {
  const TemporaryFolder folder;
  const fs::path run = saved_run(folder);
  flip_last_byte(run / files::kModel);
  const ListedRun listed = listed_run(run);
  CHECK(contains(listed.damage, kNotWritten));
  CHECK_FALSE(listed.config.has_value());
  CHECK(listed_run({run, true}).damage.empty());
}

TEST_CASE("a file of another run is not this run's, and neither is one that it had not", "[experiment]") {
  const TemporaryFolder folder;
  const fs::path run = saved_run(folder), other = saved_run(folder, "other", 1);
  fs::copy_file(other / files::kModel, run / files::kModel, fs::copy_options::overwrite_existing);
  CHECK(contains(error_of([&] { load_run(run); }), kNotWritten));
  fs::copy_file(other / files::kManifest, run / files::kManifest, fs::copy_options::overwrite_existing);
  CHECK(contains(error_of([&] { load_run(run); }), kNotWritten));
  RunConfig config = small_config();
  config.train.history = 0;
  Experiment without(config, {.threads = 1});
  without.run_until(1);
  without.save(run);
  fs::copy_file(other / files::kHistory, run / files::kHistory);
  CHECK(contains(error_of([&] { has_history(run); }), "it wrote no such file"));
}

TEST_CASE("a manifest that is missing or changed is missed", "[experiment]") {
  const TemporaryFolder folder;
  const fs::path run = saved_run(folder), manifest = run / files::kManifest;
  const std::string text = read_file(manifest);
  replace_in(manifest, "\"bytes\": ", "\"bytes\": 1");
  CHECK(contains(error_of([&] { load_run(run); }),
                 "manifest.json' is damaged: its list does not have the hash"));
  write_file(manifest, "{");
  CHECK(contains(error_of([&] { load_run(run); }), "is damaged: line 1 is not valid JSON. Hint: --trust"));
  CHECK_NOTHROW(load_run({run, true}));
  fs::remove(manifest);
  CHECK(contains(error_of([&] { load_run(run); }),
                 "manifest.json', which the run wrote, is not there. Hint: "));
  CHECK_NOTHROW(load_run({run, true}));
  write_file(manifest, text);
  CHECK_NOTHROW(load_run(run));
}

TEST_CASE("a run of an older version has no manifest, and its results are compared with its config",
          "[experiment]") {
  const TemporaryFolder folder;
  const fs::path run = saved_run(folder);
  fs::remove(run / files::kManifest);
  replace_in(run / files::kSummary, ",\n  \"manifest\": \"manifest.json\"", "");
  CHECK_NOTHROW(load_run(run));
  const std::string config = read_file(run / files::kConfig);
  replace_in(run / files::kConfig, "\"n_heads\": 2", "\"n_heads\": 4");
  replace_in(run / files::kConfig, "\"d_head\": 8", "\"d_head\": 4");
  CHECK(contains(error_of([&] { load_run(run); }), "its heads are not those of 2 layers with 4 heads"));
  write_file(run / files::kConfig, config);
  replace_in(run / files::kConfig, "\"seed\": 0", "\"seed\": 5");
  CHECK(contains(error_of([&] { load_run(run); }), "with seed 0, but config.json of 'repeat' with seed 5"));
  write_file(run / files::kConfig, config);
  replace_in(run / files::kConfig, "\"steps\": 4", "\"steps\": 1");
  CHECK(contains(error_of([&] { load_run(run); }), "is of 2 steps, but config.json of 1"));
}

TEST_CASE("numbers that cannot be are refused of a trusted run too", "[experiment]") {
  const TemporaryFolder folder;
  const fs::path run = saved_run(folder);
  const RunFolder trusted(run, true);
  auto json = nlohmann::ordered_json::parse(read_file(run / files::kSummary));
  const auto refused = [&](auto change, const std::string& part) {
    auto changed = json;
    change(changed);
    write_file(run / files::kSummary, changed.dump());
    const std::string message = error_of([&] { load_results(trusted); });
    INFO(message);
    CHECK(contains(message, part));
  };
  refused([](auto& j) { j["accuracy"]["predictable"] = 7; },
          "summary.json' is damaged: 'accuracy.predictable': expected a number from 0 to 1, got 7");
  refused([](auto& j) { j["loss"]["all"] = -1; }, "'loss.all': expected a number of at least 0, got -1");
  refused([](auto& j) { j["steps"] = 1.5; }, "'steps': expected a whole number, got 1.5");
  refused([](auto& j) { j["steps"] = -2; }, "'steps': expected a whole number of at least 0, got -2");
  refused([](auto& j) { j["heads"][1]["induction"] = 2; },
          "'heads[1].induction': expected a number from 0 to 1");
  refused([](auto& j) { j["heads"].erase(3); }, "its heads are not those of 2 layers with 2 heads");
  refused([](auto& j) { std::swap(j["heads"][0], j["heads"][1]); }, "its heads are not those");
  refused([](auto& j) { j.erase("task"); }, "it lacks 'task'");
  refused([](auto& j) { j["formed_at_step"] = 100; }, "'formed_at_step' is after the 2 steps");
  refused(
      [](auto& j) {
        interpret::Certificate c;
        c.induction_heads = {{7, 0}};
        j["passed"] = false;
        j["certificate"] = nlohmann::ordered_json::parse(to_json(c));
      },
      "its heads are not those");
  const auto certified = [&](const std::string& words, auto change) {
    refused(
        [&](auto& j) {
          interpret::Certificate c;
          c.claims = {
              {"matching", "Matching", interpret::Standing::holds, 0.9, 0.1, 0.3, 0.3, false, true, ""}};
          c.accuracy = 1, c.verdict = interpret::Verdict::circuit;
          j["passed"] = true;
          change(c);
          j["certificate"] = nlohmann::ordered_json::parse(to_json(c));
        },
        words);
  };
  certified("the claim 'matching' does not stand as its numbers say",
            [](auto& c) { c.claims[0].control = 0.4; });
  certified("the claim 'matching' does not stand as its numbers say",
            [](auto& c) { c.claims[0].standing = interpret::Standing::fails; });
  certified("the verdict does not follow from its claims",
            [](auto& c) { c.verdict = interpret::Verdict::unsolved; });
  certified("the steps of its formation do not rise", [](auto& c) {
    c.formation = {{1, 0, 0, 0}, {1, 0, 0, 0}};
  });
  certified("its certificate formed after the 2 steps of the run", [](auto& c) {
    c.formation = {{1, 0, 0, 0}, {5, 0, 0, 0}};
  });
  certified("'passed' contradicts the certificate",
            [](auto& c) { c.accuracy = 0.2, c.verdict = interpret::Verdict::unsolved; });
  refused([](auto& j) { j["steps"] = 1000; }, "is of 1000 steps, but config.json of 4");
}

TEST_CASE("a manifest names files of its folder only", "[experiment]") {
  for (const std::string name : {"../config.json", "/etc/hosts", "", "a/../../b", "a//b"}) {
    const Manifest manifest{{{name, 0, std::string(64, '0')}}};
    CHECK(contains(error_of([&] { manifest_from_json(to_json(manifest), "m"); }),
                   "which is not in its folder"));
  }
  const Manifest twice{{{"a", 0, ""}, {"a", 0, ""}}};
  CHECK(contains(error_of([&] { manifest_from_json(to_json(twice), "m"); }),
                 "not in the order of their names"));
}

TEST_CASE("a run folder that was read gives no numbers of a later save", "[experiment]") {
  const TemporaryFolder folder;
  const fs::path saved = saved_run(folder);
  const RunFolder run = saved, copy = run;
  load_config(run);
  saved_run(folder, "run", 1);
  const std::string anew =
      "the run '" + saved.string() + "' was saved anew while it was read. Hint: call again.";
  CHECK(error_of([&] { load_results(run); }) == anew);
  CHECK(error_of([&] { load_run(copy); }) == anew);
  CHECK(error_of([&] { Experiment::resume(run, {.threads = 1}); }) == anew);
  CHECK(load_config(saved).train.seed == 1);
}

TEST_CASE("an observer loads nothing of a later save than its run", "[experiment]") {
  const TemporaryFolder folder;
  const fs::path saved = saved_run(folder);
  Experiment resumed = Experiment::resume(saved, {.threads = 1});
  CHECK_NOTHROW(resumed.observe(std::make_shared<Keeper>()));
  saved_run(folder, "run", 1);
  CHECK(contains(error_of([&] { resumed.observe(std::make_shared<Keeper>()); }), "was saved anew while"));
}
