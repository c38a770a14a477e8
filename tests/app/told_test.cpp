// What train tells of its losses: which is which, and what the task calls its tokens.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "program.h"

using namespace headlight;

namespace {

const char* const kTold = " --d-model 16 --heads 2 --batch 8 --evaluate-every 2 --steps 4 --out ";

// What the run says, and the losses of its summary.
struct Told {
  explicit Told(const std::string& settings)
      : outcome(headlight_program("train " + settings + kTold + run())) {
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

TEST_CASE("train tells the loss of training from the losses of its evaluation", "[program]") {
  const Told told("--context 16 --vocab 12");
  told.check_line("training loss: ", {"first", "last"});
  told.check_line("evaluated loss: ", {"all", "predictable", "unpredictable"});
  CHECK(contains(told.outcome.err, "  predictable "));
}

TEST_CASE("of a text train tells copied tokens and other ones", "[program]") {
  const Told told("--text " HEADLIGHT_SOURCE_DIR "/README.md --context 64");
  CHECK(contains(told.outcome.out, "\naccuracy on copied tokens: "));
  told.check_line("evaluated loss: ", {"all", "predictable", "unpredictable"});
  CHECK(contains(told.outcome.err, "  copied "));
  const std::string svg = told.run() + "/curves.svg";
  REQUIRE(headlight_program("curves " + told.run() + " --svg " + svg).status == 0);
  const std::string page = read_file(told.run() + "/report.html");
  for (const std::string& said : {told.outcome.out, told.outcome.err, read_file(svg)})
    CHECK_FALSE(contains(said, "predictable"));
  CHECK(contains(read_file(svg), ">copied<"));
  CHECK(contains(page, "\"loss on copied tokens\""));
  CHECK(contains(page, "\"Accuracy on copied tokens\""));
  const Outcome certified = headlight_program("certify " + told.run());
  CHECK(contains(certified.out, "its accuracy on copied tokens is "));
  CHECK_FALSE(contains(certified.out, "predictable"));
}

TEST_CASE("of a task without predictable tokens train tells no accuracy on them", "[program]") {
  const Told told("--task markov --context 16");
  CHECK(contains(told.outcome.err, "loss "));
  for (const std::string& said : {told.outcome.out, told.outcome.err})
    CHECK_FALSE(contains(said, "predictable "));
  told.check_line("evaluated loss: ", {"all"});
}

TEST_CASE("a run without snapshots has no report, and train and report say so", "[program]") {
  CHECK(contains(headlight_program("train --help").out, "0: none, and no"));
  const Told told("--context 16 --vocab 12 --history 0");
  check_refused("report " + told.run(), "were not kept, as with --history 0. Hint: ");
}
