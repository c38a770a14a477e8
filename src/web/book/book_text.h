// A lesson's Markdown as HTML for the book.
#pragma once

#include <filesystem>
#include <string>

#include "course/lessons.h"

namespace headlight::course {

// The math of a text on a forge, ```math … ``` and $`…`$, as $$…$$ and $…$; everything else as it is.
std::string with_plain_dollars(const std::string& markdown);

// The hints of hints.md, each folded: "div_vjp, hint 1".
std::string folded_hints(const std::string& hints);

// questions.md from its first heading of the second level on: what answers the questions of the text.
std::string answers_only(const std::string& questions);

// Markdown in the folder of a lesson as HTML: formulas as MathML, pictures inside it, links between the texts
// as "#lesson-03-2-matmul", and links to other files as their text. Every id begins with "lesson-03-". The
// comment "<!-- live: NAME -->" becomes an empty figure, which the book's script fills.
// Throws Error without pandoc, for a picture that is not there, and for an unknown NAME.
std::string html_of(const std::string& markdown, const std::filesystem::path& folder,
                    const std::string& id_prefix);

// C++ as HTML with its parts named by classes.
std::string highlighted(const std::string& code);

}  // namespace headlight::course
