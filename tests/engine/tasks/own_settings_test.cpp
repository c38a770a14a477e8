// Settings that a program adds are seen by every other test of the process, so that they are tried in the
// examples; what is refused is here.
#include "catch.h"
#include "headlight/tasks/settings.h"

using namespace headlight;
using namespace headlight::tasks;

TEST_CASE("a setting of one's own has its default until it is set", "[tasks]") {
  const OwnSetting<double> share{"share", 0.3};
  TaskConfig config;
  CHECK(share(config) == 0.3);
  config.own["share"] = 0.5;
  CHECK(share(config) == 0.5);
}

TEST_CASE("a setting whose key or flag is taken is refused", "[tasks]") {
  CHECK(error_of([] { add_setting("d_vocab", "--mine", "", std::uint64_t{1}); }) ==
        "there is a setting 'd_vocab' of tasks already.");
  CHECK(error_of([] { add_setting("mine", "--vocab", "", std::uint64_t{1}); }) ==
        "the flag --vocab stands for the setting 'd_vocab' already.");
}
