// Flags that change nothing: a note for each, and nothing else is different.
#include "program.h"

using namespace headlight;

namespace {

const char* const kQuick =
    " --d-model 16 --heads 2 --batch 8 --evaluate-every 2 --steps 2 --threads 1 --out ";

}  // namespace

TEST_CASE("a typed flag without effect gets a note, and the run is made", "[program][long]") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "a").string(), again = (folder.path() / "b").string();
  const Outcome o = headlight_program(
      "train --hops 3 --max-distance 8 --window 64 --optimizer sgd --beta2 0.9 --lr 0.1" + (kQuick + out));
  INFO(o.err);
  CHECK(o.status == 0);
  for (const char* note :
       {"Note: --hops has no effect: the task 'repeat' does not use it.\n",
        "Note: --max-distance has no effect: the kind of positions 'rotary' does not use it.\n",
        "Note: --window has no effect: sequences have 64 tokens, so a query sees all of them anyway.\n",
        "Note: --beta2 has no effect: the optimizer 'sgd' does not use it.\n"})
    CHECK(contains(o.err, note));
  CHECK_FALSE(contains(o.err, "--lr has"));
  const Outcome from_file = headlight_program("train --config " + out + "/config.json" + kQuick + again);
  CHECK(from_file.status == 0);
  CHECK_FALSE(contains(from_file.err, "Note:"));
}

TEST_CASE("the notes name settings by their flags", "[program]") {
  const Outcome o = headlight_program("task copy --fixed-offset --min-segment 4");
  CHECK(o.status == 0);
  CHECK(contains(o.err, "Note: --min-segment has no effect: all segments have the longest length"));
  CHECK(
      contains(headlight_program("task sort --pairs 3").err, "Note: --pairs has no effect: the task 'sort'"));
  CHECK(contains(headlight_program("task repeat --bytes").err, "Note: --bytes has no effect"));
  CHECK(headlight_program("task khop --hops 3").err.empty());
  check_refused("task sort --text README.md", "the task is 'sort'");
}

TEST_CASE("sweeps over a flag without effect are refused", "[program]") {
  check_refused("sweep --set hops=1,2 --task repeat", "hops has no effect here");
}

TEST_CASE("task --table prints the line of one task, of its recipe as it is", "[program]") {
  check_refused("task --table --hops 3", "it takes no settings");
  check_refused("task repaet --table", "Did you mean 'repeat'?");
}
