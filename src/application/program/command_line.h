// The command line of all programs of Headlight.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "decimal.h"
#include "headlight/core/check.h"
#include "misread.h"
#include "shell_word.h"

namespace headlight::program {

// False when --help or --version was asked for, and printed. Throws Error for a line that cannot be
// understood; `commands` are those that it may name.
inline bool parse(CLI::App& program, int argc, char** argv, const std::vector<std::string>& commands = {}) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    check(!word.empty() && !(word.starts_with("--") && word.ends_with('=')),
          "argument {} is empty. (Is a variable unset?)", i);
  }
  read_in_decimal(program);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) {
      program.exit(e);
      return false;
    }
    fail("{} (--help explains)", misread(program, e, commands));
  }
  return true;
}

// The line as typed: "./headlight demo --seed 3", with quotes where they are needed.
inline std::string typed_line(int argc, char** argv) {
  std::string line = "./headlight";
  for (int i = 1; i < argc; ++i) line += " " + shell_word(argv[i]);
  return line;
}

}  // namespace headlight::program
