// The lessons' texts on their way into the book.
#include "book/book_text.h"

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/system/process.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::course;

TEST_CASE("math of a forge becomes plain dollars, and code stays as it is", "[course]") {
  CHECK(with_plain_dollars("a $`x_{i}`$ b $`y`$\n```math\n\\frac{a}{b}\n```\n```cpp\n$`x`$\n```\n") ==
        "a $x_{i}$ b $y$\n$$\n\\frac{a}{b}\n$$\n```cpp\n$`x`$\n```\n");
}

TEST_CASE("hints are folded one by one", "[course]") {
  CHECK(folded_hints("# Hints\n\n## one\n\n1. First\n   goes on.\n2. Second.\n\n## two\n\n1. Other.\n") ==
        "<details><summary><code>one</code>, hint 1</summary>\n\nFirst\ngoes on.\n\n</details>\n\n"
        "<details><summary><code>one</code>, hint 2</summary>\n\nSecond.\n\n\n</details>\n\n"
        "<details><summary><code>two</code>, hint 1</summary>\n\nOther.\n\n</details>\n\n");
}

TEST_CASE("answers begin at the first heading of questions.md", "[course]") {
  CHECK(answers_only("# Three questions\n\n1. Why?\n\n## Answers\n\n**1.** So.\n") ==
        "## Answers\n\n**1.** So.\n");
  CHECK(answers_only("# Nothing\n").empty());
}

TEST_CASE("a text becomes HTML with its formulas, pictures and links inside the book", "[course]") {
  if (!run_process({.words = {"pandoc", "--version"}}).found) return;  // the script installs it for the book
  const TemporaryFolder folder;
  write_file(folder.path() / "one.svg", "<svg/>");
  const std::string html = html_of(
      "# A\n\n## 2. Two parts\n\n$`\\bar x`$ ![a picture](one.svg) "
      "[L](../03_reverse_mode/README.md#4-softmax) "
      "[A](questions.md) [H](#2-two-parts) [S](../../src/a.cpp) [P](lesson.cpp) [G](../glossary.md)\n",
      folder.path(), "lesson-07-");
  CHECK_THAT(html, Catch::Matchers::ContainsSubstring("id=\"lesson-07-2-two-parts\""));
  CHECK_THAT(html, Catch::Matchers::ContainsSubstring("<mover><mi>x</mi>"));
  CHECK_THAT(html, !Catch::Matchers::ContainsSubstring("<annotation"));
  CHECK_THAT(html, Catch::Matchers::ContainsSubstring(
                       "<img src=\"data:image/svg+xml;base64,PHN2Zy8+\" alt=\"a picture\""));
  for (const char* place :
       {"lesson-03-4-softmax", "lesson-07-answers", "lesson-07-2-two-parts", "lesson-07-code", "glossary"})
    CHECK_THAT(html, Catch::Matchers::ContainsSubstring("<a href=\"#" + std::string(place) + "\">"));
  CHECK_THAT(html, Catch::Matchers::ContainsSubstring("<span title=\"../../src/a.cpp\">S</span>"));
  CHECK_THAT(html_of("$(a)$", folder.path(), ""), !Catch::Matchers::ContainsSubstring("stretchy=\"true\""));
  CHECK_THAT(html_of("$\\left(a\\right)$", folder.path(), ""),
             Catch::Matchers::ContainsSubstring("stretchy=\"true\""));
  CHECK_THAT(highlighted("const int x = 1;\n"),
             Catch::Matchers::ContainsSubstring("<span class=\"dv\">1</span>"));
}

TEST_CASE("a comment in a lesson's text becomes the place of a live figure", "[course]") {
  if (!run_process({.words = {"pandoc", "--version"}}).found) return;
  const TemporaryFolder folder;
  CHECK_THAT(html_of("Above.\n<!-- live: scale -->\n\nBelow.\n", folder.path(), ""),
             Catch::Matchers::ContainsSubstring(
                 "<p>Above.</p>\n<figure class=\"live\" data-live=\"scale\"></figure>\n"));
  CHECK_THAT(html_of("<!-- live: lab-heads -->\n", folder.path(), "lesson-13-"),
             Catch::Matchers::ContainsSubstring("<a href=\"lab.html#lab\">"));
  CHECK_THROWS_WITH(html_of("<!-- live: scales -->\n", folder.path(), ""),
                    Catch::Matchers::ContainsSubstring("the book has no live figure 'scales'"));
}
