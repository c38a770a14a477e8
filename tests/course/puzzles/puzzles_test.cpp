// Each puzzle can be solved, and not by a claim that merely gives the model's answers.
#include <fmt/core.h>

#include "catch.h"
#include "claims.h"
#include "headlight/system/sha256.h"
#include "headlight/train/safetensors.h"
#include "puzzle_page.h"
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
      if (wrong.same_pairs > 0 &&
          wrong.other_pairs > 0)  // both kinds count alike, however many of each there are
        CHECK(wrong.interventions == (wrong.same + wrong.other) / 2);
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

TEST_CASE("of a head in an earlier layer a look shows every position, and a swap replaces every position",
          "[course][puzzles]") {
  const TemporaryFolder folder;
  const PuzzleModel model(puzzle(8), folder.path());
  const Numbers input{0, 3, 1, 2, 4, 3}, from{3, 4, 1, 2, 0, 3};
  const std::string look = look_text(puzzle(8), model, input),
                    swap = swap_text(puzzle(8), model, input, from);
  // L0H1 looks one position back.
  for (const char* words :
       {"  L0H1 looks\n    from position 0, a 0:  1.00\n", "from position 3, a 2:  0.11  0.07  0.72",
        "  L1H0 looks from the last position:  0.00  0.01  0.97"})
    CHECK(look.find(words) != std::string::npos);
  for (const char* words : {"L0H1 writes at the last position on the second, the first is answered with 1\n",
                            "L0H1 writes everywhere on the second, the first is answered with 0\n"})
    CHECK(swap.find(words) != std::string::npos);
  CHECK(swap.find("L1H0 writes everywhere") == std::string::npos);
  CHECK(look_text(puzzle(1), PuzzleModel(puzzle(1), folder.path()), {0, 3, 1, 2}).find("from position") ==
        std::string::npos);
}

TEST_CASE("a puzzle's page has its model, the explanation and the head in its address", "[course][puzzles]") {
  const Puzzle& asked = puzzle(8);
  const run::Run run = run_of(asked);
  CHECK(sha256(train::to_safetensors(*run.model)) == asked.recipe.hash);
  CHECK(run.results.passed);
  CHECK(run.snapshots.size() == 41);
  CHECK(place_on_page(asked) == "heads&head=L1H0&query=5");
  const std::string page = page_of(asked);
  CHECK(page.starts_with("<!doctype html>"));
  for (const std::string& words : {asked.explanation, std::string("answer puzzle 8")})
    CHECK(page.find(words) != std::string::npos);
}
