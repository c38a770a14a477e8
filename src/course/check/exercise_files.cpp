#include "exercise_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <regex>

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

std::vector<ExercisePart> exercise_parts(const Places& places, const Lesson& lesson) {
  static const std::regex kPart("// Part \\d+ ((?:★)+)  ([^ ,:]+).*");
  std::vector<ExercisePart> parts;
  std::smatch found;
  if (!has_exercise(places, lesson)) return parts;
  for (const std::string& line : text_lines(read_file(paths_of(places, lesson).shipped)))
    if (std::regex_match(line, found, kPart))
      parts.push_back({found[2], static_cast<int>(display_width(found[1].str()))});
  return parts;
}

std::vector<std::string> part_names(const Places& places, const Lesson& lesson) {
  std::vector<std::string> names;
  for (ExercisePart& part : exercise_parts(places, lesson)) names.push_back(std::move(part.name));
  return names;
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

namespace {

// The lines below "## part".
std::vector<std::string> section_of(const fs::path& file, const std::string& part) {
  std::vector<std::string> section;
  bool here = false;
  for (const std::string& line : text_lines(read_file(file)))
    if (line.starts_with("## "))
      here = line.substr(3) == part;
    else if (here)
      section.push_back(line);
  return section;
}

constexpr std::string_view kEarned = "✓ ";

}  // namespace

std::string earned_by(const fs::path& hints, const std::string& part) {
  std::string earned;
  for (const std::string& line : section_of(hints, part))
    if (line.starts_with(kEarned))
      earned = line.substr(kEarned.size());
    else if (earned.empty() || line.empty())
      continue;
    else
      earned += " " + line.substr(line.find_first_not_of(' '));
  return earned;
}

std::vector<std::string> hints_for(const fs::path& file, const std::string& part) {
  std::vector<std::string> hints;
  for (const std::string& line : section_of(file, part)) {
    if (line.starts_with(kEarned)) break;
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

}  // namespace headlight::course
