#include "book.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "book_parts.h"
#include "book_text.h"
#include "course/course_map.h"
#include "headlight/core/numbers.h"
#include "headlight/core/thread_pool.h"
#include "headlight/draw/color.h"
#include "headlight/draw/dark.h"
#include "headlight/draw/page_policy.h"
#include "headlight/system/files.h"

namespace headlight::course {
namespace {

namespace fs = std::filesystem;

std::string id_of(const Lesson& lesson) { return "lesson-" + lesson.number; }

// What pandoc made of the texts.
struct Texts {
  std::vector<std::string> lessons;
  std::string one_file, glossary;
};

// Each is made by a process of its own, and as many at once as there are cores.
Texts texts_of(const std::vector<Lesson>& lessons, const fs::path& folder) {
  const fs::path filter =
      folder.parent_path() / "src/web/book/book.lua";  // in the source tree, as the lessons
  Texts texts{std::vector<std::string>(lessons.size()), {}, {}};
  ThreadPool pool(0);
  pool.run(lessons.size() + 2, [&](std::size_t i) {
    if (i < lessons.size())
      texts.lessons[i] = html_of(folder / lessons[i].folder / "README.md", id_of(lessons[i]) + "-", filter);
    else if (i == lessons.size())
      texts.one_file = html_of(folder / "all_of_it/README.md", "all-of-it-", filter);
    else
      texts.glossary = html_of(folder / "glossary.md", "glossary-", filter);
  });
  return texts;
}

// What was solved when the book was made.
std::string mark_of(const Lesson& lesson, const Progress& progress) {
  const std::string mark = progress.of(lesson.folder).mark();
  return mark.empty() ? "" : fmt::format(" <span class=\"solved\">{}</span>", mark);
}

std::string contents(const std::vector<CoursePart>& parts, const Progress& progress) {
  std::string out =
      "<nav id=\"contents\" aria-label=\"Contents\">\n<p><a href=\"#start\">The book</a></p>\n"
      "<p><a href=\"#all-of-it\">All of it in one file</a></p>\n";
  for (const CoursePart& part : parts) {
    out += fmt::format("<h2>{}</h2>\n<ol>\n", escaped(part.title.empty() ? "Lessons" : part.title));
    for (const Lesson& lesson : part.lessons)
      out += fmt::format("<li value=\"{}\"><a href=\"#{}\">{}</a>{}</li>\n",
                         number_from_text<int>(lesson.number), id_of(lesson), escaped(lesson.title),
                         mark_of(lesson, progress));
    out += "</ol>\n";
  }
  return out + "<p><a href=\"#glossary\">Glossary</a></p>\n</nav>\n";
}

// The links below a chapter.
std::string turn(const std::vector<Lesson>& lessons, std::size_t i) {
  const auto link = [&](std::size_t to, const char* before, const char* after) {
    return fmt::format("<a href=\"#{}\">{}{}{}</a>", id_of(lessons[to]), before, escaped(lessons[to].title),
                       after);
  };
  return "<p class=\"turn\">" +
         (i > 0 ? link(i - 1, "← ", "") : "<a href=\"#all-of-it\">← All of it in one file</a>") +
         (i + 1 < lessons.size() ? link(i + 1, "", " →") : "<a href=\"#glossary\">Glossary →</a>") + "</p>\n";
}

// [[name, meaning, "lesson-03", whether it has an everyday meaning too], …] for the page's script.
std::string terms_json(const std::string& glossary, const std::vector<Lesson>& lessons) {
  nlohmann::json terms = nlohmann::json::array();
  for (const Lesson& lesson : lessons)
    for (const TaughtTerm& term : terms_of(glossary, lesson))
      terms.push_back({term.name, term.meaning, id_of(lesson), term.everyday});
  std::string text = terms.dump(-1, ' ', true);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return text;
}

constexpr const char* kStart = R"(<h1>Headlight: the book</h1>
<p>The lessons lead from a row of numbers to a network in which an induction head forms, and to the tests of what
this head does. Each lesson has an exercise that is graded, and that names your mistake:</p>
<pre><code>./headlight start 2  # copies it into my/
./headlight watch    # grades it at each save</code></pre>
<p>You need not read everything. Lesson 2 needs nothing before it: for backpropagation, begin there. These are the
roads:</p>
)";

constexpr const char* kSolving =
    R"(<p>With nothing installed you can solve the exercises in this page: below the
text of each exercise stands a box for it. <a href="#lesson-02-the-exercise">The one of lesson 2</a> is a first one.</p>
)";

