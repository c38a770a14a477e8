// A text of the lessons as HTML for the book.
#pragma once

#include <filesystem>
#include <string>

namespace headlight::course {

// A Markdown text of the lessons as HTML, made by pandoc with a filter, src/web/book/book.lua: formulas as
// MathML, pictures inside it, links between the texts as "#lesson-03-2-matmul", and links to other files as
// their text. Below a README.md the hints, the answers and the program of the lesson are folded. Every id
// begins with `id_prefix`, "lesson-03-". The comment "<!-- live: NAME -->" becomes an empty figure, which the
// book's figures/figures.js names and fills, what stands in "<!-- book: … -->" stands in the book alone, and
// each line "- guess | answer" of "<!-- guess …" becomes a fold. A formula that a text types, "√d_k", is set
// too.
// Throws Error without pandoc, for a file that is not there, and for an unknown NAME.
std::string html_of(const std::filesystem::path& text, const std::string& id_prefix,
                    const std::filesystem::path& filter);

}  // namespace headlight::course
