#include "toolchain.h"

#include <algorithm>

#include "grader/grade.h"
#include "headlight/core/check.h"
#include "headlight/system/files.h"
#include "headlight/system/process.h"
#include "headlight/system/run_main.h"
#include "headlight/system/sha256.h"
#include "headlight/system/system.h"

namespace headlight::course {
namespace {

namespace fs = std::filesystem;

fs::path checker_of(const fs::path& build, const Lesson& lesson) {
  return build / "lessons" / ("my_" + lesson.folder);
}

Toolchain::Built run_ninja(const fs::path& build, const Lesson& lesson, std::chrono::seconds most) {
  // The lock of the front door: two builds in one folder would disturb each other.
  const fs::path lock = build.parent_path() / ".lock";
  const std::vector<std::string> ninja{"ninja", "-C", build.string(), "my_" + lesson.folder};
  constexpr int kHeld = 75, kTimedOut = 124, kKilled = 137;  // ninja ends with 1 or 2
  const auto locked = [&](std::vector<std::string> words) {
    words.insert(words.end(),
                 {lock.string(), "timeout", "--foreground", "-k", "5", std::to_string(most.count()), "sh",
                  "-c", "ulimit -v 4194304 2>/dev/null; exec \"$@\"", "sh"});
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
  check(ended.status != kTimedOut && ended.status != kKilled,
        "the build of my/{}.cpp was stopped after {} seconds. Hint: does it include a pipe, a device or "
        "itself?",
        lesson.folder, most.count());
  return {ended.ok(), ended.output + ended.errors};
}

// Gives the file the time of now, or one after both others where the clock went back.
void make_newer(const fs::path& mine, const fs::path& program, const fs::path& seen) {
  fs::file_time_type newest = fs::file_time_type::clock::now();
  std::error_code error;
  for (const fs::path& file : {program, seen})
    if (const auto time = fs::last_write_time(file, error); !error)
      newest = std::max(newest, time + std::chrono::milliseconds(10));
  fs::last_write_time(mine, newest, error);
  check(!error,
        "'{}' may be older than what was built, and its time cannot be set: {}. Hint: save it once more.",
        mine.string(), error.message());
}

// Ninja goes by times alone, and a file that was moved into its place may be older than what was built of
// another text. So the hash of the text that ninja saw last stands beside the program. It is not there after
// a build that was stopped, and the program is not there after one that failed: nothing old is taken for new.
Toolchain::Built build_mine(const fs::path& build, const Lesson& lesson, const fs::path& mine,
                            std::chrono::seconds most) {
  const fs::path program = checker_of(build, lesson), seen = program.string() + ".seen";
  const std::string text = sha256(read_file(mine));
  const bool was_there = fs::exists(seen), is_known = was_there && read_file(seen) == text;
  if (!is_known) {
    if (!was_there || fs::last_write_time(mine) <= fs::last_write_time(seen)) make_newer(mine, program, seen);
    system::remove_file(seen);
  }
  Toolchain::Built built = run_ninja(build, lesson, most);
  if (!built.ok) system::remove_file(program);
  if (sha256(read_file(mine)) != text)
    system::remove_file(seen);
  else if (!is_known)
    write_file(seen, text);
  return built;
}

// A program needs no second run. The verdict is kept beside it, below the hash of the program.
grader::Verdict grade_mine(const fs::path& build, const Lesson& lesson, const fs::path& mine,
                           const OnProgress& progress) {
  const fs::path program = checker_of(build, lesson), kept = program.string() + ".verdict";
  constexpr std::size_t kMostProgram = std::size_t{1} << 30;
  const std::string hash = sha256(read_file(program, kMostProgram)) + "\n";
  const std::string before = fs::exists(kept) ? read_file(kept) : "";
  if (before.starts_with(hash)) return grader::verdict_from_json(before.substr(hash.size()));
  const grader::Verdict verdict =
      grader::grade({.checker = program, .learners_file = mine, .progress = progress});
  if (verdict.kind != grader::Kind::endless) write_file(kept, hash + grader::to_json(verdict));
  return verdict;
}

}  // namespace

Toolchain build_folder_tools(const fs::path& build, std::chrono::seconds most) {
  return {[build, most](const Lesson& lesson, const fs::path& mine) {
            return build_mine(build, lesson, mine, most);
          },
          [build](const Lesson& lesson, const fs::path& mine, const OnProgress& progress) {
            return grade_mine(build, lesson, mine, progress);
          }};
}

}  // namespace headlight::course
