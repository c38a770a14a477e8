// A sandbox for code that is not trusted, by bubblewrap: the system is read-only, and of everything else only
// what is named is there. There is no network, no other process to see and no environment.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "headlight/system/process.h"

namespace headlight {

// What a command in a sandbox may do. Paths are the same inside as outside.
struct Allowed {
  std::vector<std::filesystem::path> read;    // files and folders
  std::vector<std::filesystem::path> hidden;  // files among them, which are empty inside
  std::filesystem::path write = {};           // a folder; empty: nothing can be written
  bool may_start_programs = false;            // compilers do, which are trusted
};

// Why no sandbox can be made here, as a sentence; "" when it can.
std::string why_no_sandbox();

// run_process() in a sandbox. A signal that ends the command is in `signal`, as outside.
Ended run_in_sandbox(const Command& command, const Allowed& allowed);

}  // namespace headlight
