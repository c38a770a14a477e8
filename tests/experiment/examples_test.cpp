// The sequences to look at heads on.
#include "headlight/experiment/examples.h"

#include <set>

#include "catch.h"

using namespace headlight;
using namespace headlight::experiment;

TEST_CASE("no two examples are the same sequence, and each follows from the seed", "[experiment]") {
  for (const char* name : {"repeat", "copy"}) {
    const tasks::Task task = tasks::make_task({.name = name});
    std::set<std::vector<std::int32_t>> different;
    const std::vector<Example> six = examples(task, 3, 6), again = examples(task, 3, 6);
    for (std::size_t i = 0; i < six.size(); ++i) {
      different.insert(six[i].tokens);
      CHECK(again[i].tokens == six[i].tokens);
    }
    CHECK(different.size() == 6);
    CHECK(six.front().tokens == first_example(task, 3).tokens);
    CHECK(six.front().tokens != first_example(task, 4).tokens);
  }
}

TEST_CASE("of one's own sequence each token but the last has a target", "[experiment]") {
  const Example own = own_example({5, 3, 8});
  CHECK(own.targets == std::vector<std::int32_t>{3, 8, tasks::kNoTarget});
  CHECK(own.predictable.empty());
}
