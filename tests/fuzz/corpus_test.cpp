// The corpus of the fuzzer: seeds, and inputs that were found to break something. Each is tried once.
#include <filesystem>

#include "catch.h"
#include "fuzz/targets.h"
#include "headlight/system/files.h"

using namespace headlight;

TEST_CASE("every input of the corpus is read or refused", "[fuzz]") {
  const std::filesystem::path corpus = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "tests/fuzz/corpus";
  std::size_t folders = 0;
  for (const auto& target : fuzz::targets()) {
    std::size_t inputs = 0;
    for (const auto& input : std::filesystem::directory_iterator(corpus / target.name)) {
      INFO(input.path());
      CHECK_NOTHROW(target.run(read_file(input.path())));
      ++inputs;
    }
    INFO(target.name);
    CHECK(inputs > 0);
    ++folders;
  }
  const auto all = std::filesystem::directory_iterator(corpus);
  CHECK(std::distance(begin(all), end(all)) == static_cast<std::ptrdiff_t>(folders));
}
