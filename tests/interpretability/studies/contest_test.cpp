// The contest of the smallest model that copies.
#include "headlight/studies/contest.h"

#include "catch.h"
#include "headlight/nn/by_hand.h"
#include "headlight/run/run.h"

using namespace headlight;
using namespace headlight::studies;

namespace {

std::vector<std::string> wrong_cases(const ContestResult& result) {
  std::vector<std::string> names;
  for (const EdgeCase& each : result.edge_cases)
    if (!each.right) names.push_back(each.name);
  return names;
}

}  // namespace

TEST_CASE("an induction transformer by hand passes, and all its numbers count", "[contest]") {
  const ContestResult result =
      enter_contest(nn::induction_by_hand({.d_vocab = 32, .n_ctx = 32, .n_heads = 1}));
  CHECK(wrong_cases(result).empty());
  CHECK(result.edge_cases.size() == 8);
  CHECK(result.drawn_right == kDrawnSegments);
  CHECK(result.passed());
  // d_model = 3·32 + 2·32 = 160, d_head = 64: W_E and W_U, W_pos, and four matrices in each of two layers
  CHECK(result.parameters == 2 * 32 * 160 + 32 * 160 + 2 * 4 * 160 * 64);
}

// The token 15 back is the follower only in segments of 16 tokens. Divisors of 16 also fail, at the first
// positions.
TEST_CASE("a head that looks a fixed distance back fails", "[contest]") {
  const ContestResult result = enter_contest(nn::induction_by_hand(
      {.d_vocab = 32, .n_ctx = 32, .n_heads = 1, .broken = nn::Broken::position_only, .offset = 15}));
  CHECK(wrong_cases(result) == std::vector<std::string>{"two neighbours", "the first and the last token",
                                                        "one token less than the longest"});
  CHECK_FALSE(result.passed());
}

// W_U of zeros makes all logits equal.
TEST_CASE("a logit that only ties is wrong", "[contest]") {
  nn::Transformer model = nn::induction_by_hand({.d_vocab = 32, .n_ctx = 32, .n_heads = 1});
  model.unembed.W.mutable_array().fill(0);
  const ContestResult result = enter_contest(model);
  CHECK(wrong_cases(result).size() == 8);
  CHECK(result.drawn_right == 0);
}

TEST_CASE("one wrong edge case or too many wrong segments fail an entry", "[contest]") {
  ContestResult result{97, {{"a", {0}, true}, {"b", {1}, true}}, 9900};
  CHECK(result.accuracy() == 0.99);
  CHECK(result.passed());
  result.edge_cases[1].right = false;
  CHECK_FALSE(result.passed());
  result.edge_cases[1].right = true;
  result.drawn_right = 9899;
  CHECK_FALSE(result.passed());
}

TEST_CASE("the contest has one vocabulary and one context", "[contest]") {
  CHECK(
      error_of([] { enter_contest(nn::induction_by_hand({.d_vocab = 31, .n_ctx = 32})); }) ==
      "[enter_contest] expected a decoder of 32 tokens and 32 positions, got one of the kind 'decoder' with "
      "31 tokens and 32 positions. Hint: train --task repeat --vocab 32 --context 32.");
  CHECK(contains(error_of([] { enter_contest(nn::induction_by_hand({.d_vocab = 32, .n_ctx = 33})); }),
                 "with 32 tokens and 33 positions"));
  Rng rng(0);
  const nn::Transformer encoder(
      {.architecture = nn::Architecture::encoder, .d_model = 4, .n_heads = 1, .d_vocab = 32, .n_ctx = 32},
      rng);
  CHECK(contains(error_of([&] { enter_contest(encoder); }), "got one of the kind 'encoder'"));
}
