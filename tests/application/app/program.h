// The programs, run as a user runs them.
#pragma once

#include <algorithm>
#include <string>

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/system/process.h"
#include "temporary_folder.h"

namespace headlight {

struct Outcome {
  int status;
  std::string out, err;
};

// Runs a command of the build folder through a shell, as typed.
inline Outcome run_program(const std::string& command_line, const std::string& before = "") {
  const Ended ended =
      run_process({.words = {"sh", "-c", before + " " HEADLIGHT_BINARY_DIR "/" + command_line}});
  return {ended.status, ended.output, ended.errors};
}

// Any command: headlight_full has those of `headlight` too.
inline Outcome headlight_program(const std::string& arguments, const std::string& before = "") {
  return run_program("headlight_full " + arguments, before);
}

// One sentence on standard error, nothing on standard output, status 2.
inline void check_refused(const std::string& arguments, const std::string& part,
                          const std::string& program = "headlight_full") {
  const Outcome o = run_program(program + " " + arguments);
  INFO(arguments << "\n" << o.err);
  CHECK(o.status == 2);
  CHECK(o.out.empty());
  CHECK(contains(o.err, part));
  CHECK(std::count(o.err.begin(), o.err.end(), '\n') <= 2);
}

}  // namespace headlight
