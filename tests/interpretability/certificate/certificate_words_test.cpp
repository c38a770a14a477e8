// What a certificate is called and says, of certificates that are filled by hand.
#include <regex>

#include "catch.h"
#include "certificate/certificate_claims.h"
#include "certificate/circuit_search.h"
#include "certificate/claim_words.h"
#include "headlight/interpret/certificate.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

Claim claim_with(double number, bool number_at_most, std::optional<double> control, bool control_at_most) {
  Claim claim;
  claim.number = number, claim.threshold = 0.5, claim.number_at_most = number_at_most;
  claim.control = control, claim.control_limit = 0.25, claim.control_at_most = control_at_most;
  return claim;
}

// A model that solves its task and whose six claims hold.
Certificate whole() {
  Certificate c;
  c.accuracy = kSolves;
  for (const char* key : {kMatching, kCopying, kComposition, kNecessity, kSufficiency, kOrder}) {
    c.claims.emplace_back().key = key;
    c.claims.back().standing = Standing::holds;
  }
  return c;
}

Certificate circuit_of(const HeadSet& induction, const HeadSet& earlier, const HeadInputs& through) {
  Certificate c = whole();
  c.verdict = Verdict::circuit;
  c.induction_heads = induction, c.previous_token_heads = earlier, c.through = through;
  return c;
}

const HeadInputs kKeys{HeadInput::keys}, kQueries{HeadInput::queries},
    kBoth{HeadInput::keys, HeadInput::queries};

}  // namespace

TEST_CASE("a claim holds at its threshold, if the control is within its own limit",
          "[interpret][certificate]") {
  const auto holds = [](const Claim& claim) { return standing_of(claim) == Standing::holds; };
  CHECK(holds(claim_with(0.5, false, 0.25, true)));
  CHECK_FALSE(holds(claim_with(0.49, false, 0.25, true)));
  CHECK_FALSE(holds(claim_with(0.5, false, 0.26, true)));
  CHECK(holds(claim_with(0.5, true, 0.25, false)));
  CHECK_FALSE(holds(claim_with(0.51, true, 0.25, false)));
  CHECK_FALSE(holds(claim_with(0.5, true, 0.24, false)));
  CHECK(holds(claim_with(0.9, false, {}, true)));
  CHECK_FALSE(holds(claim_with(0.1, false, {}, true)));
  Claim nothing;
  nothing.key = kOrder;
  CHECK(contains(error_of([&] { standing_of(nothing); }), "the claim 'order' has no number"));
  CHECK(to_string(Standing::holds) == "holds");
  CHECK(to_string(Standing::fails) == "fails");
  CHECK(to_string(Standing::not_asked) == "not asked");
}

TEST_CASE("the verdict needs the accuracy, and every claim but that of order", "[interpret][certificate]") {
  Certificate c = whole();
  CHECK(verdict_of(c) == Verdict::circuit);
  c.accuracy = 0.899;
  CHECK(verdict_of(c) == Verdict::unsolved);
  for (std::size_t i = 0; i < 6; ++i)
    for (const Standing standing : {Standing::fails, Standing::not_asked}) {
      c = whole();
      c.claims[i].standing = standing;
      INFO(c.claims[i].key << ": " << to_string(standing));
      const bool allowed = i == 5 && standing == Standing::not_asked;
      CHECK(verdict_of(c) == (allowed ? Verdict::circuit : Verdict::another_way));
    }
  CHECK(to_string(Verdict::circuit) == "induction circuit");
  CHECK(to_string(Verdict::another_way) == "solves the task another way");
  CHECK(to_string(Verdict::unsolved) == "does not solve the task");
}

TEST_CASE("the thresholds of a certificate are those that docs/induction.md names",
          "[interpret][certificate]") {
  CHECK(kSolves == 0.9);
  CHECK(kInductionLift == 0.2);  // "exceeds the control by 0.2"
  CHECK(kCarried == 0.7);
  CHECK(kOthersCarry == 0.5);
  CHECK(kAtChance == 0.25);  // "at most a quarter may stay"
  CHECK(kKept == 0.9);       // "90 % of the accuracy must stay"
  CHECK(kByChance == 0.75);
}

