// An observer of somebody else: keeps the largest gradient norm of a run, over interruptions too.
#include <sstream>

#include "headlight/run/experiment.h"

namespace hl = headlight;

class LongestStep : public hl::run::Observer {
 public:
  void after(const hl::run::Experiment&, const hl::train::StepReport& step) override {
    largest_ = std::max(largest_, step.gradient_norm);
  }
  hl::Files save() const override {
    std::ostringstream text;
    text << std::hexfloat << largest_;
    return {{"longest_step.txt", text.str()}};
  }
  void load(const hl::Files& files) override { largest_ = std::stod(files.at("longest_step.txt")); }
  double largest() const { return largest_; }

 private:
  double largest_ = 0;
};

// With the task and the optimizer of the other files: the same run at once, and interrupted half way.
int main() {
  hl::run::RunConfig config;
  config.task = {.name = "palindrome", .d_vocab = 6, .n_ctx = 8};
  config.model.positions = "learned";
  config.train.optimizer = "sign";
  config.train.learning_rate = 1e-3;
  config.train.steps = 300;
  double largest[2];
  for (const bool interrupted : {false, true}) {
    auto longest = std::make_shared<LongestStep>();
    hl::run::Experiment run(config);
    run.observe(longest);
    run.run_until(interrupted ? 150 : 300);
    hl::run::write_run("runs/stranger", run.measure());
    if (interrupted) {
      run = hl::run::Experiment::resume(hl::run::read_run("runs/stranger"));
      longest = std::make_shared<LongestStep>();
      run.observe(longest);
      run.run_until(300);
    }
    largest[interrupted ? 1 : 0] = longest->largest();
    if (run.measure().results.evaluation.accuracy_predictable.value() < 0.99) return 1;
  }
  std::puts(largest[0] == largest[1] && largest[0] > 0 ? "learned" : "differs");
}
