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