TEST_CASE("a circuit names each head once: induction heads, earlier ones, helpers",
          "[interpret][certificate]") {
  Certificate c = circuit_of({{1, 2}, {1, 0}}, {{0, 3}, {1, 0}}, kKeys);
  c.helpers = {{0, 1}, {0, 3}};
  CHECK(codes_of(c.circuit()) == "L1H2, L1H0, L0H3, L0H1");
}

TEST_CASE("the sentence of an induction circuit names its heads and their path", "[interpret][certificate]") {
  const std::string begin = "The model has an induction circuit: ";
  CHECK(sentence(circuit_of({{1, 2}}, {{0, 3}}, kKeys)) ==
        begin +
            "L1H2 looks at what followed the same token before, and finds it by what L0H3 writes into its "
            "keys.");
  CHECK(sentence(circuit_of({{1, 2}, {1, 0}}, {{0, 3}, {0, 1}}, kQueries)) ==
        begin +
            "L1H2, L1H0 look at what followed the same token before, and find it by what L0H3, L0H1 write "
            "into their queries.");
  CHECK(sentence(circuit_of({{1, 2}, {1, 0}}, {{0, 3}}, kBoth)) ==
        begin +
            "L1H2, L1H0 look at what followed the same token before, and find it by what L0H3 writes into "
            "their keys and their queries; one path can replace the other.");
  Certificate partly = circuit_of({{1, 2}, {1, 0}, {1, 1}}, {{0, 3}}, kKeys);
  partly.weak = {{1, 0}};
  CHECK(sentence(partly) ==
        begin +
            "L1H2, L1H1 and, weakly, L1H0 look at what followed the same token before, and find it by what "
            "L0H3 writes into their keys.");
  Certificate smeared = circuit_of({{0, 1}}, {}, kKeys);
  smeared.by_smear = true;
  CHECK(sentence(smeared) ==
        begin + "L0H1 looks at what followed the same token before, and finds it by the smear of the keys.");
  CHECK(words_of(kBoth) == "the keys and the queries");
}

TEST_CASE("the sentence of an induction circuit says which other sets of heads suffice",
          "[interpret][certificate]") {
  Certificate c = circuit_of({{1, 2}}, {{0, 3}}, kKeys);
  c.helpers = {{0, 2}};
  const auto says = [&](const AllSets& all) {
    c.all_sets = all;
    const std::string words = sentence(c), after = "suffice for the task.";
    return words.substr(words.find(after) + after.size());
  };
  const HeadSet smallest{{0, 3}, {1, 2}};
  CHECK(says({16, 2, 0, 1, c.circuit()}) ==
        " Every set of heads that suffices on these sequences has all of these.");
  CHECK(
      says({16, 4, 0, 3, c.circuit()}) ==
      " On these sequences no smaller set of heads does, but 3 sets suffice of which no head can be spared.");
  CHECK(
      says({16, 8, 1, 1, smallest}) ==
      " On these sequences one smaller set suffices too, L0H3, L1H2, whose heads every set has that suffices.");
  CHECK(
      says({16, 8, 5, 2, smallest}) ==
      " On these sequences 5 smaller sets suffice too, such as L0H3, L1H2; 2 sets suffice of which no head can be spared.");
  c.helpers.clear();
  CHECK(contains(sentence(c), "into its keys. They suffice for the task. On these sequences 5"));
  c.whole = true, c.accuracy = 0.94;
  CHECK(contains(sentence(c),
                 "into its keys. They are all heads of the model, whose accuracy is 0.94. On these"));
  c.helpers = {{0, 2}, {1, 0}};
  CHECK(contains(sentence(c),
                 " Together with L0H2, L1H0 they are all heads of the model, whose accuracy is 0.94."));
  for (const Said& part : said(c)) CHECK(part.kind != kSufficiency);  // nothing was ablated
}

