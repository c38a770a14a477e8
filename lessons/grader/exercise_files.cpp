#include <fmt/core.h>

#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "grader/bank.h"
#include "headlight/system/files.h"

namespace headlight::grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLines = 150, kFewestParts = 2, kMostParts = 7, kFewestHints = 3;

std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> lines;
  std::istringstream text(read_file(file));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

// What follows "12. ", or nothing.
std::optional<std::string> after_number(const std::string& line) {
  const std::size_t digits = line.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string::npos || line.compare(digits, 2, ". ") != 0) return std::nullopt;
  return line.substr(digits + 2);
}

// The sections "## part" that say what the part is good for: "✓ …".
std::set<std::string> earning(const fs::path& file) {
  std::set<std::string> parts;
  std::string section;
  for (const std::string& line : lines_of(file))
    if (line.starts_with("## "))
      section = line.substr(3);
    else if (line.starts_with("✓ "))
      parts.insert(section);
  return parts;
}

// The number of hints in each section "## part".
std::map<std::string, std::size_t> hints_in(const fs::path& file) {
  std::map<std::string, std::size_t> hints;
  std::string section;
  for (const std::string& line : lines_of(file))
    if (line.starts_with("## "))
      hints[section = line.substr(3)] = 0;
    else if (const auto hint = after_number(line); hint && !hint->empty() && hint->front() != ' ')
      ++hints[section];
  return hints;
}

// "Part 2 ★★" in a comment, and the part's name on that line or below it.
bool is_marked(const std::vector<std::string>& lines, std::size_t number, const Part& part) {
  std::string mark = fmt::format("// Part {} ", number);
  for (int star = 0; star < part.stars; ++star) mark += "★";
  bool found = false;
  for (const std::string& line : lines) {
    if (line.starts_with("// Part ")) found = line.starts_with(mark) && !line.starts_with(mark + "★");
    if (found && line.find(part.name + "(") != std::string::npos) return true;
  }
  return false;
}

void find_in_exercise(const Exercise& exercise, const fs::path& file, std::vector<std::string>& faults) {
  const std::vector<std::string> lines = lines_of(file);
  if (lines.size() > kMostLines)
    faults.push_back(
        fmt::format("exercise.cpp: expected at most {} lines, got {}.", kMostLines, lines.size()));
  if (exercise.parts.size() < kFewestParts || exercise.parts.size() > kMostParts)
    faults.push_back(
        fmt::format("expected {} to {} parts, got {}.", kFewestParts, kMostParts, exercise.parts.size()));
  for (std::size_t p = 0; p < exercise.parts.size(); ++p)
    if (!is_marked(lines, p + 1, exercise.parts[p]))
      faults.push_back(fmt::format("exercise.cpp: no '// Part {}' with {} stars announces {}().", p + 1,
                                   exercise.parts[p].stars, exercise.parts[p].name));
}

// What a part may not call is said in the exercise.
void find_what_is_not_told(const Exercise& exercise, const fs::path& folder,
                           std::vector<std::string>& faults) {
  const std::string text = read_file(folder / "exercise.cpp");
  for (const Part& part : exercise.parts)
    for (const std::string& name : part.not_called)
      if (text.find(name) == std::string::npos)
        faults.push_back(fmt::format("exercise.cpp does not say that {} may not call {}.", part.name, name));
}

void find_in_hints(const Exercise& exercise, const fs::path& file, std::vector<std::string>& faults) {
  const auto hints = hints_in(file);
  const auto earned = earning(file);
  std::set<std::string> names;
  for (const Part& part : exercise.parts) {
    names.insert(part.name);
    const auto found = hints.find(part.name);
    const std::size_t count = found == hints.end() ? 0 : found->second;
    if (!earned.contains(part.name))
      faults.push_back(fmt::format("hints.md: no line '✓ …' says what {} is good for.", part.name));
    if (count < kFewestHints)
      faults.push_back(fmt::format("hints.md: expected at least {} hints for {}, got {}.", kFewestHints,
                                   part.name, count));
  }
  for (const auto& [name, count] : hints)
    if (!names.contains(name)) faults.push_back(fmt::format("hints.md: there is no part '{}'.", name));
}

void find_in_text(const Exercise& exercise, const fs::path& file, std::vector<std::string>& faults) {
  std::set<std::string> headings;
  for (const std::string& line : lines_of(file)) {
    const std::size_t level = line.find_first_not_of('#'), text = line.find_first_not_of("# ");
    if (level == 0 || text == std::string::npos || line[level] != ' ') continue;
    const std::string heading = line.substr(text);
    headings.insert(after_number(heading).value_or(heading));  // the number of a section may change
  }
  for (const Part& part : exercise.parts)
    for (const Part::Known& mistake : part.mistakes)
      if (!mistake.read.empty() && !headings.contains(mistake.read))
        faults.push_back(fmt::format("README.md has no heading '{}', which '{}' of {} says to read.",
                                     mistake.read, mistake.name, part.name));
}

}  // namespace

std::vector<std::string> faults_of_files(const Exercise& exercise, const fs::path& folder) {
  std::vector<std::string> faults;
  bool all = true;
  for (const char* name :
       {"exercise.cpp", "solution.cpp", "check.cpp", "hints.md", "questions.md", "README.md"})
    if (!fs::exists(folder / name)) {
      faults.push_back(fmt::format("{} is missing.", (folder / name).string()));
      all = false;
    }
  if (!all) return faults;
  find_in_exercise(exercise, folder / "exercise.cpp", faults);
  find_what_is_not_told(exercise, folder, faults);
  find_in_hints(exercise, folder / "hints.md", faults);
  find_in_text(exercise, folder / "README.md", faults);
  return faults;
}

}  // namespace headlight::grader
