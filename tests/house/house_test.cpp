// The rules of the house, read off the sources.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <vector>

#include "catch.h"
#include "headlight/core/files.h"

namespace {

namespace fs = std::filesystem;
using headlight::read_file;

const fs::path kSource = HEADLIGHT_SOURCE_DIR;

// What each floor may include: itself and what lies below.
const std::map<std::string, std::set<std::string>> kBelow = {
    {"core", {}},
    {"autograd", {"core"}},
    {"ops", {"core", "autograd"}},
    {"nn", {"core", "autograd", "ops"}},
    {"optim", {"core", "autograd"}},
    {"tasks", {"core"}},
    {"train", {"core", "autograd", "ops", "nn", "optim", "tasks"}},
    {"interpret", {"core", "autograd", "ops", "nn", "optim", "tasks", "train"}},
    {"report", {"core", "autograd", "ops", "nn", "optim", "tasks", "train", "interpret"}},
    {"app", {"core", "autograd", "ops", "nn", "optim", "tasks", "train", "interpret", "report"}},
    {"gradients", {"core", "autograd", "ops", "nn"}}};

std::vector<fs::path> sources_in(const std::vector<std::string>& folders) {
  std::vector<fs::path> files;
  for (const auto& folder : folders) {
    if (!fs::exists(kSource / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(kSource / folder))
      if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp")
        files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string floor_of(const fs::path& file) {
  const fs::path relative = fs::relative(file, kSource);
  auto part = relative.begin();
  if (*part == "include") ++part;  // include/headlight/<floor>
  return (++part)->string();
}

}  // namespace

TEST_CASE("includes point down only", "[house]") {
  const std::regex include("#include \"headlight/(\\w+)/");
  std::set<std::string> seen;
  for (const auto& file : sources_in({"include", "src"})) {
    const std::string own = floor_of(file), text = read_file(file);
    REQUIRE(kBelow.contains(own));
    seen.insert(own);
    for (std::sregex_iterator match(text.begin(), text.end(), include), end; match != end; ++match) {
      const std::string other = (*match)[1];
      INFO(file << " includes the floor " << other);
      CHECK((other == own || kBelow.at(own).contains(other)));
    }
  }
  CHECK(seen.size() == kBelow.size());
}

TEST_CASE("one header alone includes xtensor's arrays", "[house]") {
  for (const auto& file : sources_in({"include", "src", "tests", "lessons", "bench"})) {
    if (file.filename() == "xtensor.h" || file.filename() == "house_test.cpp") continue;
    INFO(file);
    CHECK(read_file(file).find("#include <xtensor/") == std::string::npos);
  }
}

// xtensor's lazy keep_dims reducers give wrong numbers inside broadcasting expressions.
TEST_CASE("no lazy keep_dims reducer is used", "[house]") {
  for (const auto& file : sources_in({"include", "src", "lessons", "bench"})) {
    INFO(file);
    CHECK(read_file(file).find("xt::keep_dims") == std::string::npos);
  }
}

TEST_CASE("source files stay within 400 lines", "[house]") {
  for (const auto& file : sources_in({"include", "src", "tests", "lessons", "bench"})) {
    const std::string text = read_file(file);
    INFO(file);
    CHECK(std::count(text.begin(), text.end(), '\n') <= 400);
  }
}
