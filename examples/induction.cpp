#include <fmt/core.h>

#include "headlight/run/experiment.h"
#include "headlight/system/run_main.h"
using namespace headlight::run;

int main() {
  return headlight::run_main([] {
    Experiment run(RunConfig{});  // the demo's model and task
    run.observe(every(50), [](const Experiment& now) {
      const auto best = headlight::interpret::best_head(now.head_scores(), "induction");
      fmt::print("step {}: layer {}, head {} has an induction score of {:.2f}\n", now.steps_done(),
                 best.layer, best.head, best["induction"]);
    });
    while (!run.done()) run.step();
    write_run("runs/mine", run.measure());
  });
}
