// The words that Headlight uses, each with its definition. The page, the terminal and docs/glossary.md read
// this table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight::page {

struct Term {
  std::string term;               // "query"
  std::vector<std::string> also;  // its other forms: "queries"
  std::string definition;         // one or two sentences; a piece between stars is a term: "*key*"
};

// All terms, in the order in which a reader meets them. The kinds of heads are those of score_kinds().
const std::vector<Term>& glossary();

// The term with this name or form, in any case. Throws Error for one that is not there, with the nearest.
const Term& find_term(std::string_view name);

// A text without the stars around terms. A star with a space on its inner side stays: "a * b".
std::string without_stars(std::string_view text);

// docs/glossary.md.
std::string glossary_markdown();

}  // namespace headlight::page
