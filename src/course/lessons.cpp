#include "lessons.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <regex>
#include <set>
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

bool links_to(const std::string& line, const Lesson& lesson) {
  return line.find("](" + lesson.folder + "/README.md)") != std::string::npos;
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

std::vector<CoursePart> parts_of(const std::string& readme, const std::vector<Lesson>& lessons) {
  std::vector<CoursePart> parts;
  std::set<std::string> placed;
  for (const std::string& line : text_lines(readme)) {
    if (line.starts_with("## ")) parts.push_back({line.starts_with("## Part ") ? line.substr(3) : "", {}});
    if (parts.empty() || parts.back().title.empty() || !line.starts_with("| [")) continue;
    for (const Lesson& lesson : lessons)
      if (links_to(line, lesson) && placed.insert(lesson.folder).second)
        parts.back().lessons.push_back(lesson);
  }
  CoursePart rest;
  for (const Lesson& lesson : lessons)
    if (!placed.contains(lesson.folder)) rest.lessons.push_back(lesson);
  parts.push_back(std::move(rest));
  std::erase_if(parts, [](const CoursePart& part) { return part.lessons.empty(); });
  return parts;
}

std::vector<Road> roads_of(const std::string& readme, const std::vector<Lesson>& lessons) {
  std::vector<Road> roads;
  bool inside = false;
  for (const std::string& line : text_lines(readme)) {
    if (line.starts_with("## ")) inside = line == "## Roads";
    if (!inside || line.find("/README.md)") == std::string::npos) continue;
    constexpr std::size_t kOpening = 2;  // "| "
    Road road{line.substr(kOpening, line.find(" |", kOpening) - kOpening), {}};
    for (const Lesson& lesson : lessons)
      if (links_to(line, lesson)) road.lessons.push_back(lesson);
    roads.push_back(std::move(road));
  }
  return roads;
}

std::size_t minutes_in_all(const Lesson& lesson) {
  std::size_t sum = 0, number = 0;
  for (const char c : lesson.minutes + " ") {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    number = digit ? 10 * number + static_cast<std::size_t>(c - '0') : number;
    if (!digit) sum += number, number = 0;
  }
  return sum;
}

std::string numbers_of(const Road& road) {
  constexpr std::size_t kMostListed = 5;
  if (road.lessons.size() > kMostListed)
    return road.lessons.front().number + " to " + road.lessons.back().number;
  std::string numbers;
  for (const Lesson& lesson : road.lessons) numbers += (numbers.empty() ? "" : ", ") + lesson.number;
  return numbers;
}

std::string time_of(const Road& road) {
  std::size_t minutes = 0;
  for (const Lesson& lesson : road.lessons) minutes += minutes_in_all(lesson);
  return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

std::vector<std::vector<std::string>> direct_needs(const std::vector<Lesson>& lessons) {
  const auto needs_of = [&](const std::string& number) -> std::vector<std::string> {
    for (const Lesson& lesson : lessons)
      if (lesson.number == number) return lesson.needs;
    return {};
  };
  std::function<bool(const std::string&, const std::string&)> leads = [&](const std::string& earlier,
                                                                          const std::string& later) {
    const std::vector<std::string> needs = needs_of(later);
    return std::any_of(needs.begin(), needs.end(),
                       [&](const std::string& need) { return need == earlier || leads(earlier, need); });
  };
  std::vector<std::vector<std::string>> direct;
  for (const Lesson& lesson : lessons) {
    direct.emplace_back();
    for (const std::string& need : lesson.needs)
      if (std::none_of(lesson.needs.begin(), lesson.needs.end(),
                       [&](const std::string& other) { return leads(need, other); }))
        direct.back().push_back(need);
  }
  return direct;
}

std::vector<TaughtTerm> terms_of(const std::string& glossary, const Lesson& lesson) {
  static const std::regex kRow(R"re(\| \*\*(.+)\*\*( \(.+\))? \| (.+) \| \[\d+, .+\]\((\d\d_\w+)/.+\) \|)re");
  std::vector<TaughtTerm> terms;
  std::smatch found;
  for (const std::string& line : text_lines(glossary))
    if (std::regex_match(line, found, kRow) && found[4] == lesson.folder)
      terms.push_back({found[1], found[3], found[2].matched});
  return terms;
}

}  // namespace headlight::course
