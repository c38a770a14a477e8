#include "course.h"

#include <algorithm>
#include <functional>
#include <regex>
#include <set>

#include "headlight/system/text.h"

namespace headlight::course {

std::vector<CoursePart> parts_of(const std::string& readme, const std::vector<Lesson>& lessons) {
  std::vector<CoursePart> parts;
  std::set<std::string> placed;
  for (const std::string& line : text_lines(readme)) {
    if (line.starts_with("## ")) parts.push_back({line.starts_with("## Part ") ? line.substr(3) : "", {}});
    if (parts.empty() || parts.back().title.empty() || !line.starts_with("| [")) continue;
    for (const Lesson& lesson : lessons)
      if (line.find("](" + lesson.folder + "/README.md)") != std::string::npos &&
          placed.insert(lesson.folder).second)
        parts.back().lessons.push_back(lesson);
  }
  CoursePart rest;
  for (const Lesson& lesson : lessons)
    if (!placed.contains(lesson.folder)) rest.lessons.push_back(lesson);
  parts.push_back(std::move(rest));
  std::erase_if(parts, [](const CoursePart& part) { return part.lessons.empty(); });
  return parts;
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
  static const std::regex kRow(
      R"re(\| \*\*(.+)\*\*(?: \(.+\))? \| (.+) \| \[\d+, .+\]\((\d\d_\w+)/.+\) \|)re");
  std::vector<TaughtTerm> terms;
  std::smatch found;
  for (const std::string& line : text_lines(glossary))
    if (std::regex_match(line, found, kRow) && found[3] == lesson.folder)
      terms.push_back({found[1], found[2]});
  return terms;
}

}  // namespace headlight::course
