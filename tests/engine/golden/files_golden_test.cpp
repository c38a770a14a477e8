// Nothing that PyTorch computed is left uncompared.
#include <filesystem>
#include <regex>
#include <set>

#include "catch.h"
#include "headlight/system/files.h"

using namespace headlight;
namespace fs = std::filesystem;

namespace {

const fs::path kSource = HEADLIGHT_SOURCE_DIR;

}  // namespace

TEST_CASE("every golden file is compared by a test", "[golden]") {
  std::set<std::string> files, compared;
  for (const auto& entry : fs::directory_iterator(kSource / "data/golden"))
    if (entry.path().extension() == ".json") files.insert(entry.path().filename().string());
  const std::regex call("each_case\\(\"([a-z_]+\\.json)\"");
  for (const auto& entry : fs::directory_iterator(kSource / "tests/engine/golden")) {
    const std::string text = read_file(entry.path());
    for (std::sregex_iterator match(text.begin(), text.end(), call), end; match != end; ++match)
      compared.insert((*match)[1]);
  }
  CHECK(files == compared);
}
