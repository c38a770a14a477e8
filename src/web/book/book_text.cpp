#include "book_text.h"

#include "headlight/core/check.h"
#include "headlight/system/process.h"

namespace headlight::course {

std::string html_of(const std::filesystem::path& text, const std::string& id_prefix,
                    const std::filesystem::path& filter) {
  // With so many columns no line of a table is too long. Tables with longer ones would get widths in a style,
  // which the page's policy forbids.
  const Ended ended = run_process(
      {.words = {"pandoc", "--from=gfm+tex_math_dollars", "--to=html5", "--wrap=none", "--columns=100000",
                 "--id-prefix=" + id_prefix, "--lua-filter=" + filter.string(), text.string()}});
  check(ended.found, "the book needs pandoc, which makes MathML of formulas. Hint: apt-get install pandoc");
  check(ended.ok(), "pandoc could not read '{}': {}", text.string(), ended.errors);
  return ended.output;
}

}  // namespace headlight::course
