#include "class_page.h"

#include <fmt/core.h>

#include "class_page_style.h"
#include "class_tables.h"
#include "course/course_map.h"
#include "headlight/draw/page_policy.h"
#include "headlight/system/text.h"

namespace headlight::course {
namespace {

std::string number_of(const std::string& lesson) { return std::to_string(std::stoi(lesson)); }

std::string mistakes_html(const ClassSummary& summary) {
  if (summary.mistakes.empty()) return "<p>No student makes a known mistake.</p>\n";
  std::string out;
  for (const CommonMistake& each : summary.mistakes) {
    out += fmt::format(
        "<section class=\"mistake\"><p class=\"many\">{}<small> ×</small></p><div><p><b>{}</b> <span class=\"soft\">"
        "lesson {}, part {}</span></p><p>{}</p>\n",
        each.students.size(), escaped(each.known.name), number_of(each.lesson), each.part + 1,
        escaped(each.known.sentence));
    if (!each.line.empty())
      out += fmt::format("<p>As in <code>{}</code></p>\n", escaped(printable(each.line)));
    if (!each.known.read.empty())
      out += fmt::format("<p class=\"soft\">To repeat: lesson {}, “{}”</p>\n", number_of(each.lesson),
                         escaped(each.known.read));
    out += "</div></section>\n";
  }
  return out;
}

std::string parts_html(const GradedClass& graded, const ClassSummary& summary) {
  std::string out =
      "<div class=\"wide\"><table><thead><tr><th>part</th><th>solved</th><th></th><th>wrong</th><th>calls a wrong part</th><th>not written</th>"
      "<th>who is stuck</th></tr></thead>\n<tbody>\n";
  for (const PartCount& count : summary.parts) {
    std::string stuck;
    for (const std::string& name : count.stuck)
      stuck += (stuck.empty() ? "" : ", ") + escaped(printable(name));
    out += fmt::format(
        "<tr><td>{}.{} <code>{}</code></td><td class=\"number\">{}</td><td><progress max=\"{}\" "
        "value=\"{}\"></progress></td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}</td></tr>\n",
        number_of(count.lesson), count.part + 1, escaped(count.name), count.passed, graded.students.size(),
        count.passed, count.wrong, count.after_another, count.not_written, stuck);
  }
  return out + "</tbody></table></div>\n";
}

std::string signs_html(const GradedFile& file) {
  std::string out;
  for (const PartMark& part : file.marks.parts) {
    const char* kind = part.passed()                                         ? "yes"
                       : part.kind && part.kind != grader::Kind::not_written ? "no"
                                                                             : "none";
    out += fmt::format("<span class=\"{}\" title=\"{}: {}\">{}</span>", kind, escaped(part.name),
                       escaped(state_of(part)), sign_of(part));
  }
  return out;
}

std::string students_html(const GradedClass& graded) {
  std::string out = "<div class=\"wide\"><table><thead><tr><th>student</th>";
  for (const Lesson& lesson : graded.lessons)
    out += fmt::format("<th>{} {}</th>", lesson.typed(), escaped(lesson.title));
  out += "<th>marks</th><th></th></tr></thead>\n<tbody>\n";
  for (const GradedStudent& student : graded.students) {
    out += fmt::format("<tr><td>{}</td>", escaped(printable(student.name)));
    std::string problem = student.problem;
    for (const GradedFile& file : student.files) {
      out += fmt::format("<td class=\"signs\">{}</td>", signs_html(file));
      if (problem.empty() && file.problem != "missing") problem = file.problem;
    }
    out += fmt::format("<td class=\"number\">{}/{}</td><td class=\"soft\">{}</td></tr>\n", student.score(),
                       graded.most, escaped(printable(problem)));
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace

std::string class_page(const GradedClass& graded, const ClassSummary& summary, const std::string& title) {
  return fmt::format(
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
             "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n<h1>{}</h1>\n"
             "<p class=\"soft\">{} students</p>\n",
             draw::content_policy({.style = class_page_style}), escaped(title), class_page_style,
             escaped(title), graded.students.size()) +
         "<h2>Mistakes that the class makes</h2>\n" + mistakes_html(summary) + "<h2>The parts</h2>\n" +
         parts_html(graded, summary) + "<h2>The students</h2>\n" +
         "<p class=\"soft\">✓ solved, ✗ wrong, · not written, – not graded. A part that is solved earns its stars.</p>\n" +
         students_html(graded) + "</main>\n</body>\n</html>\n";
}

}  // namespace headlight::course