TEST_CASE("the sentence of an induction circuit says at which distances, with whom and without whom",
          "[interpret][certificate]") {
  Certificate c = circuit_of({{1, 2}}, {{0, 3}, {0, 1}}, kKeys);
  const std::string found =
      "L1H2 looks at what followed the same token before, and finds it by what L0H3, L0H1 write into its keys.";
  c.claims[3].threshold = 0.27;
  c.helpers = {{0, 2}, {1, 1}};
  c.accuracy_without_previous_token_heads = 0.27;
  c.distances = {3, 17}, c.accuracy_at_random = 0.61, c.random_distances = {4, 30};
  CHECK(
      sentence(c) ==
      "The model has an induction circuit: " + found +
          " Together with L0H2, L1H1 they suffice for the task. In the sequences tested, the nearest copy that the answer follows stood 3 to 17 tokens back; where "
          "segments come back at random distances, 4 to 30, the accuracy is 0.61.");
  c.stand_ins = {
      {{0, 0}, {{0, 2}}, 0.97}, {{1, 0}, {{0, 2}, {1, 1}}, 0.96}, {{1, 3}, {{0, 2}, {1, 1}}, 0.98}};
  CHECK(contains(
      sentence(c),
      " Together with L0H2, L1H1 they suffice for the task; L0H0 can replace L0H2, and L1H0, L1H3 can "
      "each replace one of L0H2, L1H1. In the sequences"));
  CHECK(contains(
      sufficiency_words(c, {{1, 2}}, {{0, 0}, {1, 0}, {1, 3}}, claim_with(0.9, false, 0.1, true), 0.3).second,
      "Without the helpers it is 0.30. Other helpers are enough too: L0H0 can replace L0H2, and L1H0, L1H3 can "
      "each replace one of L0H2, L1H1. The accuracy is then 0.96 at least."));
  c.helpers.clear(), c.stand_ins.clear();
  c.accuracy_without_previous_token_heads = 0.28;
  c.distances = {9, 9};
  CHECK(
      sentence(c) ==
      "The model has an induction circuit of one distance: " + found +
          " Without L0H3, L0H1 the accuracy is still 0.28. In the sequences tested, the nearest copy that the answer follows stood 9 tokens back; "
          "where segments come back at random distances, 4 to 30, the accuracy is 0.61.");
}

TEST_CASE("the sentences of models without a circuit", "[interpret][certificate]") {
  Certificate c = circuit_of({{1, 2}}, {{0, 3}}, kKeys);
  c.verdict = Verdict::unsolved;
  c.accuracy = 0.31, c.predictable = "copied";
  CHECK(sentence(c) ==
        "The model does not solve the task: its accuracy on copied tokens of the tested sequences is 0.31.");
  c.verdict = Verdict::another_way;
  c.accuracy = 0.97;
  c.claims[2].standing = c.claims[5].standing = Standing::not_asked;
  c.claims[3].number = 0.42;
  c.claims[0].standing = Standing::fails;
  CHECK(sentence(c) ==
        "The model solves the task another way than by an induction circuit: matching failed.");
  c.claims[0].standing = Standing::holds;
  c.claims[2].standing = Standing::fails;
  const std::string failed =
      "The model solves the task another way than by an induction circuit: composition failed.";
  CHECK(sentence(c) ==
        failed +
            " Still, L1H2 looks at what followed the same token before: without it the accuracy on copied "
            "tokens is 0.42 instead of 0.97.");
  c.induction_heads.push_back({1, 1});
  CHECK(sentence(c) ==
        failed +
            " Still, L1H2, L1H1 look at what followed the same token before: without them the accuracy on "
            "copied tokens is 0.42 instead of 0.97.");
  c.shifted_induction = ShiftedInduction{1, {{2, 0}}, {{1, 0}, {0, 0}}, {{1, 3}}};
  CHECK(
      sentence(c) ==
      "The model solves the task by shifted induction: L2H0 looks 1 place after what followed the same "
      "token before, L1H0, L0H0 carry that token there into the keys, and L1H3 the answer into the values.");
}

