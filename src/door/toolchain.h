// How a learner's file is built and graded in this project's build folder.
#pragma once

#include "learner.h"

namespace headlight::inline HEADLIGHT_PRECISION::door {

// The file is built by ninja, one build in the folder at a time. What is built is always of the text that the
// file has, whatever its time is: when ninja would take it for older, it gets a new time. The verdict on an
// unchanged program is remembered.
Toolchain build_folder_tools(const std::filesystem::path& build);

}  // namespace headlight::inline HEADLIGHT_PRECISION::door
