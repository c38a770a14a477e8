#include "headlight/run/metrics.h"

#include "fuzz/targets.h"

// Metrics that are read are in their ranges, and come back from what is written of them.
void headlight::fuzz::metrics(const std::string& bytes) {
  using namespace run;
  refusable([&] {
    std::string written;
    std::int64_t before = -1;
    for (const Metrics& m : metrics_from_lines(bytes, "metrics.jsonl")) {
      require(m.step > before && m.evaluation.loss >= 0, "metrics out of their ranges");
      require(m.evaluation.accuracy_predictable.value_or(0) <= 1, "an accuracy above 1");
      before = m.step;
      written += metrics_line(m) + "\n";
    }
    std::string again;
    for (const Metrics& m : metrics_from_lines(written, "written")) again += metrics_line(m) + "\n";
    require(again == written, "metrics do not come back");
  });
}
