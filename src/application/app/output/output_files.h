// The files that commands write where a flag says.
#pragma once

#include <string>

namespace headlight::app {

// A flag and the file that it names; empty: not given.
struct FileFlag {
  std::string flag, file;
};

// Throws Error when both name the same file: the second would replace the first.
void check_two_files(const FileFlag& one, const FileFlag& other);

// Whether both name the same file, whether it is there or not.
bool same_file(const std::string& one, const std::string& other);

// Throws Error when the file is one of a run or of a sweep. Only what makes such a file may replace it.
void check_no_run_file(const FileFlag& output);

// Throws Error when the file is there and is of another kind than the flag writes: --svg replaces a picture,
// but not a letter. Told by how the file begins. An empty file may be replaced; devices and pipes are refused
// where the file is written.
void check_same_kind(const FileFlag& output);

}  // namespace headlight::app
