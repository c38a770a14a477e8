#include "course_page.h"

#include <fmt/core.h>

#include "course_map.h"
#include "course_page_style.h"
#include "headlight/draw/dark.h"
#include "headlight/draw/page_policy.h"
#include "headlight/system/files.h"
#include "headlight/system/text.h"

namespace headlight::course {
namespace {

namespace fs = std::filesystem;

// `code` and **bold** of Markdown, and links as their texts; the rest is plain.
std::string html_of(const std::string& markdown) {
  std::string out;
  bool code = false, bold = false;
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    if (markdown[i] == '`') {
      out += code ? "</code>" : "<code>";
      code = !code;
    } else if (!code && markdown.compare(i, 2, "**") == 0) {
      out += bold ? "</b>" : "<b>";
      bold = !bold;
      ++i;
    } else {
      out += escaped(markdown.substr(i, 1));
    }
  }
  return out;
}

std::string lesson_summary(const Lesson& lesson, const Learner& learner, const std::string& glossary) {
  std::string out = fmt::format("<section><h3><b>{}</b> {}</h3>\n<p>You can {}</p>\n", lesson.number,
                                escaped(lesson.title), html_of(lesson.promise));
  const std::vector<TaughtTerm> terms = terms_of(glossary, lesson);
  if (!terms.empty()) out += "<dl>\n";
  for (const TaughtTerm& term : terms)
    out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", html_of(term.name), html_of(term.meaning));
  if (!terms.empty()) out += "</dl>\n";
  std::string parts;
  for (const std::string& name : part_names(learner.places(), lesson))
    parts += (parts.empty() ? "" : ", ") + fmt::format("<code>{}</code>", escaped(name));
  if (!parts.empty()) out += "<p class=\"wrote\">To write: " + parts + "</p>\n";
  return out + "</section>\n";
}

std::string text_of(const fs::path& file) { return fs::exists(file) ? read_file(file) : ""; }

}  // namespace

std::string course_page(const Learner& learner) {
  const fs::path& lessons = learner.places().lessons;
  const std::string glossary = text_of(lessons / "glossary.md");
  const std::vector<CoursePart> parts = course_of(learner);
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<title>Headlight: the lessons</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n"
      "<h1>The lessons</h1>\n<p class=\"screen\">An arrow leads from a lesson to those that build on it. "
      "Printed, each part below is one sheet of A4.</p>\n<div class=\"map\">\n{}</div>\n",
      draw::content_policy({.style = course_page_style}), course_page_style,
      draw::without_dark_style(course_map(parts, roads_of(learner), learner.progress())));
  for (const CoursePart& part : parts) {
    page += fmt::format("<article class=\"part\">\n<h2>{}</h2>\n<div class=\"lessons\">\n",
                        escaped(part.title.empty() ? "Lessons" : part.title));
    for (const Lesson& lesson : part.lessons) page += lesson_summary(lesson, learner, glossary);
    page += "</div>\n</article>\n";
  }
  return page + "</main>\n</body>\n</html>\n";
}

}  // namespace headlight::course
