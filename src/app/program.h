// What every program of Headlight does alike: parse its line, report errors in one sentence, exit with 2.
#pragma once

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "exit_status.h"
#include "headlight/core/check.h"

namespace headlight::app {

// False when --help or --version was asked for, and printed. Throws Error for a line that cannot be
// understood.
inline bool parse(CLI::App& program, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    check(!word.empty() && !(word.starts_with("--") && word.ends_with('=')),
          "argument {} is empty. (Is a variable unset?)", i);
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) {
      program.exit(e);
      return false;
    }
    const std::string message = e.what();
    fail("{}{} (--help explains)", message, message.ends_with('.') ? "" : ".");
  }
  return true;
}

// The exit status of `run`, or kError with a sentence on standard error for what it throws.
template <class Run>
int guarded(Run run) {
  try {
    const int status = run();
    check(std::fflush(stdout) == 0 && std::ferror(stdout) == 0, "cannot write to standard output.");
    return status;
  } catch (const Error& e) {
    fmt::print(stderr, "headlight: {}\n", e.what());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "headlight: there is not enough memory for these sizes.\n");
  } catch (const std::exception& e) {
    fmt::print(stderr, "headlight: {}.\n", e.what());
  }
  return kError;
}

}  // namespace headlight::app
