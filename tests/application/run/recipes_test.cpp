// Every task's recipe learns: after a short part of its training it is better than guessing can be.
#include <map>

#include "catch.h"
#include "headlight/run/experiment.h"
#include "headlight/system/files.h"

using namespace headlight;
using namespace headlight::run;

namespace {

struct Reached {
  std::int64_t steps;
  double accuracy;  // more than this after these steps
  double guessing;  // what guessing reaches
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLearns = false;  // two steps show bad accesses
#else
constexpr bool kLearns = true;
#endif

const std::vector<std::string> kShipped = tasks::registry().names();  // before other tests add theirs

RunConfig recipe(const std::string& task) {
  return run_config_from_json(read_file(std::string(HEADLIGHT_SOURCE_DIR "/data/configs/") + task + ".json"));
}

Results after(const std::string& task, std::int64_t steps) {
  RunConfig config = recipe(task);
  REQUIRE(config.task.name == task);
  REQUIRE(steps <= config.train.steps);
  Experiment run(config, {.record = false});
  run.run_until(kLearns ? steps : 2);
  return run.measure().results;
}

void require_reached(const std::map<std::string, Reached>& expected) {
  for (const auto& [task, reached] : expected) {
    INFO(task);
    const double accuracy = *after(task, reached.steps).evaluation.accuracy_predictable;
    CHECK((!kLearns || accuracy > reached.accuracy));
    CHECK(reached.accuracy > reached.guessing);
  }
}

}  // namespace

TEST_CASE("every task that ships has a recipe", "[run]") {
  for (const std::string& name : kShipped) {
    if (name == "text") continue;  // needs a file
    INFO(name);
    CHECK(recipe(name).task.name == name);
    CHECK_NOTHROW(check_config(recipe(name)));
  }
}

TEST_CASE("recipes learn to rearrange", "[run]") {
  require_reached({{"reverse", {120, 0.5, 1.0 / 16}}, {"sort", {60, 0.8, 1.0 / 16}}});
}

TEST_CASE("recipes learn to look up", "[run]") {
  require_reached({{"recall", {100, 0.3, 1.0 / 6}}, {"mqar", {100, 0.3, 1.0 / 6}}});
}

TEST_CASE("recipes learn to copy by content", "[run]") {
  require_reached({{"khop", {300, 0.78, 0.7}}, {"triggers", {60, 0.05, 1.0 / 28}}});
}

TEST_CASE("recipes learn to count", "[run]") {
  require_reached({{"histogram", {60, 0.4, 0.25}}, {"parity", {100, 0.7, 0.5}}});
}

TEST_CASE("recipes learn to add and to close brackets", "[run]") {
  require_reached({{"addition", {100, 0.9, 1.0 / 17}}, {"brackets", {60, 0.8, 0.5}}});
}

TEST_CASE("a Markov chain's model is soon better than counting nothing", "[run]") {
  const Results r = after("markov", 100);
  CHECK((!kLearns || r.evaluation.loss < r.baselines.at(0).losses.loss - 0.02));
  CHECK(r.evaluation.loss > best_possible(r.baselines)->loss);
}
