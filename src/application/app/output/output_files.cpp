#include "output_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "headlight/core/check.h"
#include "headlight/run/run_files.h"
#include "headlight/sweep/sweep.h"
#include "headlight/system/file_kind.h"
#include "headlight/system/files.h"

namespace headlight::app {
namespace {

namespace fs = std::filesystem;

// The same for all ways to write the name of a file, whether it is there or not. weakly_canonical() alone
// would take a link to nowhere for the file.
fs::path place_of(const std::string& file) {
  std::error_code error;
  const fs::path place = fs::weakly_canonical(fs::absolute(behind_links(file)), error);
  return error ? fs::path(file).lexically_normal() : place;
}

// Pages alone do not make a run.
bool belongs_to_run(const std::string& name, const fs::path& folder) {
  std::error_code error;
  return run::is_run_file(name) &&
         (fs::exists(folder / run::files::kConfig, error) || fs::exists(folder / run::files::kModel, error));
}

bool belongs_to_sweep(const std::string& name, const fs::path& folder) {
  namespace files = sweep::sweep_files;
  constexpr std::array<std::string_view, 4> kFiles{files::kJson, files::kCsv, files::kFigure, files::kPage};
  std::error_code error;
  return std::find(kFiles.begin(), kFiles.end(), name) != kFiles.end() &&
         fs::exists(folder / files::kJson, error);
}

constexpr std::array<FileKind, 5> kKinds{
    {{"--svg", "SVG picture", "<svg"},
     {"--png", "PNG picture", "\x89PNG"},
     {"--npz", "archive of arrays", "PK"},
     {"--torch", "PyTorch module of Headlight", "\"\"\"A model of Headlight"},
     {"--html", "page", "<!doctype html>"}}};
constexpr std::string_view kPageFlag = "--html";  // of compare; --out of report writes a page too

}  // namespace

bool same_file(const std::string& one, const std::string& other) { return place_of(one) == place_of(other); }

void check_two_files(const FileFlag& one, const FileFlag& other) {
  if (one.file.empty() || other.file.empty()) return;
  check(!same_file(one.file, other.file),
        "{} and {} name the same file, '{}', and one would replace the other. Hint: give each a name of its "
        "own.",
        one.flag, other.flag, one.file);
}

// A file may also be below a folder of the run.
void check_no_run_file(const FileFlag& output) {
  if (output.file.empty()) return;
  for (fs::path at = place_of(output.file); at.has_relative_path(); at = at.parent_path()) {
    const std::string name = at.filename().string();
    const bool run = belongs_to_run(name, at.parent_path()), sweep = belongs_to_sweep(name, at.parent_path());
    check(!run && !sweep, "{} '{}' would replace a file of the {} in '{}'. Hint: choose another name.",
          output.flag, output.file, run ? "run" : "sweep", at.parent_path().string());
  }
}

void check_same_kind(const FileFlag& output) {
  if (output.file.empty()) return;
  const std::string_view flag = output.flag == "--out" ? kPageFlag : std::string_view(output.flag);
  const auto* kind =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const FileKind& each) { return each.flag == flag; });
  check(kind != kKinds.end(), "[check_same_kind] {} is unknown here.", output.flag);
  headlight::check_same_kind(output.file, {output.flag, kind->name, kind->begin});
}

}  // namespace headlight::app
