// The words of the table of head scores, which terminal, charts and pages read.
#include "headlight/interpret/score_kinds.h"

#include "catch.h"
#include "headlight/interpret/scores.h"

using namespace headlight;
using namespace headlight::interpret;

TEST_CASE("each kind of head score goes by its own words", "[interpret][words]") {
  struct Row {
    const char *key, *name, *column, *role, *looks, *help, *drawing;
    bool charted;
  };
  const Row rows[] = {
      {"previous_token", "previous token", "previous", "previous-token head", "at the token before it",
       "to the token before, over all tokens but the first", "just below the diagonal", true},
      {"duplicate_token", "duplicate token", "duplicate", "duplicate-token head",
       "at earlier copies of the same token", "to earlier copies of a token, over tokens that have one",
       "on a stripe parallel to the diagonal", false},
      {"induction", "induction", "induction", "induction head",
       "at the token that followed an earlier copy of it",
       "to what followed earlier copies of a token, over tokens that have one",
       "the same stripe one column further right", true},
      {"self", "self", "self", "self-attention head", "at that token itself",
       "to the token itself, over all tokens but the first", "draws the diagonal: each", false},
      {"first_token", "first token", "first", "first-token head", "at the first token of the sequence",
       "to the first token, over all tokens but the first", "the first column", false},
      {"answer", "answer", "answer", "answer head",
       "at the token that the answer is copied from, the last one of several",
       "to the token that the target is copied from, over tokens whose target is a copy",
       "on a diagonal for a copy, on an anti-diagonal for a reversed one, at single places", true},
      {"same_place", "same place", "same", "same-place head",
       "at the token of the source at the same position",
       "to the source's token at the query's own position, over positions that the source has",
       "the diagonal from the tokens to the source", false}};
  REQUIRE(score_kinds().size() == std::size(rows));
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    const ScoreKind& kind = score_kinds()[i];
    INFO(kind.key);
    CHECK(kind.key == std::string(rows[i].key));
    CHECK(score_index(rows[i].key) == i);
    CHECK(kind.name == std::string(rows[i].name));
    CHECK(kind.column == std::string(rows[i].column));
    CHECK(kind.role == std::string(rows[i].role));
    CHECK(contains(kind.looks, std::string("looks, from each token, ") + rows[i].looks));
    CHECK(contains(kind.help, std::string("mean attention ") + rows[i].help));
    CHECK(contains(kind.drawing, rows[i].drawing));
    CHECK(kind.charted == rows[i].charted);
  }
  CHECK(kFoundScore == 0.5);
}

TEST_CASE("a score of one's own needs a key and a function of its own", "[interpret]") {
  ScoreKind kind = score_kinds()[0];
  CHECK(error_of([&] { add_score_kind(kind); }) == "there is a score 'previous_token' already.");
  kind.key = "mine", kind.add = nullptr;
  CHECK(error_of([&] { add_score_kind(kind); }) ==
        "the score 'mine' needs a function that adds up its rows.");
}
