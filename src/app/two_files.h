// Commands that write two files.
#pragma once

#include <string>

namespace headlight::inline HEADLIGHT_PRECISION::app {

// A flag and the file that it names; empty: not given.
struct FileFlag {
  std::string flag, file;
};

// Throws Error when both name the same file: the second would replace the first.
void check_two_files(const FileFlag& one, const FileFlag& other);

}  // namespace headlight::inline HEADLIGHT_PRECISION::app
