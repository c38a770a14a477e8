// Several processes on one sweep, as typed.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "program.h"

using namespace headlight;

namespace {

namespace fs = std::filesystem;

const std::string kSmallSweep =
    "sweep --seeds 0..2 --set heads=1,2 --jobs 1 --context 16 --vocab 12 --d-model 16 --batch 8 "
    "--evaluate-every 5 --steps 10 --history 0 ";

// Takes the times out of a value and all in it.
void drop_times(nlohmann::json& json) {
  if (json.is_object())
    for (const char* key : {"train_seconds", "tokens_per_second", "seconds", "formed_at_seconds"})
      json.erase(key);
  for (auto& value : json)
    if (value.is_structured()) drop_times(value);
}

// The bytes of the file, without times. Of a file that has them in other forms only the name is compared.
std::string without_times(const fs::path& file) {
  const std::string name = file.filename().string();
  for (const char* other : {"timing.jsonl", "manifest.json", "report.html", "sweep.html", "sweep.csv"})
    if (name == other) return name;
  if (file.extension() != ".json") return read_file(file);
  auto json = nlohmann::json::parse(read_file(file));
  drop_times(json);
  return json.dump();
}

// All files below the folder, by name.
std::map<std::string, std::string> files_without_times(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(folder).generic_string()] = without_times(entry.path());
  return files;
}

}  // namespace

TEST_CASE("three workers of which one is killed twice leave what one leaves", "[program]") {
  const TemporaryFolder folder;
  const auto home = [&](const std::string& name) {
    fs::create_directories(folder.path() / name);
    return fmt::format("cd '{}' || exit; ", (folder.path() / name).string());
  };
  const Outcome alone = headlight_program(kSmallSweep + "--out s", home("alone"));
  CHECK(alone.status == 0);
  const std::string worker = HEADLIGHT_BINARY_DIR "/headlight_full " + kSmallSweep + "--out s";
  // The first one is killed in its first run; started again, it is killed in its second run, for which the
  // two others wait by then.
  const Ended ended = run_process(
      {.words = {
           "sh", "-c",
           home("many") + worker + " & until ls s/.heads*.lock > b 2>&1; do sleep 0.01; done; " +
               "kill -9 $!; " + worker + " & killed=$!; " +
               "until [ -e s/.heads=1_seed=1.headlight.lock ]; do sleep 0.01; done; kill -STOP $killed; " +
               worker + " > b & b=$!; " + worker + " > c & c=$!; " +
               "until [ $(ls -d s/heads* | wc -l) -ge 5 ]; do sleep 0.02; done; kill -9 $killed; " +
               "wait $b && wait $c"}});
  INFO(ended.output << ended.errors);
  CHECK(ended.ok());
  CHECK(contains(ended.errors, "/6 runs, 3 workers"));
  const fs::path many = folder.path() / "many";
  CHECK(read_file(many / "b") == read_file(many / "c"));
  CHECK(contains(read_file(many / "b"), "heads  runs  solved"));
  CHECK(files_without_times(many / "s") == files_without_times(folder.path() / "alone" / "s"));
}

TEST_CASE("of a launcher's processes the first prints, and has the status of the sweep", "[program]") {
  const TemporaryFolder folder;
  const std::string sweep =
      "sweep --set lr=0.001,1e38 --optimizer sgd --clip 0 --warmup 0 --heads 2 --context 16 --vocab 12 "
      "--d-model 16 --batch 8 --steps 2 --history 0 --out " +
      (folder.path() / "s").string();
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    const Outcome second = headlight_program(sweep, std::string(variable) + "=1");
    CHECK((second.status == 0 && second.out.empty() && second.err.empty()));
  }
  const Outcome first = headlight_program(sweep, "OMPI_COMM_WORLD_RANK=0");
  CHECK(first.status == 1);
  CHECK(contains(first.out, "training stopped at step"));
  CHECK(contains(first.err, "2/2 runs, 1 failed\n"));
  const Outcome refused = headlight_program(sweep + " --seeds 1", "PMI_RANK=3");
  CHECK((refused.status == 2 && contains(refused.err, "holds another sweep")));
}
