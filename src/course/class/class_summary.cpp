#include "class_summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "headlight/system/files.h"
#include "headlight/system/text.h"

namespace headlight::course {
namespace {

// Without its comment, which may name its author, and without spaces at both ends.
std::string code_of(std::string line) {
  line.resize(std::min(line.size(), line.find("//")));
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line.substr(std::min(line.size(), line.find_first_not_of(" \t")));
}

// The lines of a part: from "// Part N " to the next.
std::vector<std::string> lines_of_part(const std::string& source, std::size_t part) {
  std::vector<std::string> lines;
  bool here = false;
  const std::string head = fmt::format("// Part {} ", part + 1);
  for (const std::string& line : text_lines(source)) {
    if (line.starts_with("// Part ")) here = line.starts_with(head);
    if (std::string code = code_of(line); here && !code.empty()) lines.push_back(std::move(code));
  }
  return lines;
}

std::set<std::string> lines_of_file(const std::filesystem::path& file) {
  std::set<std::string> lines;
  if (!std::filesystem::exists(file)) return lines;
  for (const std::string& line : text_lines(read_file(file))) lines.insert(code_of(line));
  return lines;
}

// Lines that are no mistake: of the solution, of the exercise as it was shipped, and of whoever solved the
// part.
std::set<std::string> right_lines(const GradedClass& graded, std::size_t k, std::size_t part,
                                  const std::filesystem::path& lesson) {
  std::set<std::string> right = lines_of_file(lesson / "solution.cpp");
  right.merge(lines_of_file(lesson / "exercise.cpp"));
  for (const GradedStudent& student : graded.students)
    if (student.files[k].marks.parts[part].passed())
      for (const std::string& line : lines_of_part(student.files[k].source, part)) right.insert(line);
  return right;
}

// The line that most of them have and that is not known to be right.
std::string typical_line(const std::vector<const GradedFile*>& files, std::size_t part,
                         const std::set<std::string>& known) {
  std::map<std::string, std::size_t> counts;
  for (const GradedFile* file : files) {
    std::set<std::string> own;
    for (const std::string& line : lines_of_part(file->source, part))
      if (!known.contains(line)) own.insert(line);
    for (const std::string& line : own) ++counts[line];
  }
  const auto most = std::ranges::max_element(
      counts, {}, [](const auto& each) { return std::pair(each.second, each.first.size()); });
  return most == counts.end() ? "" : most->first;
}

void count_part(const PartMark& mark, bool graded, const std::string& student, PartCount& count) {
  if (!graded)
    ++count.not_graded;
  else if (mark.passed())
    ++count.passed;
  else if (!mark.kind || mark.kind == grader::Kind::not_written)
    ++count.not_written;
  else if (mark.after)
    ++count.after_another;
  else
    ++count.wrong, count.stuck.push_back(student);
}

}  // namespace

ClassSummary summary_of(const GradedClass& graded, const std::filesystem::path& lessons) {
  ClassSummary summary;
  for (std::size_t k = 0; k < graded.lessons.size(); ++k) {
    const std::string& lesson = graded.lessons[k].folder;
    const std::size_t parts = graded.students.empty() ? 0 : graded.students[0].files[k].marks.parts.size();
    for (std::size_t i = 0; i < parts; ++i) {
      PartCount count{lesson, graded.students[0].files[k].marks.parts[i].name, i, 0, 0, 0, 0, 0, {}};
      std::map<std::string, CommonMistake> by_name;
      std::map<std::string, std::vector<const GradedFile*>> files;
      for (const GradedStudent& student : graded.students) {
        const GradedFile& file = student.files[k];
        const PartMark& mark = file.marks.parts[i];
        count_part(mark, file.problem.empty(), student.name, count);
        if (!mark.mistake) continue;
        CommonMistake& common = by_name[mark.mistake->name];
        common.known = *mark.mistake;
        common.lesson = lesson;
        common.part = i;
        common.students.push_back(student.name);
        files[mark.mistake->name].push_back(&file);
      }
      summary.parts.push_back(std::move(count));
      for (auto& [name, common] : by_name) {
        common.line = typical_line(files[name], i, right_lines(graded, k, i, lessons / lesson));
        summary.mistakes.push_back(std::move(common));
      }
    }
  }
  std::ranges::sort(summary.mistakes, {}, [](const CommonMistake& each) {
    return std::tuple(-static_cast<long>(each.students.size()), each.lesson, each.part, each.known.name);
  });
  return summary;
}

std::string state_of(const PartMark& part) {
  if (!part.kind) return "not graded";
  if (part.after) return fmt::format("calls part {}", *part.after + 1);
  return part.mistake ? part.mistake->name : grader::word_of(*part.kind);
}

}  // namespace headlight::course
