#include "passed_solutions.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "headlight/system/files.h"

namespace headlight::course {
namespace {

namespace fs = std::filesystem;

fs::path passed_file(const Places& places, const std::string& lesson) {
  return places.my / ".solved" / (lesson + ".cpp");
}

void write_if_new(const fs::path& file, const std::string& text) {
  if (fs::exists(file) && read_file(file) == text) return;
  fs::create_directories(file.parent_path());
  write_file(file, text);
}

// "lessons 5, 6 and 8"
std::string lessons_sentence(const std::vector<std::string>& numbers) {
  if (numbers.size() == 1) return "lesson " + numbers.back();
  return fmt::format("lessons {} and {}", fmt::join(numbers.begin(), numbers.end() - 1, ", "),
                     numbers.back());
}

}  // namespace

void store_passed(const Places& places, const std::string& lesson, const std::string& text) {
  write_if_new(passed_file(places, lesson), text);
}

std::vector<UsedLesson> copy_used(const Places& places, const std::vector<std::string>& lessons,
                                  bool learners) {
  std::vector<UsedLesson> all;
  for (const std::string& lesson : lessons) {
    const fs::path passed = passed_file(places, lesson);
    all.push_back({lesson, learners && fs::exists(passed)});
    const fs::path file = all.back().by_learner ? passed : places.lessons / lesson / "solution.cpp";
    write_if_new(places.my / ".used" / (lesson + ".cpp"), read_file(file));
  }
  return all;
}

bool any_by_learner(const std::vector<UsedLesson>& used) {
  return std::ranges::any_of(used, [](const UsedLesson& each) { return each.by_learner; });
}

std::string used_sentence(const std::vector<UsedLesson>& used) {
  std::vector<std::string> learners, solutions;
  for (const UsedLesson& each : used)
    (each.by_learner ? learners : solutions).push_back(std::to_string(std::stoi(each.folder)));
  if (used.empty()) return "";
  if (solutions.empty()) return fmt::format("Uses what you wrote in {}.", lessons_sentence(learners));
  if (learners.empty()) return fmt::format("Uses our solution of {}.", lessons_sentence(solutions));
  return fmt::format("Uses what you wrote in {}, and our solution of {}.", lessons_sentence(learners),
                     lessons_sentence(solutions));
}

}  // namespace headlight::course
