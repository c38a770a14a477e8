#include "toolchain.h"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>

#include "headlight/core/check.h"
#include "headlight/system/files.h"
#include "headlight/system/sha256.h"
#include "headlight/system/system.h"
#include "verdict/grade.h"

namespace headlight::course {
namespace {

namespace fs = std::filesystem;

// The target and the program of a learner's file.
std::string target_of(const Lesson& lesson) { return "my_" + lesson.folder; }

fs::path checker_of(const fs::path& build, const Lesson& lesson) {
  return build / "lessons" / target_of(lesson);
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
Built build_mine(const fs::path& build, const Lesson& lesson, const fs::path& mine,
                 const OnProgress& progress, std::chrono::seconds most) {
  const fs::path program = checker_of(build, lesson), seen = program.string() + ".seen";
  const std::string text = sha256(read_file(mine));
  const bool was_there = fs::exists(seen), is_known = was_there && read_file(seen) == text;
  if (!is_known) {
    if (!was_there || fs::last_write_time(mine) <= fs::last_write_time(seen)) make_newer(mine, program, seen);
    remove_file(seen);
  }
  Built built = build_target(build, target_of(lesson), progress, most);
  check(!built.timed_out,
        "the build of my/{}.cpp was stopped after {} seconds. Hint: is the machine busy, so that a "
        "second call goes on? Or does the file include a pipe, a device or itself?",
        lesson.folder, most.count());
  if (!built.ok) remove_file(program);
  if (sha256(read_file(mine)) != text)
    remove_file(seen);
  else if (!is_known)
    write_file(seen, text);
  return built;
}

// An unchanged program is not run again: its verdict stands in a file beside it, below the hash of the
// program and the part that was graded.
grader::Verdict grade_mine(const fs::path& build, const Lesson& lesson, const fs::path& mine,
                           std::optional<std::size_t> part, bool name_all, const OnProgress& progress) {
  const fs::path program = checker_of(build, lesson), stored = program.string() + ".verdict";
  constexpr std::size_t kMostProgram = std::size_t{1} << 30;
  const std::string hash = fmt::format("{} {}{}\n", sha256(read_file(program, kMostProgram)),
                                       part ? std::to_string(*part + 1) : "all", name_all ? " named" : "");
  const std::string before = fs::exists(stored) ? read_file(stored) : "";
  if (before.starts_with(hash)) return grader::verdict_from_json(before.substr(hash.size()));
  const auto training = [&](std::size_t done, std::size_t all) {
    if (progress) progress("training", done, all);
  };
  const grader::Verdict verdict = grader::grade(
      {.checker = program, .learners_file = mine, .progress = training, .part = part, .name_all = name_all});
  const bool endless =
      verdict.kind == grader::Kind::endless ||
      std::ranges::any_of(verdict.parts, [](const auto& each) { return each.kind == grader::Kind::endless; });
  if (!endless) write_file(stored, hash + grader::to_json(verdict));
  return verdict;
}

}  // namespace

// CMake reads which earlier lessons an exercise uses, and writes them to a file: "05_…;07_…".
std::vector<std::string> lessons_used_by(const fs::path& build, const Lesson& lesson) {
  std::istringstream list(read_file(build / "lessons" / (lesson.folder + ".uses")));
  std::vector<std::string> used;
  for (std::string folder; std::getline(list, folder, ';');) used.push_back(folder);
  return used;
}

Toolchain build_folder_tools(const fs::path& build, std::chrono::seconds most, bool name_all) {
  return {[build](const Lesson& lesson) { return lessons_used_by(build, lesson); },
          [build, most](const Lesson& lesson, const fs::path& mine, const OnProgress& progress) {
            return build_mine(build, lesson, mine, progress, most);
          },
          [build, name_all](const Lesson& lesson, const fs::path& mine, std::optional<std::size_t> part,
                            const OnProgress& progress) {
            return grade_mine(build, lesson, mine, part, name_all, progress);
          }};
}

}  // namespace headlight::course
