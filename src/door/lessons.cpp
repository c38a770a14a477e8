#include "lessons.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "headlight/core/check.h"
#include "headlight/core/files.h"

namespace headlight::inline HEADLIGHT_PRECISION::door {
namespace {

namespace fs = std::filesystem;

bool is_lesson(const std::string& folder) {
  const auto digit = [&](std::size_t i) { return std::isdigit(static_cast<unsigned char>(folder[i])) != 0; };
  return folder.size() > 3 && digit(0) && digit(1) && folder[2] == '_';
}

// The rest of the line of a README that begins so.
std::string line_after(const fs::path& readme, std::string_view opening) {
  if (!fs::exists(readme)) return "";
  std::istringstream text(read_file(readme));
  for (std::string line; std::getline(text, line);)
    if (line.starts_with(opening)) return line.substr(opening.size());
  return "";
}

std::string promise_of(const fs::path& readme) { return line_after(readme, "**Afterwards you can** "); }
std::string minutes_of(const fs::path& readme) {
  std::string minutes = line_after(readme, "**Takes** ");
  if (minutes.ends_with('.')) minutes.pop_back();
  return minutes;
}

}  // namespace

std::vector<Lesson> lessons_in(const fs::path& folder) {
  std::vector<Lesson> lessons;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory() && is_lesson(name))
      lessons.push_back({name, name.substr(0, 2), name.substr(3), promise_of(entry.path() / "README.md"),
                         minutes_of(entry.path() / "README.md")});
  }
  std::sort(lessons.begin(), lessons.end(),
            [](const Lesson& a, const Lesson& b) { return a.folder < b.folder; });
  return lessons;
}

const Lesson& find_lesson(const std::vector<Lesson>& lessons, const std::string& wanted) {
  std::string numbers;
  for (const Lesson& lesson : lessons) {
    if (wanted == lesson.folder || wanted == lesson.number || "0" + wanted == lesson.number) return lesson;
    numbers += (numbers.empty() ? "" : ", ") + lesson.number;
  }
  check(!wanted.empty(), "which lesson? Give its number, as in './headlight lesson 1'; the lessons are {}.",
        numbers);
  fail("there is no lesson '{}'; expected one of {}.", wanted, numbers);
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::door