constexpr const char* kReading = R"(<p>An arrow in the map leads from a lesson to those that build on it. A
<span class="term">term</span> that is underlined shows its meaning when you press it. The marks in the contents say
what was solved when this book was made.</p>
)";

std::string road_list(const std::vector<Road>& roads, const std::vector<Lesson>& lessons) {
  std::string out = "<ul class=\"roads\">\n";
  for (const Road& road : roads) {
    std::string links;
    for (const Lesson& lesson : road.lessons)
      links += fmt::format("{}<a href=\"#{}\" title=\"{}\">{}</a>", links.empty() ? "" : ", ", id_of(lesson),
                           escaped(lesson.title), number_from_text<int>(lesson.number));
    out += fmt::format("<li><b>{}</b>: {} ({})</li>\n", escaped(road.name), links, time_of(road));
  }
  const Road everything{"", lessons};
  return out + fmt::format("<li><b>Everything</b>, in order ({})</li>\n</ul>\n", time_of(everything));
}

std::string head(bool with_engine, bool solve, const std::string& nav) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>Headlight: the book</title>\n<style>{}</style>\n</head>\n"
      "<body>\n<header><a href=\"#start\">Headlight: the book</a>\n"
      "<button type=\"button\" id=\"open-contents\" aria-expanded=\"false\" "
      "aria-controls=\"contents\">Contents"
      "</button>\n<label>Search <input id=\"search\" type=\"search\" autocomplete=\"off\"></label></header>\n"
      "{}<main data-heat=\"{}\" data-unseen=\"{}\">\n<section id=\"found\" hidden aria-live=\"polite\"></section>\n",
      draw::content_policy({.style = book_style,
                            .script = book_script,
                            .images = "data:",
                            .engine = with_engine,
                            .beside = solve}),
      book_style, nav, fmt::join(draw::heat_colors(), ","), hex(draw::kUnseen));
}

}  // namespace

std::string book(const Learner& learner, const std::string& engine, bool solve) {
  const fs::path& folder = learner.places().lessons;
  const std::vector<Lesson>& lessons = learner.lessons();
  const std::vector<CoursePart> parts = course_of(learner);
  const Texts texts = texts_of(lessons, folder);
  std::string page = head(!engine.empty(), solve, contents(parts, learner.progress()));
  page += fmt::format(
      "<article id=\"start\">\n{}{}{}{}<div class=\"map\">{}</div>\n<p class=\"turn\"><span></span>"
      "<a href=\"#all-of-it\">All of it in one file →</a></p></article>\n"
      "<article id=\"all-of-it\">\n{}<p class=\"turn\"><a href=\"#start\">← The book</a>"
      "<a href=\"#{}\">{} →</a></p></article>\n",
      kStart, solve ? kSolving : "", road_list(roads_of(learner), lessons), kReading,
      draw::without_dark_style(course_map(parts, roads_of(learner), learner.progress())), texts.one_file,
      id_of(lessons.front()), escaped(lessons.front().title));
  for (std::size_t i = 0; i < lessons.size(); ++i)
    page += fmt::format("<article id=\"{}\">\n{}{}</article>\n", id_of(lessons[i]), texts.lessons[i],
                        turn(lessons, i));
  page += fmt::format("<article id=\"glossary\">\n{}</article>\n</main>\n", texts.glossary);
  page += fmt::format(
      "<div id=\"meaning\" role=\"note\" hidden></div>\n"
      "<script type=\"application/json\" id=\"terms\">{}</script>\n{}<script>{}</script>\n{}</body>\n</html>\n",
      terms_json(read_file(folder / "glossary.md"), lessons), draw::engine_element(engine), book_script,
      solve ? "<script type=\"module\" src=\"solve/box.js\"></script>\n" : "");
  return page;
}

}  // namespace headlight::course
