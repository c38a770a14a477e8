#include "exercise_files.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/system/files.h"
#include "headlight/system/text.h"

namespace headlight::course {
namespace {

namespace fs = std::filesystem;

// Moves the file to the next free name and returns that. Its old name stays for the moment where a hard link
// can be made: the link takes no name that another call has taken meanwhile, which renaming would.
fs::path keep(const fs::path& mine) {
  for (int i = 1;; ++i) {
    fs::path old = mine.parent_path() / fmt::format("{}.{}.cpp", mine.stem().string(), i);
    if (fs::exists(fs::symlink_status(old))) continue;
    std::error_code error = std::make_error_code(std::errc::not_supported);
    if (!fs::is_symlink(mine)) fs::create_hard_link(mine, old, error);
    if (error == std::errc::file_exists) continue;
    if (error) fs::rename(mine, old);
    return old;
  }
}

}  // namespace

ExercisePaths paths_of(const Places& places, const Lesson& lesson) {
  const fs::path folder = places.lessons / lesson.folder;
  return {folder / "exercise.cpp", folder / "solution.cpp", folder / "hints.md",
          places.my / (lesson.folder + ".cpp"), "my/" + lesson.folder + ".cpp"};
}

bool has_exercise(const Places& places, const Lesson& lesson) {
  return fs::exists(paths_of(places, lesson).shipped);
}

bool lay_out(const ExercisePaths& paths) {
  if (fs::exists(paths.mine)) return false;
  if (fs::is_symlink(paths.mine))
    fail("{} is a link to '{}', which is not there. Hint: remove the link.", paths.mine_name,
         fs::read_symlink(paths.mine).string());
  fs::create_directories(paths.mine.parent_path());
  write_file(paths.mine, read_file(paths.shipped));
  return true;
}

std::string start_anew(const ExercisePaths& paths) {
  if (lay_out(paths)) return "";
  const fs::path old = keep(paths.mine);
  write_file(paths.mine, read_file(paths.shipped));
  return "my/" + old.filename().string();
}

std::vector<std::string> hints_for(const fs::path& file, const std::string& part) {
  std::vector<std::string> hints;
  bool here = false;
  for (const std::string& line : text_lines(read_file(file))) {
    if (line.starts_with("## ")) {
      here = line.substr(3) == part;
      continue;
    }
    if (!here) continue;
    const std::size_t digits = line.find_first_not_of("0123456789");
    if (digits != 0 && digits != std::string::npos && line[digits] == '.')
      hints.push_back(line.substr(std::min(line.size(), digits + 2)));
    else if (!hints.empty() && !line.empty())
      hints.back() += (line.starts_with("    ") ? "\n" : " ") + line.substr(line.find_first_not_of(' '));
  }
  return hints;
}

std::string fitted(const std::string& text, std::size_t columns) {
  const std::string cut = cut_to(text, columns);
  return cut + std::string(columns - display_width(cut), ' ');
}

std::string beside_solution(const std::string& mine, const std::string& solution, std::size_t width) {
  constexpr std::size_t kLeast = 60;
  if (width < 2 * kLeast + 3) return "Yours:\n\n" + mine + "\nThe solution:\n\n" + solution;
  const std::size_t half = (width - 3) / 2;
  const std::vector<std::string> left = text_lines(mine), right = text_lines(solution);
  std::string text = fitted("Yours", half) + " │ The solution\n";
  for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i)
    text += fitted(i < left.size() ? left[i] : "", half) + " │ " +
            fitted(i < right.size() ? right[i] : "", half) + "\n";
  return text;
}

namespace {

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
