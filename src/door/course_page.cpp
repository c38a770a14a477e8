#include "course_page.h"

#include <fmt/core.h>

#include "course_map.h"
#include "headlight/core/files.h"
#include "headlight/core/text.h"

namespace headlight::inline HEADLIGHT_PRECISION::door {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStyle = R"(
:root { color-scheme: light; }
body { font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; color: #1d1d28;
  background: #fff; margin: 0 auto; max-width: 76rem; padding: 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin: 0 0 .3rem; }
.map { overflow-x: auto; } .map svg { max-width: 100%; min-width: 44rem; height: auto; }
.part { border-top: 2px solid #b35400; padding-top: 1rem; margin-top: 2.5rem; }
.lessons { columns: 2; column-gap: 2rem; }
h3 { font-size: 1rem; margin: .9rem 0 .2rem; break-after: avoid; } .lessons section:first-child h3 { margin-top: 0; }
h3 b { color: #b35400; } p { margin: .2rem 0; }
dl { margin: .2rem 0; font-size: .86rem; } dl div { break-inside: avoid; }
dt { display: inline; font-weight: 600; } dt::after { content: ": "; } dd { display: inline; margin: 0; }
.wrote { font-size: .86rem; color: #414a58; } code { font-family: ui-monospace, Menlo, Consolas, monospace; }
@media (max-width: 45rem) { .lessons { columns: 1; } }
@page { size: A4; margin: 11mm; }
@media print {
  body { max-width: none; padding: 0; font-size: 8.4pt; line-height: 1.28; }
  .screen { display: none; }
  .part { break-before: page; border: 0; margin: 0; padding: 0; }
  .map { break-after: avoid; overflow: visible; } .map svg { min-width: 0; }
  .lessons { columns: 2; column-gap: 6mm; } h2 { font-size: 13pt; } h3 { font-size: 9.4pt; margin: .5rem 0 .1rem; }
  dl, .wrote { font-size: 7.7pt; margin: .1rem 0; }
})";

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

// The names of the exercise's parts, from its lines "// Part 1 ★★  attention".
std::vector<std::string> exercise_parts(const fs::path& exercise) {
  std::vector<std::string> names;
  if (!fs::exists(exercise)) return names;
  for (const std::string& line : text_lines(read_file(exercise)))
    if (line.starts_with("// Part ")) names.push_back(line.substr(line.rfind(' ') + 1));
  return names;
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
  for (const std::string& name : exercise_parts(learner.places().lessons / lesson.folder / "exercise.cpp"))
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
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n"
      "<title>Headlight: the lessons</title>\n<style>{}\n</style>\n</head>\n<body>\n<main>\n"
      "<h1>The lessons</h1>\n<p class=\"screen\">An arrow leads from a lesson to those that build on it. "
      "Printed, each part below is one sheet of A4.</p>\n<div class=\"map\">\n{}</div>\n",
      kStyle, course_map(parts, learner.progress()));
  for (const CoursePart& part : parts) {
    page += fmt::format("<article class=\"part\">\n<h2>{}</h2>\n<div class=\"lessons\">\n",
                        escaped(part.title.empty() ? "Lessons" : part.title));
    for (const Lesson& lesson : part.lessons) page += lesson_summary(lesson, learner, glossary);
    page += "</div>\n</article>\n";
  }
  return page + "</main>\n</body>\n</html>\n";
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::door
