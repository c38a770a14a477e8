// What train prints of its losses: which is which, and what the task calls its tokens.
#include <fmt/core.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "headlight/system/text.h"
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
  CHECK(contains(certified.out, "its accuracy on copied"));
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
  check_refused("report " + train.run(), "were not kept, as with --history 0, or their file is gone. Hint: ");
}

TEST_CASE("train prints its progress: the step, the loss of its batch, and the last accuracy", "[program]") {
  const TrainOutput train("--context 16 --vocab 12");
  std::istringstream metrics(read_file(train.run() + "/metrics.jsonl"));
  std::map<int, nlohmann::json> at;  // by step; evaluated at 0, 2 and 4
  for (std::string line; std::getline(metrics, line);) {
    const auto measured = nlohmann::json::parse(line);
    at[measured["step"]] = measured;
  }
  const std::vector<std::string> lines = text_lines(train.outcome.err);
  REQUIRE(lines.size() == 4);
  for (const int step : {1, 2, 3, 4}) {
    INFO(lines[static_cast<std::size_t>(step) - 1]);
    const double accuracy = at.at(step / 2 * 2)["accuracy_predictable"];
    const std::string loss =
        step == 1   ? fmt::format("{:.3f}", train.loss("first"))
        : step == 3 ? ""
                    : fmt::format("{:.3f}  predictable ", at.at(step)["train_loss"].get<double>());
    const std::string& line = lines[static_cast<std::size_t>(step) - 1];
    CHECK(line.starts_with(fmt::format("step {}/4  loss {}", step, loss)));
    CHECK(contains(line, fmt::format("  predictable {:5.1f} %  ", 100 * accuracy)));
    CHECK(contains(line, "k tokens/s  "));
    CHECK(line.ends_with(" left"));
  }
}

TEST_CASE("train prints a line at its first step, and then about twenty", "[program]") {
  const TemporaryFolder folder;
  const Outcome o = headlight_program(
      "train --context 8 --vocab 12 --d-model 8 --heads 1 --batch 8 --history 0 --steps 65 --out " +
      (folder.path() / "run").string());
  std::string steps;
  for (const std::string& line : text_lines(o.err)) steps += line.substr(5, line.find('/') - 5) + " ";
  CHECK(steps == "1 3 6 9 12 15 18 21 24 27 30 33 36 39 42 45 48 51 54 57 60 63 ");
}

TEST_CASE("train prints the files that it saved, in the order in which they are explained", "[program]") {
  const TrainOutput train("--context 16 --vocab 12");
  const std::string in = "\nIn " + train.run() + "/: ";
  std::string files = train.outcome.out.substr(train.outcome.out.find(in) + in.size());
  std::replace(files.begin(), files.end(), '\n', ' ');
  CHECK(files ==
        "report.html, summary.json, metrics.jsonl, timing.jsonl, config.json, model.safetensors, "
        "history.safetensors, optimizer.safetensors, state.json, best_head.svg, manifest.json ");
}
