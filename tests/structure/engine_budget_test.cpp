// The engine fits in one sitting: what a backward pass needs is counted, headers and comments too.
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "catch.h"
#include "headlight/system/files.h"

namespace {

namespace fs = std::filesystem;
using headlight::read_file;

const fs::path kProject = HEADLIGHT_SOURCE_DIR;

// The file that an include names, relative to the sources; "" for one that is not in the project.
std::string included(const std::string& name, const fs::path& by) {
  for (const fs::path& folder : {fs::path("include"), fs::path("src/engine"), by.parent_path()})
    if (fs::exists(kProject / folder / name)) return (folder / name).string();
  return "";
}

std::vector<std::string> files_included_by(const fs::path& file) {
  static const std::regex include("#include \"([^\"]+)\"");
  const std::string text = read_file(kProject / file);
  std::vector<std::string> files;
  for (std::sregex_iterator match(text.begin(), text.end(), include), end; match != end; ++match)
    if (const std::string name = included((*match)[1], file); !name.empty()) files.push_back(name);
  return files;
}

// The sources of a public header: the one of its name, perhaps a kernel, or else those of its component that
// include it and have no header of their own name. The *_posix.cpp go with headers of their own.
std::vector<std::string> sources_of(const fs::path& header) {
  const std::string component = header.parent_path().filename().string();
  const fs::path folder = fs::path("src/engine") / component, name = header.stem().concat(".cpp");
  for (const fs::path& own : {folder / name, folder / "kernels" / name})
    if (fs::exists(kProject / own)) return {own.string()};
  std::vector<std::string> sources;
  for (const auto& entry : fs::directory_iterator(kProject / folder)) {
    const fs::path file = folder / entry.path().filename();
    if (file.extension() != ".cpp" || file.stem().string().ends_with("_posix") ||
        !included("headlight/" + component + "/" + file.stem().string() + ".h", file).empty())
      continue;
    const auto names = files_included_by(file);
    if (std::find(names.begin(), names.end(), header.string()) != names.end())
      sources.push_back(file.string());
  }
  return sources;
}

// Every file that the engine cannot do without, and its lines.
std::map<std::string, std::size_t> engine() {
  std::map<std::string, std::size_t> lines;
  std::vector<std::string> todo{"include/headlight/autograd/backward.h",
                                "include/headlight/autograd/record.h",
                                "include/headlight/autograd/record_fused.h"};
  while (!todo.empty()) {
    const std::string file = todo.back();
    todo.pop_back();
    if (lines.contains(file) || file.starts_with("src/engine/core/level."))
      continue;  // these name all kernels
    const std::string text = read_file(kProject / file);
    lines[file] = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    for (const std::string& next : files_included_by(file)) todo.push_back(next);
    if (file.starts_with("include/"))
      for (const std::string& next : sources_of(file)) todo.push_back(next);
  }
  return lines;
}

}  // namespace

TEST_CASE("the engine fits in one sitting", "[structure]") {
  constexpr std::size_t kOfAutograd = 1100, kWithCore = 2180;
  const auto lines = engine();
  std::size_t all = 0, of_autograd = 0;
  std::string list;
  for (const auto& [file, count] : lines) {
    list += std::to_string(count) + " " + file + "\n";
    all += count;
    if (file.find("/autograd/") != std::string::npos) of_autograd += count;
  }
  INFO(list);
  CHECK(of_autograd <= kOfAutograd);
  CHECK(all <= kWithCore);
  for (const char* needed :
       {"src/engine/autograd/backward.cpp", "src/engine/autograd/node.cpp",
        "src/engine/autograd/linear_ops.cpp", "include/headlight/autograd/tensor.h",
        "include/headlight/core/count_of_threads.h", "src/engine/core/broadcast_kernels.cpp",
        "src/engine/core/kernels/row_sums.cpp", "include/headlight/core/strided_loop.h"})
    CHECK(lines.contains(needed));
  for (const char* above :
       {"src/engine/autograd/anomaly.cpp", "src/engine/autograd/audit.cpp",
        "src/engine/autograd/gradcheck.cpp", "src/engine/autograd/tensor_text.cpp",
        "src/engine/core/elementwise.cpp", "src/engine/core/gemm.cpp", "src/engine/core/rng.cpp"})
    CHECK_FALSE(lines.contains(above));
}
