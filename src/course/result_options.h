// --result: the marks for whoever collects them.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "check/marks.h"

namespace headlight::course {

struct ResultFile {
  std::string file;  // empty: none is asked for
  Assignment assignment;
};

// Adds --result FILE and, as environment variables of Classroom 50 or options, where it belongs.
void add_result_options(CLI::App& command, ResultFile& result);

// Writes the file, if one is asked for. Throws Error as write_file() does.
void write_result(const ResultFile& result, const std::vector<ResultTest>& tests);

}  // namespace headlight::course
