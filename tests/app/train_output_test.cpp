// What train prints of its losses: which is which, and what the task calls its tokens.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "program.h"

using namespace headlight;

namespace {

const char* const kTraining = " --d-model 16 --heads 2 --batch 8 --evaluate-every 2 --steps 4 --out ";

// What train prints, and the losses of its summary.
struct TrainOutput {
  explicit TrainOutput(const std::string& settings)
      : outcome(headlight_program("train " + settings + kTraining + run())) {
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    summary = nlohmann::json::parse(read_file(run() + "/summary.json"));
  }
  std::string run() const { return (folder.path() / "run").string(); }
  double loss(const char* key) const { return summary["loss"][key].get<double>(); }

  // The line with this label has these losses.
  void check_line(const std::string& label, const std::vector<const char*>& keys) const {
    const std::size_t begin = outcome.out.find("\n" + label);
    REQUIRE(begin != std::string::npos);
    const std::string line = outcome.out.substr(begin, outcome.out.find('\n', begin + 1) - begin);
    for (const char* key : keys) CHECK(contains(line, fmt::format("{:.4f}", loss(key))));
  }

  TemporaryFolder folder;
  Outcome outcome;
  nlohmann::json summary;
};

}  // namespace

TEST_CASE("train prints the loss of training and the losses of its evaluation", "[program]") {
  const TrainOutput train("--context 16 --vocab 12");
  train.check_line("training loss: ", {"first", "last"});
  train.check_line("evaluated loss: ", {"all", "predictable", "unpredictable"});
  CHECK(contains(train.outcome.err, "  predictable "));
}

TEST_CASE("of a text train prints accuracy and losses of copied tokens", "[program]") {
  const TrainOutput train("--text " HEADLIGHT_SOURCE_DIR "/README.md --context 64");
  CHECK(contains(train.outcome.out, "\naccuracy on copied tokens: "));
  train.check_line("evaluated loss: ", {"all", "predictable", "unpredictable"});
  CHECK(contains(train.outcome.err, "  copied "));
  const std::string svg = train.run() + "/curves.svg";
  REQUIRE(headlight_program("curves " + train.run() + " --svg " + svg).status == 0);
  const std::string page = read_file(train.run() + "/report.html");
  for (const std::string& printed : {train.outcome.out, train.outcome.err, read_file(svg)})
    CHECK_FALSE(contains(printed, "predictable"));
  CHECK(contains(read_file(svg), ">copied<"));
  CHECK(contains(page, "\"loss on copied tokens\""));
  CHECK(contains(page, "\"Accuracy on copied tokens\""));
  const Outcome certified = headlight_program("certify " + train.run());
  CHECK(contains(certified.out, "its accuracy on copied tokens is "));
  CHECK_FALSE(contains(certified.out, "predictable"));
}

TEST_CASE("of a task without predictable tokens train prints no accuracy on them", "[program]") {
  const TrainOutput train("--task markov --context 16");
  CHECK(contains(train.outcome.err, "loss "));
  for (const std::string& printed : {train.outcome.out, train.outcome.err})
    CHECK_FALSE(contains(printed, "predictable "));
  train.check_line("evaluated loss: ", {"all"});
}

TEST_CASE("a run without snapshots has no report, and train and report say so", "[program]") {
  CHECK(contains(headlight_program("train --help").out, "0: none, and no"));
  const TrainOutput train("--context 16 --vocab 12 --history 0");
  check_refused("report " + train.run(), "were not kept, as with --history 0. Hint: ");
}