// A lost share is above 1 where the patched heads look at the followers less than without repeats, and below
// 0 where they look at them more than before.
TEST_CASE("no sentence says that more than all is lost, or less than nothing", "[interpret][certificate]") {
  CHECK(lost_of_matching(0.97) == "97 % of the matching is lost");
  CHECK(lost_of_matching(1.004) == "100 % of the matching is lost");
  CHECK(lost_of_matching(1.01) ==
        "all of the matching is lost, and the heads look at the followers even less than without repeats");
  CHECK(lost_of_matching(-0.03) == "nothing of the matching is lost");
  Certificate c = circuit_of({{1, 0}}, {{0, 0}, {0, 1}}, kKeys);
  for (const double share : {-0.5, -0.02, 0.4, 1.0, 1.01, 1.6}) {
    c.by_keys = c.by_queries = c.by_removal = share;
    const auto [says, more] =
        composition_words(c, {{{0, 0}, {0, 1}}, {{0, 2}}, share, share, {share, share}});
    CAPTURE(says, more);
    const std::string text = says + more;
    const std::regex percent("([^ ]*\\d+) %");
    for (std::sregex_iterator at(text.begin(), text.end(), percent), end; at != end; ++at) {
      const std::string number = (*at)[1];
      CHECK((number == "40" || number == "100"));
    }
    CHECK(contains(text, "less than without repeats") == (share > 1.005));
  }
}

TEST_CASE("the words of matching have each weight in its own place", "[interpret][certificate]") {
  const Looks random{{.91, .82}, {.11, .12}}, own{{.73, .64}, {.21, .22}};
  using Words = std::pair<std::string, std::string>;
  CHECK(
      matching_words({{1, 0}, {1, 1}}, 1, {.82, .12}, random, own, true) ==
      Words(
          "In random segments that come back at random distances, L1H1 gives the follower an "
          "attention weight of 0.82. The control, the same two positions in sequences without "
          "repeats, has 0.12.",
          "On the task's own sequences it gives 0.64, and 0.22 without repeats. The limits are for L1H1, "
          "whose weight is furthest above its control. The other heads tested here give the follower: L1H0 0.91."));
  CHECK(
      matching_words({{1, 0}}, 0, {.73, .21}, {{.73}, {.21}}, {{.91}, {.11}}, false) ==
      Words(
          "On the task's own sequences, L1H0 gives the follower an attention weight of 0.73. The "
          "control, the same two positions in sequences without repeats, has 0.21.",
          "In random segments that come back at random distances it gives 0.91, and 0.11 without repeats."));
}

TEST_CASE("weights beside one over some queries are all over all followers, and say so",
          "[interpret][certificate]") {
  const Looks random{{.91, .82}, {.11, .12}, {}, {.23, .24}},
      own{{.73, .64}, {.21, .22}, {.33, .34}, {.43, .44}};
  using Words = std::pair<std::string, std::string>;
  CHECK(
      matching_words({{1, 0}, {1, 1}}, 0, {.35, .05, Over::beside}, own, random, false) ==
      Words("On the task's own sequences, L1H0 gives the follower an attention weight of 0.35 where the "
            "follower is not the answer. The control, the same two positions in sequences without repeats, "
            "has 0.05.",
            "Over all followers it gives 0.73. In random segments that come back at random distances it "
            "gives 0.91 over all followers, and 0.11 without repeats. The limits are for L1H0, whose weight "
            "is furthest above its control. The other heads tested here give the follower over all "
            "followers: L1H1 0.64."));
  CHECK(
      matching_words({{1, 0}, {1, 1}}, 0, {.25, .06, Over::after_one}, random, own, true) ==
      Words("In random segments that come back at random distances, L1H0 gives the follower an attention "
            "weight of 0.25 where one token alone has come again. The control, the same two positions in "
            "sequences without repeats, has 0.06.",
            "Over all followers it gives 0.91. On the task's own sequences it gives 0.73 over all followers, "
            "and 0.21 without repeats. The limits are for L1H0, whose weight is furthest above its control. "
            "The other heads tested here give the follower over all followers: L1H1 0.82."));
}
