// A budget of lines for each group and for the largest components: code of all languages, comments too. A
// figure is raised only in the commit that needs it, and that commit says why.
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "catch.h"
#include "headlight/system/files.h"

namespace {

namespace fs = std::filesystem;

struct Budget {
  const char* folder;
  std::size_t lines;
};

constexpr Budget kBudgets[] = {
    {"include", 11140},
    {"src/engine", 13420},
    {"src/interpretability", 14100},
    {"src/interpretability/studies", 3850},
    {"src/application", 16970},
    {"src/application/app", 5040},
    {"src/application/run", 3420},
    {"src/web", 27200},
    {"src/course", 9100},
    {"tests", 53900},
};

std::size_t lines_in(const fs::path& folder) {
  static const std::set<std::string> code{".cpp",  ".h",   ".js", ".ts",   ".css",
                                          ".html", ".lua", ".py", ".cmake"};
  std::size_t lines = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!code.contains(entry.path().extension().string())) continue;
    const std::string text = headlight::read_file(entry.path());
    lines += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  return lines;
}

}  // namespace

TEST_CASE("groups and large components stay within their budget of lines", "[structure]") {
  for (const Budget& budget : kBudgets) {
    const std::size_t lines = lines_in(fs::path(HEADLIGHT_SOURCE_DIR) / budget.folder);
    INFO(budget.folder << " has " << lines << " lines. Its budget is " << budget.lines
                       << ". Delete some, or raise the figure here and say why in the commit.");
    CHECK(lines <= budget.lines);
    CHECK(lines > budget.lines / 2);  // or the folder has moved
  }
}
