// Which heads a certificate names when all its sequences are drawn anew.
#include "headlight/studies/stability.h"

#include "catch.h"
#include "headlight/nn/by_hand.h"

using namespace headlight;
using namespace headlight::studies;

namespace {

run::Run run_by_hand() {
  run::RunConfig config;
  config.task.d_vocab = 16, config.task.n_ctx = 32;
  auto model =
      std::make_unique<nn::Transformer>(nn::induction_by_hand({.d_vocab = 16, .n_ctx = 32, .n_heads = 2}));
  return {.config = config, .task = tasks::make_task(config.task), .model = std::move(model)};
}

}  // namespace

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
