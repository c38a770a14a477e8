// How a learner's file is built and graded in this project's build folder.
#pragma once

#include <chrono>

#include "learner.h"

namespace headlight::course {

// The file is built by ninja, one build in the folder at a time. What is built is always of the text that the
// file has, whatever its time is: when ninja would take it for older, it gets a new time. The verdict on an
// unchanged program is remembered.
// `most` is the time that a build may take. A compiler may also take no more than 4 GB, so that nothing that
// a file includes can hold or fill the machine.
// With `name_all` each wrong part gets the name of its mistake, otherwise the first alone.
Toolchain build_folder_tools(const std::filesystem::path& build,
                             std::chrono::seconds most = std::chrono::minutes(10), bool name_all = false);

// The folders of the earlier lessons that an exercise uses.
std::vector<std::string> lessons_used_by(const std::filesystem::path& build, const Lesson& lesson);

}  // namespace headlight::course
