#include "fuzz/targets.h"
#include "headlight/run/results.h"

// Results that are read are in their ranges, can be printed, and come back from what is written of them.
void headlight::fuzz::summary(const std::string& bytes) {
  using namespace run;
  refusable([&] {
    const Results r = results_from_json(bytes, "summary.json");
    require(r.steps >= 0 && r.evaluation.loss >= 0, "results out of their ranges");
    require(r.evaluation.accuracy_predictable.value_or(0) <= 1 && r.accuracy_held_out.value_or(0) <= 1,
            "an accuracy above 1");
    for (const auto& head : r.heads)
      for (const auto& value : head.values)
        require(value.value_or(0) >= 0 && value.value_or(0) <= 1, "a score out of its range");
    (void)facts(r);
    const std::string written = to_json(r);
    require(to_json(results_from_json(written, "written")) == written, "results do not come back");
  });
}
