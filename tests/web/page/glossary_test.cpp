// The words that Headlight uses.
#include "headlight/page/glossary.h"

#include <regex>
#include <set>

#include "catch.h"
#include "headlight/interpret/score_kinds.h"
#include "headlight/system/files.h"

using namespace headlight;
using namespace headlight::page;

namespace {

std::vector<std::string> starred(const std::string& text) {
  static const std::regex stars(R"(\*([^*]*)\*)");
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), stars), end; at != end; ++at)
    found.push_back((*at)[1]);
  return found;
}

}  // namespace

TEST_CASE("every term that a definition uses is in the glossary", "[report]") {
  for (const Term& term : glossary()) {
    INFO(term.definition);
    CHECK(std::count(term.definition.begin(), term.definition.end(), '*') % 2 == 0);
    CHECK(term.definition.ends_with('.'));
    for (const std::string& used : starred(term.definition)) CHECK_NOTHROW(find_term(used));
  }
}

TEST_CASE("no word stands for two terms of the glossary", "[report]") {
  std::set<std::string> seen;
  for (const Term& term : glossary()) {
    CHECK(seen.insert(term.term).second);
    for (const std::string& form : term.also) CHECK(seen.insert(form).second);
  }
}

TEST_CASE("the glossary has every kind of head, and finds it by its plural", "[report]") {
  for (const interpret::ScoreKind& kind : interpret::score_kinds())
    CHECK(find_term(std::string(kind.role) + "s").term == kind.role);
  CHECK(find_term("Induction Head").definition.find("[A][B] … [A] → [B]") != std::string::npos);
}

TEST_CASE("a term that is not in the glossary is an error with the nearest", "[report]") {
  CHECK(contains(error_of([] { (void)find_term("quary"); }), "no term 'quary'. Did you mean 'query'?"));
}

TEST_CASE("stars around terms go, others stay", "[report]") {
  CHECK(without_stars("a *query* looks at *k*, and a * b = *attention head*s * 2*") ==
        "a query looks at k, and a * b = attention heads * 2*");
}

TEST_CASE("docs/glossary.md is the glossary", "[report]") {
  CHECK(read_file(HEADLIGHT_SOURCE_DIR "/docs/glossary.md") == glossary_markdown());
}
