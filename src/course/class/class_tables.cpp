#include "class_tables.h"

#include <fmt/core.h>

#include <algorithm>

#include "course/check/exercise_files.h"
#include "headlight/system/text.h"

namespace headlight::course {
namespace {

std::string signs_of(const GradedFile& file) {
  std::string signs;
  for (const PartMark& part : file.marks.parts) signs += sign_of(part);
  return signs;
}

std::string cell(const std::string& text) {
  std::string quoted;
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  // A program for tables takes a cell that begins so for a formula.
  const bool formula = !text.empty() && std::string("=+-@\t").find(text[0]) != std::string::npos;
  return fmt::format("\"{}{}\"", formula ? "'" : "", quoted);
}

void add_wrapped(std::string& text, const std::string& words, std::size_t width, const std::string& indent) {
  for (const std::string& line : wrapped(words, width - indent.size())) text += indent + line + "\n";
}

std::string mistakes_text(const ClassSummary& summary, std::size_t width) {
  std::string text;
  for (const CommonMistake& each : summary.mistakes) {
    add_wrapped(text,
                fmt::format("{} ×  {}.{} {}. {}", each.students.size(), std::stoi(each.lesson), each.part + 1,
                            each.known.name, each.known.sentence),
                width, "  ");
    if (!each.line.empty()) text += "       " + cut_to(printable(each.line), width - 7) + "\n";
    if (!each.known.read.empty())
      add_wrapped(text, fmt::format("Read again: {}", each.known.read), width, "       ");
  }
  return text;
}

std::string stuck_text(const GradedClass& graded, const ClassSummary& summary, std::size_t width) {
  std::string text;
  for (const PartCount& count : summary.parts) {
    const std::size_t tried = count.passed + count.wrong + count.after_another + count.not_written;
    if (tried == 0 || 3 * count.passed >= 2 * tried) continue;
    std::string names;
    for (const std::string& name : count.stuck) names += (names.empty() ? " (" : ", ") + name;
    if (!names.empty()) names += ")";
    add_wrapped(
        text,
        fmt::format("{}.{} {}   {} of {} solved it; {} wrong{}; {} call a wrong part; {} not written",
                    std::stoi(count.lesson), count.part + 1, count.name, count.passed, graded.students.size(),
                    count.wrong, names, count.after_another, count.not_written),
        width, "  ");
  }
  return text;
}

}  // namespace

const char* sign_of(const PartMark& part) {
  if (!part.kind) return "–";
  if (part.passed()) return "✓";
  return part.kind == grader::Kind::not_written ? "·" : "✗";
}

std::string class_text(const GradedClass& graded, const ClassSummary& summary, std::size_t width) {
  std::size_t longest = 7;
  for (const GradedStudent& student : graded.students)
    longest = std::max(longest, std::min<std::size_t>(24, display_width(student.name)));
  std::string text = fitted("student", longest);
  std::vector<std::size_t> columns;
  for (const Lesson& lesson : graded.lessons) {
    const std::string head = "lesson " + lesson.typed();
    columns.push_back(std::max(head.size(), graded.students[0].files[columns.size()].marks.parts.size()));
    text += "  " + fitted(head, columns.back());
  }
  text += "  marks\n";
  for (const GradedStudent& student : graded.students) {
    text += fitted(cut_to(printable(student.name), longest), longest);
    std::string problem = student.problem;
    for (std::size_t k = 0; k < student.files.size(); ++k) {
      text += "  " + fitted(signs_of(student.files[k]), columns[k]);
      if (const std::string& why = student.files[k].problem;
          problem.empty() && !why.empty() && why != "missing")
        problem = why;
    }
    text += fmt::format("  {}/{}", student.score(), graded.most);
    if (!problem.empty()) text += "  " + cut_to(printable(problem), std::max<std::size_t>(width / 2, 30));
    text += "\n";
  }
  text += "\n✓ solved   ✗ wrong   · not written   – not graded\n";
  if (const std::string mistakes = mistakes_text(summary, width); !mistakes.empty())
    text += "\nMistakes that the class makes\n\n" + mistakes;
  if (const std::string stuck = stuck_text(graded, summary, width); !stuck.empty())
    text += "\nParts that more than a third have not solved\n\n" + stuck;
  return text;
}

std::string class_csv(const GradedClass& graded) {
  std::string csv = "name";
  for (const Lesson& lesson : graded.lessons) csv += "," + lesson.folder;
  csv += ",score,max_score";
  for (std::size_t k = 0; k < graded.lessons.size(); ++k)
    for (std::size_t i = 0; i < graded.students[0].files[k].marks.parts.size(); ++i)
      csv += fmt::format(",{}.{}", graded.lessons[k].typed(), i + 1);
  csv += ",problem\n";
  for (const GradedStudent& student : graded.students) {
    csv += cell(student.name);
    for (const GradedFile& file : student.files) csv += fmt::format(",{}", file.marks.score());
    csv += fmt::format(",{},{}", student.score(), graded.most);
    std::string problem = student.problem;
    for (const GradedFile& file : student.files) {
      for (const PartMark& part : file.marks.parts) csv += "," + cell(state_of(part));
      if (problem.empty() && file.problem != "missing") problem = file.problem;
    }
    csv += "," + cell(problem) + "\n";
  }
  return csv;
}

}  // namespace headlight::course
