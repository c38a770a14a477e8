// The rules for the sources, read off them.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/version.h"

namespace {

namespace fs = std::filesystem;
using headlight::read_file;

const fs::path kSource = HEADLIGHT_SOURCE_DIR;

// The components, each with those that it stands on; what these stand on comes along. Two headers stand
// alone, below and above all others.
const std::map<std::string, std::set<std::string>> kStandsOn = {
    {"version.h", {}},
    {"core", {"version.h"}},
    {"system", {"core"}},
    {"draw", {"system"}},
    {"autograd", {"core"}},
    {"ops", {"autograd"}},
    {"nn", {"ops"}},
    {"optim", {"autograd"}},
    {"tasks", {"system"}},
    {"train", {"nn", "optim", "tasks"}},
    {"ranks", {"train"}},
    {"interpret", {"train"}},
    {"run", {"interpret"}},
    {"lab", {"run"}},
    {"wasm", {"page"}},
    {"studies", {"run", "draw"}},
    {"page", {"studies", "lab"}},
    {"sweep", {"page"}},
    {"headlight.h", {"sweep", "ranks"}},
    {"program", {"system"}},
    {"course", {"draw", "program"}},
    {"bench", {"sweep"}},
    {"papers", {"sweep"}},
    {"app", {"bench", "papers", "program", "ranks"}},
    {"gradients", {"nn", "draw", "program"}},
    {"puzzles", {"page", "program"}},
    {"look", {"gradients", "train"}}};

// Headers that stay where programs written before look for them.
const std::set<std::string> kMoved = {"include/headlight/core/run_main.h"};

// What the programs share has no public headers: a program may use those in src/.
const std::set<std::string> kShared = {"program", "bench", "papers", "gradients"};

// The folders of the component `interpret`, from the bottom up.
const std::vector<std::string> kOfInterpret = {"heads", "patching", "circuits", "certificate", "proofs"};

std::set<std::string> below(const std::string& component) {
  std::set<std::string> all = kStandsOn.at(component);
  for (const std::string& next : kStandsOn.at(component)) all.merge(below(next));
  return all;
}

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

std::string name_of(const fs::path& file) { return fs::relative(file, kSource).generic_string(); }

// "core" of include/headlight/core/x.h and of src/engine/core/x.cpp
std::string component_of(const fs::path& file) {
  const fs::path relative = fs::relative(file, kSource);
  auto part = relative.begin();
  if (*part != "src") return (*std::next(part, *part == "include" ? 2 : 1)).string();
  const std::string group = *++part, folder = *++part;
  const bool of_interpret = std::find(kOfInterpret.begin(), kOfInterpret.end(), folder) != kOfInterpret.end();
  if (of_interpret) return "interpret";
  return folder == "book" || folder == "solve" ||
                 (group == "course" && folder != "gradients" && folder != "look" && folder != "puzzles")
             ? "course"
             : folder;
}

// The folder of src in which a component's private header is, or the source of its public header.
fs::path source_folder_of(const fs::path& header) {
  if (name_of(header).starts_with("src/")) return header.parent_path();
  for (const std::string& folder : kOfInterpret) {
    const fs::path own = kSource / "src/interpretability" / folder;
    if (fs::exists(own / header.stem().concat(".cpp"))) return own;
  }
  return {};
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> lines;
  std::istringstream text(read_file(file));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

// What a file includes of this project, in either kind of quotes, as files below the root.
std::vector<fs::path> includes_of(const fs::path& file) {
  static const std::regex include("^\\s*#\\s*include\\s*[\"<]([^\">]+)[\">]");
  std::vector<fs::path> found;
  for (const std::string& line : lines_of(file)) {
    std::smatch match;
    if (!std::regex_search(line, match, include)) continue;
    const std::string name = match[1];
    std::vector<fs::path> folders{file.parent_path(), kSource / "include", kSource / "lessons",
                                  kSource / "src"};
    for (const char* group : {"engine", "interpretability", "application", "web", "course"})
      folders.push_back(kSource / "src" / group);
    for (const fs::path& folder : folders)
      if (fs::exists(folder / name)) {
        found.push_back(fs::weakly_canonical(folder / name));
        break;
      }
  }
  return found;
}

// Braces opened in a line less those closed, texts and comments apart.
int depth_of(const std::string& line) {
  static const std::regex text("\"(\\\\.|[^\"\\\\])*\"|'(\\\\.|[^'\\\\])'|//.*");
  const std::string code = std::regex_replace(line, text, "");
  return static_cast<int>(std::count(code.begin(), code.end(), '{') -
                          std::count(code.begin(), code.end(), '}'));
}

// Functions of more than so many lines, by the layout of clang-format: a line that has a ) and ends with a {
// opens one (or a smaller block inside it).
std::vector<std::string> long_functions(const fs::path& file, std::size_t most) {
  const auto lines = lines_of(file);
  std::vector<std::string> found;
  for (std::size_t begin = 0; begin < lines.size(); ++begin) {
    if (lines[begin].find(')') == std::string::npos || !lines[begin].ends_with('{')) continue;
    std::size_t end = begin;
    for (int depth = depth_of(lines[end]); depth > 0 && end + 1 < lines.size(); depth += depth_of(lines[end]))
      ++end;
    if (end - begin + 1 <= most) continue;
    found.push_back(name_of(file) + ":" + std::to_string(begin + 1) + " has " +
                    std::to_string(end - begin + 1) + " lines");
    begin = end;
  }
  return found;
}

}  // namespace

TEST_CASE("includes point down only, and private headers stay in their component", "[structure]") {
  std::set<std::string> seen;
  for (const auto& file : sources_in({"include", "src"})) {
    if (kMoved.contains(name_of(file))) continue;
    const std::string own = component_of(file);
    REQUIRE(kStandsOn.contains(own));
    seen.insert(own);
    const auto allowed = below(own);
    for (const fs::path& header : includes_of(file)) {
      const std::string other = component_of(header), name = name_of(header);
      if (name.starts_with("lessons/")) {
        CHECK(own == "course");
        continue;
      }
      if (other == own) {
        INFO(name_of(file) << ", which is public, includes the private " << name);
        CHECK((name.starts_with("include/") || name_of(file).starts_with("src/")));
        continue;
      }
      INFO(name_of(file) << " includes " << name);
      CHECK(allowed.contains(other));
      // The module for pages is built from sources of its own choice.
      CHECK((name.starts_with("include/") || kShared.contains(other) || own == "wasm"));
    }
  }
  CHECK(seen.size() == kStandsOn.size());
}

TEST_CASE("the folders of interpret stand on those below", "[structure]") {
  for (std::size_t level = 0; level < kOfInterpret.size(); ++level)
    for (const auto& file : sources_in({"src/interpretability/" + kOfInterpret[level]}))
      for (const fs::path& header : includes_of(file)) {
        if (component_of(header) != "interpret") continue;
        const std::string folder = source_folder_of(header).filename();
        const auto at = std::find(kOfInterpret.begin(), kOfInterpret.end(), folder) - kOfInterpret.begin();
        INFO(name_of(file) << " includes " << name_of(header) << " of " << folder);
        CHECK((folder.empty() || at <= static_cast<std::ptrdiff_t>(level)));
      }
}

TEST_CASE("headlight.h includes all of the library but what takes more than the library", "[structure]") {
  std::set<std::string> included, expected;
  for (const fs::path& header : includes_of(kSource / "include/headlight/headlight.h"))
    included.insert(name_of(header));
  for (const fs::path& header : sources_in({"include"}))
    if (component_of(header) != "app" && header.filename() != "headlight.h" &&
        !kMoved.contains(name_of(header)) &&
        read_file(header).find("This header takes nlohmann-json") == std::string::npos)
      expected.insert(name_of(header));
  CHECK(included == expected);
}

TEST_CASE("the newest version of the changelog is that of the headers", "[structure]") {
  const std::string heading = fmt::format("\n## {}.{}.{}\n", HEADLIGHT_VERSION_MAJOR, HEADLIGHT_VERSION_MINOR,
                                          HEADLIGHT_VERSION_PATCH);
  const std::string changelog = read_file(kSource / "CHANGELOG.md");
  CHECK(changelog.find(heading) == changelog.find("\n## "));
}

TEST_CASE("lessons, examples and benches use public headers", "[structure]") {
  for (const auto& file : sources_in({"lessons", "examples", "bench"}))
    for (const fs::path& header : includes_of(file)) {
      INFO(name_of(file) << " includes " << name_of(header));
      CHECK_FALSE(name_of(header).starts_with("src/"));
    }
}

TEST_CASE("the operating system is called in files *_posix.cpp of one component", "[structure]") {
  static const std::regex posix(
      "#include <(unistd|fcntl|poll|spawn|pthread|dirent|termios|dlfcn|sched|sys/\\w+)\\.h>");
  std::size_t calling = 0;
  for (const auto& file : sources_in({"include", "src", "lessons", "bench"})) {
    INFO(name_of(file));
    const bool posix_file = file.stem().string().ends_with("posix") && component_of(file) == "system";
    calling += posix_file;
    CHECK((posix_file || !std::regex_search(read_file(file), posix)));
  }
  CHECK(calling > 0);
}

// A program that uses the library may have called setlocale(): the C library then expects "1,5", and takes
// bytes of UTF-8 for letters and spaces.
TEST_CASE("bytes are read and written without the locale", "[structure]") {
  static const std::regex by_locale(
      R"(std::(is(al|di|sp|xd|up|lo|pr|pu|cn|gr|bl)\w+\(|to(lower|upper)|sto[a-z]+\(|strto|ato[ifl]|s?scanf|vs?n?printf|s?n?printf|[io]?stringstream))"
      R"(|json::parse\()");
  for (const auto& file :
       sources_in({"include", "src/engine", "src/interpretability", "src/application", "src/web"})) {
    if (component_of(file) == "wasm") continue;
    for (const std::string& line : lines_of(file)) {
      INFO(name_of(file) << ": " << line
                         << "\nHint: core/ascii.h, core/numbers.h and system/text.h, json_from().");
      CHECK_FALSE(std::regex_search(line, by_locale));
    }
  }
}

// Their paths differ between versions, and xtensor-blas takes long to compile. examples/xtensor_arrays.cpp
// shows what a user includes.
TEST_CASE("few headers include xtensor and xtensor-blas", "[structure]") {
  static const std::regex xtensor("#include <xtensor/"), blas("#include <xtensor-blas/");
  const std::set<std::string> may = {"include/headlight/core/xtensor.h", "examples/xtensor_arrays.cpp"},
                              may_blas = {"src/interpretability/heads/linalg.h",
                                          "src/course/gradients/matrix.h"};
  for (const auto& file : sources_in({"include", "src", "tests", "lessons", "examples", "bench"})) {
    if (file.filename() == "structure_test.cpp") continue;
    INFO(file);
    CHECK((may.contains(name_of(file)) || !std::regex_search(read_file(file), xtensor)));
    CHECK((may_blas.contains(name_of(file)) || !std::regex_search(read_file(file), blas)));
  }
}

// xtensor's lazy keep_dims reducers give wrong numbers inside broadcasting expressions, and its immediate
// ones write out of bounds for arrays whose number of axes is known at run time only.
TEST_CASE("keep_dims reducers are stored at once, and no reducer is immediate", "[structure]") {
  static const std::regex stored(
      R"((Array|Matrix) \w+(\(.*\) \{ return | = )xt::\w+\(\w+, \{\d\}, xt::keep_dims\);)");
  for (const auto& file : sources_in({"include", "src", "lessons", "examples", "bench"}))
    for (const std::string& line : lines_of(file)) {
      INFO(name_of(file) << ": " << line);
      CHECK((!headlight::contains(line, "xt::keep_dims") || std::regex_search(line, stored)));
      CHECK_FALSE(headlight::contains(line, "evaluation_strategy"));
    }
}

TEST_CASE("a source file stays within 300 lines, a test within 400", "[structure]") {
  const std::string one_file = "lessons/all_of_it/all_of_it.cpp";  // which cannot be divided
  for (const auto& file : sources_in({"include", "src", "lessons", "bench", "tests"})) {
    const std::string name = name_of(file);
    INFO(name);
    CHECK(lines_of(file).size() <= (name == one_file ? 410 : name.starts_with("tests/") ? 400 : 300));
  }
}

TEST_CASE("a function stays within 50 lines", "[structure]") {
  for (const auto& file : sources_in({"include", "src", "lessons", "bench"}))
    for (const std::string& function : long_functions(file, 50)) FAIL_CHECK(function);
}

TEST_CASE("the commands of the program stay thin", "[structure]") {
  for (const auto& file : sources_in({"src/application/app"})) {
    INFO(name_of(file));
    CHECK(lines_of(file).size() <= 140);
  }
}

TEST_CASE("every program and CMake file that README and guide show is built by the tests", "[structure]") {
  std::set<std::string> built;
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "examples"))
    if (entry.path().extension() == ".cpp" || entry.path().filename() == "CMakeLists.txt")
      built.insert(read_file(entry.path()));
  const std::string readme = read_file(kSource / "README.md") + read_file(kSource / "docs/library.md");
  static const std::regex fence("```(cpp|cmake)\n");
  std::size_t shown = 0;
  for (std::sregex_iterator match(readme.begin(), readme.end(), fence), none; match != none; ++match) {
    const auto begin = static_cast<std::size_t>(match->position() + match->length());
    const std::string block = readme.substr(begin, readme.find("```", begin) - begin);
    INFO(block);
    CHECK(built.contains(block));
    ++shown;
  }
  CHECK(shown > 0);
}

// A program that takes all names of headlight can have no function draw(), and cannot call system(): both are
// namespaces in headlight.
TEST_CASE("README, guides and examples name headlight by an alias", "[structure]") {
  std::vector<fs::path> texts{kSource / "README.md"};
  for (const char* folder : {"docs", "examples"})
    for (const auto& entry : fs::recursive_directory_iterator(kSource / folder))
      if (const auto kind = entry.path().extension(); kind == ".md" || kind == ".cpp")
        texts.push_back(entry.path());
  for (const fs::path& text : texts) {
    INFO(text);
    CHECK(read_file(text).find("\nusing namespace headlight") == std::string::npos);
  }
}

TEST_CASE("an example stays within 60 lines", "[structure]") {
  for (const auto& file : sources_in({"examples"})) {
    INFO(name_of(file));
    CHECK(lines_of(file).size() <= 60);
  }
}
