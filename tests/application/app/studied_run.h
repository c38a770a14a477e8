// A small trained run, for the commands that look inside heads.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "catch.h"
#include "headlight/run/run.h"
#include "program.h"

namespace headlight {

using nlohmann::json;

// A small run of 60 steps, trained once.
class StudiedRun {
 public:
  StudiedRun() {
    const Outcome trained = headlight_program(
        "train --context 16 --vocab 12 --d-model 16 --heads 2 --batch 8 --steps 60 --lr 0.03 --warmup 1 "
        "--out " +
        folder());
    INFO(trained.err);
    REQUIRE(trained.status == 0);
    run = std::make_unique<run::Run>(run::read_run(folder()));
  }

  std::string folder() const { return (temporary_.path() / "run").string(); }
  const nn::Transformer& model() const { return *run->model; }

  std::string output(const std::string& command, const std::string& more = "") const {
    const Outcome o = headlight_program(command + " " + folder() + " " + more, "COLUMNS=100");
    INFO(o.err);
    CHECK(o.status == 0);
    return o.out;
  }
  json numbers(const std::string& command, const std::string& more = "") const {
    return json::parse(output(command, more + " --json"));
  }

  // As what replaces the heads' outputs is drawn.
  tasks::Batch second_draw(std::size_t sequences) const {
    return tasks::draw_batch(run->task, run->task.training, sequences,
                             Rng(run->config.train.seed).stream("study, replaced by"));
  }

  std::unique_ptr<run::Run> run;

 private:
  TemporaryFolder temporary_;
};

inline const StudiedRun& studied() {
  static const StudiedRun run;
  return run;
}

inline void check_near(const json& number, double expected) {
  CHECK(number.get<double>() == Approx(expected).margin(1e-6));
}

}  // namespace headlight
