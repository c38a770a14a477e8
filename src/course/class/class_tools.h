// How other people's files are built and graded: by grading.ninja, in a sandbox.
#pragma once

#include <filesystem>

#include "course/check/learner.h"

namespace headlight::course {

// Where a file of a class is graded.
struct ClassRoom {
  std::filesystem::path source, build;  // the project, and its build folder
  std::filesystem::path work;           // a folder for one student: work/my is theirs
  bool confined = true;                 // false: with the rights of whoever calls
};

// Earlier lessons are ours, and nothing of `build` is changed. Build lessons with prepare_lesson() first.
// Throws Error for a build that takes longer than a minute.
Toolchain class_tools(const ClassRoom& room);

// Builds what grades a lesson, unless it is there.
Built prepare_lesson(const std::filesystem::path& build, const Lesson& lesson,
                     const OnProgress& progress = {});

}  // namespace headlight::course
