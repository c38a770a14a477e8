#include <fmt/core.h>

#include "headlight/run/experiment.h"
#include "headlight/system/run_main.h"
namespace hl = headlight;

int main() {
  return hl::run_main([] {
    hl::run::Experiment run(hl::run::RunConfig{});  // the demo's model and task
    run.observe(hl::run::every(50), [](const hl::run::Experiment& now) {
      const auto best = hl::interpret::best_head(now.head_scores(), "induction");
      fmt::print("step {}: layer {}, head {} has an induction score of {:.2f}\n", now.steps_done(),
                 best.layer, best.head, best["induction"]);
    });
    while (!run.done()) run.step();
    hl::run::write_run("runs/mine", run.measure());
  });
}
