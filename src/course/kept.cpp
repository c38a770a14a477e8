#include "kept.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>
#include <set>

#include "headlight/system/files.h"
#include "headlight/system/text.h"

namespace headlight::course {
namespace {

namespace fs = std::filesystem;

fs::path solved_file(const Places& places, const std::string& lesson) {
  return places.my / ".solved" / (lesson + ".cpp");
}

// The lessons whose kept.h a file includes. cmake/Exercises.cmake reads the same lines.
std::vector<std::string> used_by(const fs::path& exercise) {
  static const std::regex kLine(R"re(\s*#include "(\d\d_\w+)/kept\.h".*)re");
  std::vector<std::string> used;
  std::smatch match;
  for (const std::string& line : text_lines(read_file(exercise)))
    if (std::regex_match(line, match, kLine)) used.push_back(match[1]);
  return used;
}

void add_used_by(const Places& places, const std::string& lesson, std::set<std::string>& all) {
  for (const std::string& used : used_by(places.lessons / lesson / "exercise.cpp"))
    if (all.insert(used).second) add_used_by(places, used, all);
}

// The file's functions in the namespace of its lesson. What the file includes is included before, since a
// header does not belong into that namespace.
std::string wrapped_file(const std::string& lesson, const fs::path& file) {
  std::string text = fmt::format("#include \"{}/kept.h\"\n", lesson);
  for (const std::string& line : text_lines(read_file(file)))
    if (line.starts_with("#include")) text += line + "\n";
  return text + fmt::format("\nnamespace lesson_{} {{\n#include \"{}\"\n}}\n", lesson.substr(0, 2),
                            fs::absolute(file).string());
}

void write_if_new(const fs::path& file, const std::string& text) {
  if (fs::exists(file) && read_file(file) == text) return;
  fs::create_directories(file.parent_path());
  write_file(file, text);
}

std::string number_of(const std::string& lesson) { return std::to_string(std::stoi(lesson)); }

std::string joined(const std::vector<std::string>& numbers) {
  const std::vector<std::string> first(numbers.begin(), numbers.end() - 1);
  return first.empty() ? numbers.back() : fmt::format("{} and {}", fmt::join(first, ", "), numbers.back());
}

}  // namespace

void keep_solved(const Places& places, const std::string& lesson, const std::string& text) {
  write_if_new(solved_file(places, lesson), text);
}

std::vector<Kept> lay_out_kept(const Places& places, const std::string& lesson, bool learners) {
  std::set<std::string> used;
  add_used_by(places, lesson, used);
  std::vector<Kept> all;
  for (const std::string& earlier : used) {
    const fs::path solved = solved_file(places, earlier);
    all.push_back({earlier, learners && fs::exists(solved)});
    const fs::path& file = all.back().learners ? solved : places.lessons / earlier / "solution.cpp";
    write_if_new(places.my / ".kept" / (earlier + ".cpp"), wrapped_file(earlier, file));
  }
  return all;
}

bool uses_learners(const std::vector<Kept>& kept) {
  return std::any_of(kept.begin(), kept.end(), [](const Kept& each) { return each.learners; });
}

std::string kept_in_words(const std::vector<Kept>& kept) {
  std::vector<std::string> learners, ours;
  for (const Kept& each : kept) (each.learners ? learners : ours).push_back(number_of(each.lesson));
  const auto lessons = [](const std::vector<std::string>& numbers) {
    return fmt::format("lesson{} {}", numbers.size() > 1 ? "s" : "", joined(numbers));
  };
  if (kept.empty()) return "";
  if (ours.empty()) return fmt::format("Uses what you wrote in {}.", lessons(learners));
  if (learners.empty()) return fmt::format("Uses our solution of {}.", lessons(ours));
  return fmt::format("Uses what you wrote in {}, and our solution of {}.", lessons(learners), lessons(ours));
}

}  // namespace headlight::course
