// Work in a process of its own, so that its peak memory can be told from ours.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace headlight::app {

struct ChildResult {
  std::string output;
  double peak_mb;  // largest resident memory of the child, which starts with what this process has resident
};

// What `work` returns in a copy of this process. Not while other threads run. Throws Error with the sentence
// of what `work` throws.
ChildResult in_child(const std::function<std::string()>& work);

// A program with its arguments, found on the PATH: its standard output, and its exit status (127: there is no
// such program). Its standard error is not shown.
struct ProgramResult {
  std::string output;
  int status;
};
ProgramResult run_program(const std::vector<std::string>& words);

}  // namespace headlight::app
