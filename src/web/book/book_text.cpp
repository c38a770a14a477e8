#include "book_text.h"

#include <fmt/core.h>

#include <regex>
#include <set>

#include "headlight/core/check.h"
#include "headlight/system/base64.h"
#include "headlight/system/files.h"
#include "headlight/system/process.h"
#include "headlight/system/text.h"

namespace headlight::course {
namespace {

namespace fs = std::filesystem;

// With every match replaced by what `make` returns of it.
template <class Make>
std::string replaced(const std::string& text, const std::regex& pattern, const Make& make) {
  std::string out;
  auto rest = text.cbegin();
  for (auto it = std::sregex_iterator(text.begin(), text.end(), pattern); it != std::sregex_iterator();
       ++it) {
    out.append(rest, text.cbegin() + it->position());
    out += make(*it);
    rest = text.cbegin() + it->position() + it->length();
  }
  return out.append(rest, text.cend());
}

// With so many columns no line of a table is too long. Tables with longer ones would get widths in a style,
// which the page's policy forbids. Lines of code come without links to themselves.
std::string pandoc(const std::string& markdown, const std::string& id_prefix) {
  static const std::regex kLineAnchor("<a href=\"#[^\"]*\" aria-hidden=\"true\" tabindex=\"-1\"></a>");
  const Ended ended =
      run_process({.words = {"pandoc", "--from=gfm+tex_math_dollars", "--to=html5", "--mathml", "--wrap=none",
                             "--columns=100000", "--id-prefix=" + id_prefix},
                   .input = markdown});
  check(ended.found, "the book needs pandoc, which makes MathML of formulas. Hint: apt-get install pandoc");
  check(ended.ok(), "pandoc could not read a text of the lessons: {}", ended.errors);
  return std::regex_replace(ended.output, kLineAnchor, "");
}

// Where a link of a text leads in the book: "../03_reverse_mode/README.md#2-matmul" to "lesson-03-2-matmul".
// Empty for a file that is not in the book.
std::string place_in_book(const std::string& link, const std::string& id_prefix) {
  static const std::regex kLesson("(?:\\.\\./)?([0-9][0-9])_[a-z_]+/README\\.md(?:#(.*))?"),
      kAnswers("questions\\.md(?:#(.*))?"), kCode("lesson\\.cpp"), kHints("hints\\.md"),
      kGlossary("(?:\\.\\./)?glossary\\.md(?:#.*)?");
  std::smatch found;
  if (std::regex_match(link, found, kLesson))
    return "lesson-" + found[1].str() + (found[2].matched ? "-" + found[2].str() : "");
  if (std::regex_match(link, found, kAnswers))
    return id_prefix + "answers" + (found[1].matched && found[1] != "answers" ? "-" + found[1].str() : "");
  if (std::regex_match(link, kCode)) return id_prefix + "code";
  if (std::regex_match(link, kHints)) return id_prefix + "hints";
  if (std::regex_match(link, kGlossary)) return "glossary";
  return "";
}

std::string with_links(const std::string& html, const std::string& id_prefix) {
  static const std::regex kLink("<a href=\"([^\"]*)\"[^>]*>([\\s\\S]*?)</a>");
  return replaced(html, kLink, [&](const std::smatch& link) {
    const std::string to = link[1].str();
    if (to.starts_with('#')) return fmt::format("<a href=\"{}\">{}</a>", to, link[2].str());
    const std::string place = place_in_book(to, id_prefix);
    if (place.empty()) return fmt::format("<span title=\"{}\">{}</span>", to, link[2].str());
    return fmt::format("<a href=\"#{}\">{}</a>", place, link[2].str());
  });
}

// As data of an <img>, so that a picture keeps its own style for dark pages.
std::string with_pictures(const std::string& html, const fs::path& folder) {
  static const std::regex kPicture("<img src=\"([^\"]*\\.svg)\"");
  return replaced(html, kPicture, [&](const std::smatch& picture) {
    return "<img src=\"data:image/svg+xml;base64," + base64(read_file(folder / picture[1].str())) + "\"";
  });
}

// A sentence with a link to the page of `./headlight lab`, which lies beside the book.
std::string in_laboratory(const std::string& place, const std::string& does, const std::string& then) {
  return fmt::format(
      "<p class=\"lab\">In the laboratory: <a href=\"lab.html{}\">{}</a>{} (<code>./headlight "
      "lab</code> must have written <code>lab.html</code> beside this book.)</p>",
      place, does, then);
}

// What takes the place of "<!-- live: scale -->". Each figure is filled by the script of its name in book/.
std::string live(const std::string& name) {
  static const std::set<std::string> kFigures{"forming",   "graph",    "heads",  "mask",
                                              "norms",     "patching", "paths",  "scale",
                                              "sharpness", "strides",  "weights"};
  if (name == "lab-forming")
    return in_laboratory("#lab&amp;played=new:model.n_layers%3D2;step:300",
                         "train a new model of two layers to step 300", ", and watch the stripe form.");
  if (name == "lab-heads")
    return in_laboratory("#lab", "switch off a head yourself",
                         ": switch off L0H1 there, and watch the stripe of L1H0 go.");
  check(kFigures.contains(name),
        "the book has no live figure '{}'. Hint: give it a script in src/web/book/book, and name it in "
        "book_text.cpp",
        name);
  return fmt::format("<figure class=\"live\" data-live=\"{}\"></figure>", name);
}

std::string with_live_figures(const std::string& html) {
  static const std::regex kLive("<!-- live: (.*?) -->");
  return replaced(html, kLive, [](const std::smatch& comment) { return live(comment[1].str()); });
}

// pandoc lets every bracket grow with what stands between; in TeX only those of \left and \right do.
std::string with_plain_brackets(std::string html) {
  constexpr std::string_view kGrows = "stretchy=\"true\"", kStays = "stretchy=\"false\"";
  for (std::size_t begin = 0; (begin = html.find("<math", begin)) != std::string::npos;) {
    std::size_t end = html.find("</math>", begin);
    if (html.substr(begin, end - begin).find("\\left") == std::string::npos)
      for (std::size_t at = begin; (at = html.find(kGrows, at)) < end; ++end)
        html.replace(at, kGrows.size(), kStays);
    begin = end;
  }
  return html;
}

}  // namespace

std::string with_plain_dollars(const std::string& markdown) {
  static const std::regex kInline("\\$`([^`]*)`\\$");
  std::string out;
  bool code = false, math = false;
  for (const std::string& line : text_lines(markdown)) {
    if (line == "```math") {
      math = true;
      out += "$$\n";
    } else if (math && line == "```") {
      math = false;
      out += "$$\n";
    } else {
      if (line.starts_with("```")) code = !code;
      out += (code ? line : std::regex_replace(line, kInline, "$$$1$$")) + "\n";
    }
  }
  return out;
}

std::string folded_hints(const std::string& hints) {
  std::string out, part, hint;
  std::size_t number = 0;
  const auto close = [&] {
    if (!hint.empty())
      out += fmt::format("<details><summary><code>{}</code>, hint {}</summary>\n\n{}\n</details>\n\n", part,
                         number, hint);
    hint.clear();
  };
  for (const std::string& line : text_lines(hints)) {
    const std::size_t dot = line.find(". ");
    if (line.starts_with("## ")) {
      close();
      part = line.substr(3);
      number = 0;
    } else if (!part.empty() && !line.empty() && line.front() >= '1' && line.front() <= '9' && dot < 3) {
      close();
      ++number;
      hint = line.substr(dot + 2) + "\n";
    } else if (!hint.empty()) {
      hint += (line.starts_with("   ") ? line.substr(3) : line) + "\n";
    }
  }
  close();
  return out;
}

std::string answers_only(const std::string& questions) {
  const std::size_t begin = questions.find("\n## ");
  return begin == std::string::npos ? "" : questions.substr(begin + 1);
}

std::string html_of(const std::string& markdown, const fs::path& folder, const std::string& id_prefix) {
  static const std::regex kAnnotation("<annotation encoding=\"application/x-tex\">[\\s\\S]*?</annotation>");
  const std::string html = std::regex_replace(
      with_plain_brackets(pandoc(with_plain_dollars(markdown), id_prefix)), kAnnotation, "");
  return with_live_figures(with_pictures(with_links(html, id_prefix), folder));
}

std::string highlighted(const std::string& code) {
  static const std::regex kId(" id=\"[^\"]*\"");
  return std::regex_replace(pandoc("```cpp\n" + code + "```\n", ""), kId, "");
}

}  // namespace headlight::course
