#include "toolchain.h"

#include "grader/grade.h"
#include "headlight/core/check.h"
#include "headlight/core/files.h"
#include "headlight/core/process.h"
#include "headlight/core/run_main.h"

namespace headlight::inline HEADLIGHT_PRECISION::door {
namespace {

namespace fs = std::filesystem;

fs::path checker_of(const fs::path& build, const Lesson& lesson) {
  return build / "lessons" / ("my_" + lesson.folder);
}

Toolchain::Built build_mine(const fs::path& build, const Lesson& lesson) {
  // The lock of the front door: two builds in one folder would disturb each other.
  const fs::path lock = build.parent_path() / ".lock";
  const std::vector<std::string> ninja{"ninja", "-C", build.string(), "my_" + lesson.folder};
  constexpr int kHeld = 75;  // ninja ends with 1 or 2
  const auto locked = [&](std::vector<std::string> words) {
    words.push_back(lock.string());
    words.insert(words.end(), ninja.begin(), ninja.end());
    return run_process({.words = words});
  };
  Ended ended = locked({"flock", "-n", "-E", std::to_string(kHeld)});
  if (ended.status == kHeld) {
    print_note("headlight: another ./headlight is building or testing here; waiting\n");
    ended = locked({"flock"});
  }
  if (!ended.found) ended = run_process({.words = ninja});
  check(ended.found, "ninja is not installed. Hint: ./headlight --version installs what is missing.");
  return {ended.ok(), ended.output + ended.errors};
}

// A program that was not built anew since its verdict needs no second run.
grader::Verdict grade_mine(const fs::path& build, const Lesson& lesson, const fs::path& mine,
                           const OnProgress& progress) {
  const fs::path program = checker_of(build, lesson), kept = program.string() + ".verdict";
  if (fs::exists(kept) && fs::last_write_time(kept) > fs::last_write_time(program))
    return grader::verdict_from_json(read_file(kept));
  const grader::Verdict verdict =
      grader::grade({.checker = program, .learners_file = mine, .progress = progress});
  if (verdict.kind != grader::Kind::endless) write_file(kept, grader::to_json(verdict));
  return verdict;
}

}  // namespace

Toolchain build_folder_tools(const fs::path& build) {
  return {[build](const Lesson& lesson) { return build_mine(build, lesson); },
          [build](const Lesson& lesson, const fs::path& mine, const OnProgress& progress) {
            return grade_mine(build, lesson, mine, progress);
          }};
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::door
