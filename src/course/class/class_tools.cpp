#include "class_tools.h"

#include <fmt/core.h>

#include "course/check/toolchain.h"
#include "headlight/core/check.h"
#include "headlight/system/files.h"
#include "headlight/system/sandbox.h"
#include "verdict/grade.h"

namespace headlight::course {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kMostBuilding{60};

fs::path made_in(const ClassRoom& room) { return room.work / "made"; }

// What solves an exercise, and what says how it is solved: of the lessons, and of the tests' learners, whose
// files CMake writes.
std::vector<fs::path> secrets_of(const ClassRoom& room) {
  std::vector<fs::path> secrets;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(room.source / "lessons")) {
    const std::string name = entry.path().filename();
    if (name == "solution.cpp" || name == "check.cpp" || name.find("mistakes") != std::string::npos)
      secrets.push_back(entry.path());
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(room.build / "lessons"))
    if (entry.path().extension() == ".cpp") secrets.push_back(entry.path());
  return secrets;
}

std::string without_all(std::string text, const std::string& words) {
  for (std::size_t at; (at = text.find(words)) != std::string::npos;) text.erase(at, words.size());
  return text;
}

// grading.ninja, with the student's folders. Paths in it are relative to the build folder, since ninja takes
// none with a space.
void write_build_file(const ClassRoom& room) {
  write_file(room.work / "grading.ninja",
             without_all(read_file(room.build / "grading.ninja"), room.build.string() + "/"));
  write_file(room.work / "build.ninja",
             fmt::format("builddir = {0}/made\nmy = {0}/my\nmade = {0}/made\ninclude {0}/grading.ninja\n",
                         room.work.string()));
}

Built build_theirs(const ClassRoom& room, const Lesson& lesson) {
  // An empty file stands for our solution, which is compiled already.
  if (fs::exists(room.work / "my" / ".used"))
    for (const fs::directory_entry& used : fs::directory_iterator(room.work / "my" / ".used"))
      write_file(used.path(), "");
  make_folder(made_in(room));
  write_build_file(room);
  Command ninja{.words = {"ninja", "-C", room.build.string(), "-f", (room.work / "build.ninja").string(),
                          "-j", "1", "my_" + lesson.folder},
                .limit = kMostBuilding,
                .confined = Confinement{kMostBuilding, std::size_t{4} << 30, true}};
  Allowed allowed{{room.source / "include", room.source / "lessons", room.build, room.work},
                  secrets_of(room),
                  made_in(room),
                  true};
  if (fs::exists(room.source / "lib")) allowed.read.push_back(room.source / "lib");
  if (room.confined)  // an archive has a ninja of its own
    ninja.environment = {{"PATH", "/usr/bin:/bin:" + (room.build / "tools").string()}};
  const Ended ended = room.confined ? run_in_sandbox(ninja, allowed) : run_process(ninja);
  check(!ended.timed_out, "its compilation was stopped after {} seconds.", kMostBuilding.count());
  return {ended.ok(), false, ended.output + ended.errors};
}

grader::Verdict grade_theirs(const ClassRoom& room, const Lesson& lesson, const fs::path& file) {
  grader::Grading grading{.checker = made_in(room) / ("my_" + lesson.folder), .learners_file = file};
  grading.name_all = true;
  if (room.confined)
    grading.run = [&](const Command& command) { return run_in_sandbox(command, {{room.work}, {}}); };
  return grader::grade(grading);
}

}  // namespace

Toolchain class_tools(const ClassRoom& room) {
  return {
      [room](const Lesson& lesson) { return lessons_used_by(room.build, lesson); },
      [room](const Lesson& lesson, const fs::path&, const OnProgress&) { return build_theirs(room, lesson); },
      [room](const Lesson& lesson, const fs::path& file, std::optional<std::size_t>, const OnProgress&) {
        return grade_theirs(room, lesson, file);
      }};
}

Built prepare_lesson(const fs::path& build, const Lesson& lesson, const OnProgress& progress) {
  if (fs::exists(build / "archive.sh"))  // an archive has all but the header of learners' files
    return build_target(build, "lessons/header.h.gch", progress);
  return build_target(build, "grading_" + lesson.folder, progress);
}

}  // namespace headlight::course
