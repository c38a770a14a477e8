#include "lessons.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

#include "headlight/core/check.h"
#include "headlight/system/files.h"
#include "headlight/system/text.h"

namespace headlight::course {
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

// The numbers in the links of the paragraph that begins with "You need".
std::vector<std::string> needs_of(const fs::path& readme) {
  static const std::regex kLink(R"(\]\(\.\./(\d\d)_\w+/README\.md\))");
  std::vector<std::string> needs;
  if (!fs::exists(readme)) return needs;
  bool inside = false;
  for (const std::string& line : text_lines(read_file(readme))) {
    inside = line.starts_with("You need") || (inside && !line.empty());
    if (!inside) continue;
    for (std::sregex_iterator link(line.begin(), line.end(), kLink), end; link != end; ++link)
      needs.push_back((*link)[1]);
  }
  return needs;
}

// "Tensors" of the heading "# Lesson 1: Tensors".
std::string title_of(const fs::path& readme) {
  const std::string heading = line_after(readme, "# Lesson ");
  const std::size_t colon = heading.find(": ");
  return colon == std::string::npos ? heading : heading.substr(colon + 2);
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
    const fs::path readme = entry.path() / "README.md";
    if (entry.is_directory() && is_lesson(name))
      lessons.push_back({name, name.substr(0, 2), name.substr(3), title_of(readme), promise_of(readme),
                         minutes_of(readme), needs_of(readme)});
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

}  // namespace headlight::course
