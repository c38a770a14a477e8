// Builds targets of this project's build folder.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace headlight::course {

// Is called while a command takes seconds: "building", 12 of 96.
using OnProgress = std::function<void(const char* what, std::size_t done, std::size_t all)>;

struct Built {
  bool ok = false;
  bool timed_out = false;
  std::string log;  // what ninja and the compilers printed
};

// Builds one target with ninja. Only one call at a time builds in `folder`, and `./headlight` uses the same
// lock. With `most`, ninja is stopped after this time, and a compiler gets no more than 4 GB of memory.
// Throws Error when ninja is not installed.
Built build_target(const std::filesystem::path& folder, const std::string& target,
                   const OnProgress& progress = {}, std::optional<std::chrono::seconds> most = {});

// The log without ninja's status lines; at most `most_lines` lines.
std::string errors_of(const std::string& log, std::size_t most_lines);

}  // namespace headlight::course
