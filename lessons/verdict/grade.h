// Runs a checker with a learner's code in it as a process of its own, which can damage nothing outside.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>

#include "headlight/system/process.h"
#include "verdict/verdict.h"

namespace headlight::grader {

struct Grading {
  std::filesystem::path checker;                // the program, built from the learner's file
  std::filesystem::path learners_file;          // whose line a crash is traced to
  std::chrono::seconds cpu{10}, most_cpu{120};  // for a call; for all calls that say what they take
  std::size_t memory = std::size_t{2} << 30;    // bytes
  std::function<void(std::size_t done, std::size_t all)> progress =
      {};                                // is called for calls that report theirs
  std::optional<std::size_t> part = {};  // the only one that is graded; nothing: every part
  bool name_all = false;  // each wrong part gets the name of its mistake; otherwise the first alone
  std::function<Ended(const Command&)> run = run_process;  // the checker, and what reads its symbols
};

// The verdict, also when the learner's code crashes, does not end, takes too much memory or ends the program:
// then the parts behind the one that did so are graded by another run. It has no parts when the program ends
// before the first. The checker runs in an empty folder beside its
// file. Throws Error when it cannot be run.
Verdict grade(const Grading& grading);

}  // namespace headlight::grader
