// Which heads a certificate names when all its sequences are drawn anew.
#include "headlight/studies/stability.h"

#include <array>
#include <map>

#include "catch.h"
#include "interpretability/studies/run_by_hand.h"

using namespace headlight;
using namespace headlight::studies;

TEST_CASE("each draw of a model set by hand names its two heads", "[studies][stability]") {
  ThreadPool pool(2);
  const Stability found = stability(run_by_hand(), 3, pool);
  CHECK(found.draws == 3);
  CHECK(found.circuits == 3);
  REQUIRE(found.heads.size() == 2);
  CHECK((found.heads[0].head.layer == 0 && found.heads[0].head.head == 0));
  CHECK((found.heads[0].previous_token == 3 && found.heads[0].induction == 0 && found.heads[0].helper == 0));
  CHECK((found.heads[1].head.layer == 1 && found.heads[1].head.head == 0));
  CHECK((found.heads[1].induction == 3 && found.heads[1].previous_token == 0));
}

TEST_CASE("the counts of redraws are those of as many certificates, which differ", "[studies][stability]") {
  constexpr std::size_t draws = 5;
  ThreadPool pool(2);
  std::array<std::size_t, 2> circuits{};
  for (const std::size_t i : {0, 1}) {
    const run::Run run = weak_run(i == 0 ? 0.04 : 0.0435);
    std::map<std::string, std::array<std::size_t, 3>> named;
    for (std::size_t draw = 0; draw < draws; ++draw) {
      const interpret::Certificate c =
          interpret::certify(*run.model, run.task, Rng(3).stream("certified again", draw), pool);
      circuits[i] += interpret::to_string(c.verdict) == "induction circuit" ? 1 : 0;
      const interpret::HeadSet* const roles[] = {&c.induction_heads, &c.previous_token_heads, &c.helpers};
      for (std::size_t role = 0; role < 3; ++role)
        for (const interpret::HeadAt& head : *roles[role]) ++named[interpret::head_code(head)][role];
    }
    const Stability found = stability(run, draws, pool);
    CHECK(found.circuits == circuits[i]);
    REQUIRE(found.heads.size() == named.size());
    for (const NamedHead& head : found.heads)
      CHECK(std::array{head.induction, head.previous_token, head.helper} ==
            named.at(interpret::head_code(head.head)));
    if (i == 0) CHECK((named.at("L0H0")[1] == 2 && named.at("L0H0")[2] == 3));  // all counts differ
  }
  CHECK((circuits[1] > circuits[0] && circuits[1] < draws));
}

TEST_CASE("how often each head was named is said in words", "[studies][stability][words]") {
  Stability found{100, 99, {{{.layer = 0, .head = 1}, 0, 98, 2}, {{.layer = 1, .head = 3}, 97, 0, 1}}};
  CHECK(stability_text(found) ==
        "The model was certified 100 times, each time on new sequences. An induction circuit was found 99\n"
        "times. How often each head was named:\n"
        "\n"
        "head  induction head  previous-token head  helper\n"
        "L0H1               0                   98       2\n"
        "L1H3              97                    0       1\n");
}
