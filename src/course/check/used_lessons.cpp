#include "used_lessons.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

#include "headlight/core/check.h"
#include "headlight/system/files.h"
#include "headlight/system/text.h"

namespace headlight::course {
namespace {

namespace fs = std::filesystem;

// A function that kept.h declares.
struct Kept {
  std::string name, head, arguments;  // "attention", "Tensor attention(const Tensor& q, …)", "q, …"
};

std::vector<Kept> kept_by(const fs::path& lesson) {
  static const std::regex kFunction(R"((?:^|\n)(\w[\w:<>& ]* (\w+)\(([^()]*)\));)"),
      kName(R"((\w+) *(?:,|$))");
  std::vector<Kept> all;
  if (!fs::exists(lesson / "kept.h")) return all;
  const std::string text = read_file(lesson / "kept.h");
  for (std::sregex_iterator at(text.begin(), text.end(), kFunction), end; at != end; ++at) {
    std::vector<std::string> names;
    const std::string parameters = (*at)[3];
    for (std::sregex_iterator name(parameters.begin(), parameters.end(), kName); name != end; ++name)
      names.push_back((*name)[1]);
    all.push_back({(*at)[2], (*at)[1], fmt::format("{}", fmt::join(names, ", "))});
  }
  return all;
}

fs::path whole_file(const Places& places, const std::string& lesson) {
  return places.my / ".solved" / (lesson + ".cpp");
}
fs::path file_of_part(const Places& places, const std::string& lesson, const std::string& part) {
  return places.my / ".solved" / lesson / (part + ".cpp");
}

void write_if_new(const fs::path& file, const std::string& text) {
  if (fs::exists(file) && read_file(file) == text) return;
  fs::create_directories(file.parent_path());
  write_file(file, text);
}

// The lines "#include …" of a text.
std::string includes_of(const std::string& text) {
  std::string includes;
  for (const std::string& line : text_lines(text))
    if (line.starts_with("#include")) includes += line + "\n";
  return includes;
}

// A text of lesson 07_… in the namespace lesson_07. What it includes is included before, since a header does
// not belong into that namespace.
std::string in_namespace(const std::string& lesson, const std::string& text) {
  return fmt::format("#include \"{}/kept.h\"\n{}\nnamespace lesson_{} {{\n{}\n}}\n", lesson,
                     includes_of(text), lesson.substr(0, 2), text);
}

// The functions of a lesson that is solved in part. The file of each function has a namespace of its own,
// since two versions of one file have the same names.
std::string in_part(const std::vector<Kept>& kept, const std::vector<std::string>& files) {
  std::string functions;
  for (std::size_t i = 0; i < kept.size(); ++i)
    functions += fmt::format("\nnamespace has_{0} {{\n{1}\n}}\n{2} {{ return has_{0}::{0}({3}); }}\n",
                             kept[i].name, files[i], kept[i].head, kept[i].arguments);
  return functions;
}

// "lessons 5, 6 and 8"
std::string lessons_sentence(const std::vector<std::string>& numbers) {
  if (numbers.size() == 1) return "lesson " + numbers.back();
  return fmt::format("lessons {} and {}", fmt::join(numbers.begin(), numbers.end() - 1, ", "),
                     numbers.back());
}

}  // namespace

void store_solved(const Places& places, const Lesson& lesson, const std::vector<std::string>& solved,
                  std::size_t parts, const std::string& text) {
  if (solved.size() == parts) return write_if_new(whole_file(places, lesson.folder), text);
  for (const Kept& kept : kept_by(places.lessons / lesson.folder))
    if (std::ranges::find(solved, kept.name) != solved.end())
      write_if_new(file_of_part(places, lesson.folder, kept.name), text);
}

std::vector<UsedLesson> write_used(const Places& places, const std::vector<std::string>& lessons,
                                   bool learners) {
  std::vector<UsedLesson> all;
  for (const std::string& lesson : lessons) {
    const std::vector<Kept> kept = kept_by(places.lessons / lesson);
    const fs::path whole = whole_file(places, lesson);
    const fs::path ours = places.lessons / lesson / "solution.cpp";
    const bool is_text = fs::exists(ours);  // a class has our solutions compiled alone
    const bool has_whole = learners && fs::exists(whole);
    const std::string solution = is_text ? read_file(ours) : "";
    UsedLesson used{lesson, {}, {}};
    std::vector<std::string> files;
    for (const Kept& each : kept) {
      const fs::path part = file_of_part(places, lesson, each.name);
      const bool has_part = learners && (has_whole || (is_text && fs::exists(part)));
      (has_part ? used.learners : used.solutions).push_back(each.name);
      files.push_back(has_part && !has_whole ? read_file(part) : solution);
    }
    const bool in_whole = has_whole || used.learners.empty();
    const std::string text = has_whole ? read_file(whole) : in_whole ? solution : in_part(kept, files);
    // An empty file stands for our solution as it was compiled (grading.ninja).
    write_if_new(places.my / ".used" / (lesson + ".cpp"), text.empty() ? "" : in_namespace(lesson, text));
    all.push_back(std::move(used));
  }
  return all;
}

bool any_by_learner(const std::vector<UsedLesson>& used) {
  return std::ranges::any_of(used, [](const UsedLesson& each) { return !each.learners.empty(); });
}

std::string used_sentence(const std::vector<UsedLesson>& used) {
  std::vector<std::string> learners, solutions;
  std::string mixed;
  for (const UsedLesson& each : used) {
    const std::string number = std::to_string(std::stoi(each.folder));
    (each.learners.empty() ? solutions : learners).push_back(number);
    if (!each.learners.empty() && !each.solutions.empty())
      mixed +=
          fmt::format(" Of lesson {}, {} still our solution.", number,
                      each.solutions.size() == 1 ? each.solutions[0] + " is"
                                                 : fmt::format("{} are", fmt::join(each.solutions, " and ")));
  }
  if (used.empty()) return "";
  if (solutions.empty()) return fmt::format("Uses what you wrote in {}.", lessons_sentence(learners)) + mixed;
  if (learners.empty()) return fmt::format("Uses our solution of {}.", lessons_sentence(solutions));
  return fmt::format("Uses what you wrote in {}, and our solution of {}.", lessons_sentence(learners),
                     lessons_sentence(solutions)) +
         mixed;
}

}  // namespace headlight::course
