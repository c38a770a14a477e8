// How every program of Headlight reads its line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

#include "headlight/core/check.h"

namespace headlight::program {

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

}  // namespace headlight::program
