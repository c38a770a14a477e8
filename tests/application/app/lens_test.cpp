// The command lens: its numbers are those of the study.
#include "headlight/studies/head_studies.h"
#include "studied_run.h"

using namespace headlight;

TEST_CASE("lens has what would be predicted after each layer", "[program][studies]") {
  const StudiedRun& s = studied();
  const studies::Study study = studies::lens_study(*s.run, {.tokens = "ABCAB"});
  const json out = s.numbers("lens", "--tokens ABCAB");
  REQUIRE(out["layers"].size() == 3);
  for (std::size_t i = 0; i < 3; ++i)
    check_near(out["layers"][i]["loss"], std::get<double>(study.tables[0].rows[i][2]));
  REQUIRE(out["sequence"].size() == 5);
  check_near(out["sequence"][4]["probability_layer_0"], std::get<double>(study.tables[1].rows[4][6]));
  CHECK(s.numbers("lens")["sequence"].size() == 16);
  CHECK(contains(s.output("lens", "--csv"), "after,accuracy,loss,loss_unpredictable\nthe embedding,"));
  check_refused("lens " + s.folder() + " --source AB", "--source goes with --tokens; it needs them.");
}
