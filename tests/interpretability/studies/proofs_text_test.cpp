// What is printed of the proofs: every input tried, and the bound from the weights.
#include "catch.h"
#include "headlight/studies/all_inputs.h"

using namespace headlight;
using namespace headlight::studies;
using interpret::AllInputs;
using interpret::WeightsBound;

TEST_CASE("what was found of every input is said in words", "[studies][all_inputs][words]") {
  AllInputs all;
  all.length = 4, all.tokens = 16, all.inputs = 6720;
  all.right = 6719, all.undecided = 1, all.least_margin = 0.01234, all.closest = {0, 1, 2, 0};
  all.first_wrong = {1, 2, 3, 2}, all.largest_radius = 2e-9;
  const tasks::Vocabulary vocabulary = tasks::Vocabulary::of_size(16);
  CHECK(
      all_inputs_text(all, vocabulary) ==
      "Every input of 4 tokens was tried: the first 3 are all different, and the last is one of the first 2\n"
      "again. Of 16 tokens there are 6,720. The right answer is the token that followed before.\n"
      "This is proved, not seen on some inputs (docs/evidence.md).\n"
      "\n"
      "right      6,719   99.9851 %\n"
      "wrong          0    0.0000 %\n"
      "undecided      1    0.0148 %\n"
      "\n"
      "Logits were computed in double precision, and the rounding was bounded: no logit is off by more than\n"
      "2.0e-09. An input is undecided where this could change the answer.\n"
      "The least margin of a right answer is 0.01234, at A B C A → B.\n"
      "The first that is not right: B C D C → D.\n");
}

TEST_CASE("a bound is said level by level and step by step", "[studies][weights_bound][words]") {
  WeightsBound bound{.length = 6,
                     .tokens = 16,
                     .inputs = 2096640,
                     .levels = {{2, 960, 2055144}, {3, 266, 39312}},
                     .previous = {0.8371, 0.908},
                     .lead = {-0.224, 2.159},
                     .weight = {0.43, 0.741},
                     .margin = {-0.93, 1.294}};
  const std::string text =
      "Of the 2,096,640 inputs … A B … A of 6 tokens, at least 99.8958 % are right. This follows from the\n"
      "weights, for many inputs at once: a case fixes some tokens, and the others may be any.\n"
      "This is proved, not seen on some inputs (docs/evidence.md).\n"
      "\n"
      "tokens fixed  cases  inputs proven right  so far (%)\n"
      " 2 (A and B)    960            2,055,144     98.0208\n"
      "           3    266               39,312     99.8958\n"
      "\n"
      "What the bound leaves of each step, in the 960 cases that fix A, B and their place only:\n"
      "\n"
      "step                                at least   mean\n"
      "from B, layer 0 gives A the weight     0.837  0.908\n"
      "in layer 1, B's score leads by        -0.224  2.159\n"
      "so layer 1 gives B the weight          0.430  0.741\n"
      "B's logit leads by                    -0.930  1.294\n";
  CHECK(weights_bound_text(bound) == text);
  bound.levels.push_back({4, 182, 2184});
  CHECK(contains(weights_bound_text(bound), "of 6 tokens, all are right."));
}
