// Each puzzle can be solved, and not by a claim that merely gives the model's answers.
#include <fmt/core.h>

#include "catch.h"
#include "claims.h"
#include "puzzle_text.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::puzzles;

TEST_CASE("the right claim solves a puzzle, and three that give the same answers do not",
          "[course][puzzles]") {
  const TemporaryFolder folder;
  for (const Puzzle& puzzle : puzzles::puzzles()) {
    const PuzzleModel model(puzzle, folder.path());
    const KnownClaims claims = claims_on(puzzle.number);
    const Score right = score_of(puzzle, model, claims.right);
    INFO("puzzle " << puzzle.number << "\n" << score_text(puzzle, right));
    CHECK(right.outputs == 1);
    CHECK(right.solved());
    REQUIRE(claims.wrong.size() == 3);
    for (const Claim& claim : claims.wrong) {
      const Score wrong = score_of(puzzle, model, claim);
      INFO(score_text(puzzle, wrong));
      CHECK(wrong.outputs >= 0.95);
      CHECK(wrong.interventions < 0.8);
      CHECK_FALSE(wrong.solved());
    }
  }
}

TEST_CASE("where heads are asked for, a set with a head too many solves nothing", "[course][puzzles]") {
  const TemporaryFolder folder;
  const PuzzleModel model(puzzle(11), folder.path());
  Claim all = claims_on(11).right;
  all.heads = "L0H0, L0H1, L0H2, L0H3";
  const Score score = score_of(puzzle(11), model, all);
  CHECK(score.interventions >= 0.95);
  CHECK(score.not_needed == "L0H0");
  CHECK_FALSE(score.solved());
}
