// lessons/all_of_it: one file that the line in its comment builds, and that trains the demo's model.
#include <iterator>
#include <sstream>

#include "catch.h"
#include "headlight/run/experiment.h"
#include "headlight/system/files.h"
#include "headlight/system/process.h"
#include "headlight/system/sha256.h"
#include "headlight/system/text.h"
#include "headlight/train/weights.h"
#include "temporary_folder.h"

using namespace headlight;

namespace {

const std::filesystem::path kOneFile =
    std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "lessons/all_of_it/all_of_it.cpp";

// The words of the line that compiles it, in its comment.
std::vector<std::string> compiler_call() {
  for (const std::string& line : text_lines(read_file(kOneFile)))
    if (const std::size_t at = line.find("g++ "); at != std::string::npos) {
      std::istringstream words(line.substr(at, line.find(" &&") - at));
      return {std::istream_iterator<std::string>(words), {}};
    }
  FAIL("no line compiles it");
  return {};
}

std::string trained_by_the_program(std::int64_t steps) {
  run::RunConfig config;  // the demo's
  config.train.steps = steps;
  run::Experiment run(config, {.record = false});
  while (!run.done()) run.step();
  return train::to_safetensors(run.model());
}

}  // namespace

TEST_CASE("one file without a library trains the demo's model, bit for bit", "[course]") {
  const TemporaryFolder folder;
  std::filesystem::copy_file(kOneFile, folder.path() / "all_of_it.cpp");
  const Ended compiled = run_process({.words = compiler_call(), .folder = folder.path()});
  INFO(compiled.errors);
  REQUIRE(compiled.status == 0);
  const Ended trained = run_process({.words = {"./a.out", "60"}, .folder = folder.path()});
  REQUIRE(trained.status == 0);
  CHECK(contains(trained.output, "step 1/60  loss 4.656\n"));
  CHECK(contains(trained.output, "step 50/60  loss 4.176\n"));
  CHECK(sha256(read_file(folder.path() / "all_of_it.safetensors")) == sha256(trained_by_the_program(60)));
}

TEST_CASE("the one file takes the standard library alone, in lines of at most 110 columns", "[course]") {
  for (const std::string& line : text_lines(read_file(kOneFile))) {
    INFO(line);
    CHECK(display_width(line) <= 110);
    CHECK((!line.starts_with('#') || (line.starts_with("#include <") && !contains(line, ".h"))));
  }
}
