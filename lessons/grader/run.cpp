#include <fmt/core.h>

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include "grader/bank.h"
#include "grader/follow.h"
#include "grader/judge.h"

namespace headlight::grader {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr Runs kRuns = Runs::once;
#else
constexpr Runs kRuns = Runs::twice;
#endif

int prove(const Exercise& exercise, const std::string& folder) {
  std::vector<std::string> faults = faults_of_files(exercise, folder);
  for (std::string& fault : faults_of_bank(exercise, kRuns)) faults.push_back(std::move(fault));
  std::size_t singles = 0, several = 0;
  for (const Part& part : exercise.parts)
    for (const Part::Known& mistake : part.mistakes) ++(mistake.of.empty() ? singles : several);
  for (const std::string& fault : faults) fmt::print("{}: {}\n", exercise.lesson, fault);
  if (faults.empty())
    fmt::print("{}: {} parts, {} mistakes, each caught and called by its name, and {} together\n",
               exercise.lesson, exercise.parts.size(), singles, several);
  return faults.empty() ? 0 : 1;
}

// "FIRST END", each if it is there. A run that begins later goes on after a crash, whose verdict is shown.
Range range_of(int argc, char** argv) {
  Range range;
  if (argc > 0) range.first = std::stoul(argv[0]);
  if (argc > 1) range.end = std::stoul(argv[1]);
  range.named = range.first == 0 || argc > 1;
  return range;
}

}  // namespace

int run(int argc, char** argv, const std::function<Exercise()>& make) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  try {
    const Exercise exercise = make();
    if (first == "--bank") return prove(exercise, argc > 2 ? argv[2] : "lessons/" + exercise.lesson);
    if (first == "--verdicts") {
      fmt::print("{}", verdicts_of_bank(exercise, 20));
      return 0;
    }
    if (first == "--follow" && argc > 2)
      return follow(exercise, make(), range_of(argc - 3, argv + 3), argv[2]);
    fmt::print("{}\n", to_json(judge(exercise, make())));
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "checker: {}\n", e.what());
    return 2;
  }
}

}  // namespace headlight::grader
