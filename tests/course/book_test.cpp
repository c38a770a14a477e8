// The lessons' texts on their way into the book.
#include "book/book_text.h"

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/system/process.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::course;
using Catch::Matchers::ContainsSubstring;

namespace {

// The texts of a lesson 7.
struct Texts {
  TemporaryFolder folder;

  std::string html(const std::string& name, const std::string& markdown) const {
    write_file(folder.path() / name, markdown);
    return html_of(folder.path() / name, "lesson-07-", HEADLIGHT_SOURCE_DIR "/src/web/book/book.lua");
  }
};

bool has_pandoc() { return run_process({.words = {"pandoc", "--version"}}).found; }  // the book installs it

}  // namespace

TEST_CASE("math of a forge becomes MathML, and code stays as it is", "[course]") {
  if (!has_pandoc()) return;
  const Texts texts;
  const std::string html =
      texts.html("text.md", "a $`\\bar x`$ b $y$\n```math\n\\frac{a}{b}\n```\n```cpp\n$`x`$ = 1;\n```\n");
  CHECK_THAT(html, ContainsSubstring("<mover><mi>x</mi>"));
  CHECK_THAT(html, ContainsSubstring("<mfrac><mi>a</mi><mi>b</mi></mfrac>"));
  CHECK_THAT(html, !ContainsSubstring("<annotation"));
  CHECK_THAT(html, ContainsSubstring("<div class=\"sourceCode\"><pre"));
  CHECK_THAT(html, ContainsSubstring("<span class=\"er\">$`</span>x<span class=\"er\">`$</span>"));
  CHECK_THAT(texts.html("text.md", "$(a)$"), !ContainsSubstring("stretchy=\"true\""));
  CHECK_THAT(texts.html("text.md", "$\\left(a\\right)$"), ContainsSubstring("stretchy=\"true\""));
}

TEST_CASE("a formula that a text types is set, and every other word stays", "[course]") {
  if (!has_pandoc()) return;
  const Texts texts;
  const std::string html = texts.html(
      "text.md",
      "By √d_k, \"1/√d_head\" (n²·d + 2) x̄ QKᵀ. A 2·3, e.g. keep_dims and `d_k`, is a−b; n_steps.\n");
  for (const char* typed : {"√d_k", "1/√d_head", "n²·d + 2", "x̄", "QKᵀ"})
    CHECK_THAT(html, ContainsSubstring("alttext=\"" + std::string(typed) + "\""));
  CHECK_THAT(html, ContainsSubstring("<msqrt><msub><mi>d</mi><mi>head</mi></msub></msqrt>"));
  CHECK_THAT(html,
             ContainsSubstring("<msup><mi>n</mi><mn>2</mn></msup><mo>⋅</mo><mi>d</mi><mo>+</mo><mn>2</mn>"));
  CHECK_THAT(html,
             ContainsSubstring("</math>. A 2·3, e.g. keep_dims and <code>d_k</code>, is a−b; n_steps."));
  CHECK_THAT(texts.html("text.md", "![the d_k of x²](a.png)\n"), ContainsSubstring("alt=\"the d_k of x²\""));
}

TEST_CASE("the guesses at the question before a text are folds, of which one is open", "[course]") {
  if (!has_pandoc()) return;
  const Texts texts;
  const std::string html = texts.html(
      "text.md", "Why?\n\n<!-- guess\n- Yes | See [2](#2-two).\n- No | Right, $x$.\n-->\n\n## 2. Two\n");
  CHECK_THAT(html, ContainsSubstring("<details name=\"lesson-07-guess\"><summary>Yes</summary>\n<p>See <a"));
  CHECK_THAT(html, ContainsSubstring("<summary>No</summary>\n<p>Right, <math"));
}

TEST_CASE("hints, answers and program are folded below a lesson's text", "[course]") {
  if (!has_pandoc()) return;
  const Texts texts;
  write_file(texts.folder.path() / "hints.md",
             "# Hints\n\n## one\n\n1. First\n   goes on.\n2. Second.\n\n## two\n\n1. Other.\n");
  write_file(texts.folder.path() / "questions.md",
             "# Questions\n\nWhy? See [below](#answers).\n\n## Answers\n\nSo.\n");
  write_file(texts.folder.path() / "lesson.cpp", "int main() {}\n");
  const std::string html = texts.html("README.md", "# Title\n");
  CHECK_THAT(html, ContainsSubstring("id=\"lesson-07-hints\"><summary>Hints for the exercise</summary>\n"
                                     "<details><summary><code>one</code>, hint 1</summary>\n"
                                     "<p>First goes on.</p>\n</details>\n"
                                     "<details><summary><code>one</code>, hint 2</summary>\n"
                                     "<p>Second.</p>\n</details>\n"
                                     "<details><summary><code>two</code>, hint 1</summary>\n"
                                     "<p>Other.</p>\n</details>\n</details>\n"));
  CHECK_THAT(html, ContainsSubstring("id=\"lesson-07-answers\"><summary>Answers</summary>\n"
                                     "<h2 id=\"lesson-07-answers-answers\">Answers</h2>\n<p>So.</p>\n"));
  CHECK_THAT(html, ContainsSubstring("id=\"lesson-07-code\"><summary>The program: lesson.cpp</summary>"));
  CHECK_THAT(texts.html("other.md", "# Title\n"), !ContainsSubstring("<details"));
}

TEST_CASE("pictures and links of a text are inside the book", "[course]") {
  if (!has_pandoc()) return;
  const Texts texts;
  write_file(texts.folder.path() / "one.svg",
             "<svg><rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n</svg>");
  const std::string html = texts.html(
      "text.md",
      "## 2. Two parts\n\n![a picture](one.svg) [L](../03_reverse_mode/README.md#4-softmax) "
      "[A](questions.md) [H](#2-two-parts) [S](../../src/a.cpp) [P](lesson.cpp) [G](../glossary.md)\n");
  CHECK_THAT(html, ContainsSubstring("id=\"lesson-07-2-two-parts\""));
  CHECK_THAT(html,
             ContainsSubstring("<img src=\"data:image/svg+xml,%3Csvg%3E%3C/svg%3E\" alt=\"a picture\""));
  for (const char* place :
       {"lesson-03-4-softmax", "lesson-07-answers", "lesson-07-2-two-parts", "lesson-07-code", "glossary"})
    CHECK_THAT(html, ContainsSubstring("<a href=\"#" + std::string(place) + "\">"));
  CHECK_THAT(html, ContainsSubstring("<span title=\"../../src/a.cpp\">S</span>"));
  CHECK_THROWS_WITH(texts.html("text.md", "![](two.svg)"), ContainsSubstring("two.svg: No such file"));
}

TEST_CASE("comments in a text become live figures and words of the book", "[course]") {
  if (!has_pandoc()) return;
  const Texts texts;
  CHECK_THAT(texts.html("text.md", "Above.\n<!-- live: scale -->\n\nBelow.\n"),
             ContainsSubstring(
                 "<p>Above.</p>\n<figure class=\"live\" data-live=\"scale\"></figure>\n<p>Below.</p>"));
  CHECK_THAT(texts.html("text.md", "<!-- book: In the lab:\n[a](lab.html#lab) -->\n"),
             ContainsSubstring("<div class=\"lab\">\n<p>In the lab: <a href=\"lab.html#lab\">a</a></p>"));
  for (const char* no_figure : {"scales", "search"})  // search.js is no figure
    CHECK_THROWS_WITH(texts.html("text.md", fmt::format("<!-- live: {} -->\n", no_figure)),
                      ContainsSubstring(fmt::format("the book has no live figure '{}'", no_figure)));
}
