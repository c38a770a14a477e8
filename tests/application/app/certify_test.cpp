// The certificate as the program prints it.
#include <nlohmann/json.hpp>

#include "catch.h"
#include "headlight/interpret/all_inputs.h"
#include "headlight/interpret/weights_bound.h"
#include "headlight/nn/by_hand.h"
#include "headlight/run/experiment.h"
#include "headlight/run/run.h"
#include "headlight/system/text.h"
#include "interpretability/studies/run_by_hand.h"
#include "program.h"

using namespace headlight;

namespace {

// Runs of spaces made one: a table's columns are as wide as its rows need.
std::string compressed(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' || out.empty() || out.back() != ' ') out += c;
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::string induction_page() { return read_file(HEADLIGHT_SOURCE_DIR "/docs/induction.md"); }

}  // namespace

TEST_CASE("models set by hand get the verdicts that are known, as docs/induction.md has them",
          "[program][long]") {
  const Outcome o = headlight_program("certify --by-hand");
  INFO(o.err);
  CHECK(o.status == 0);
  CHECK(contains(o.out, "11 of 11 verdicts are right."));
  std::string page;
  for (const std::string& line : text_lines(induction_page())) page += compressed(line) + "\n";
  std::size_t rows = 0;
  for (const std::string& line : text_lines(o.out)) {
    if (!line.starts_with("by hand: ")) continue;
    INFO(line);
    CHECK(contains(page, compressed(line) + "\n"));
    ++rows;
  }
  CHECK(rows == 11);
}

TEST_CASE("an untrained run is certified not to solve its task", "[program]") {
  const TemporaryFolder folder;
  const std::string run = (folder.path() / "run").string();
  REQUIRE(headlight_program(
              "train --steps 2 --context 32 --vocab 32 --d-model 16 --heads 2 --batch 8 --out " + run)
              .status == 0);
  const auto summary = nlohmann::json::parse(read_file(run + "/summary.json"));
  CHECK(summary["passed"] == false);
  CHECK(summary["certificate"]["verdict"] == "does not solve the task");
  const Outcome text = headlight_program("certify " + run), json = headlight_program("certify --json " + run);
  CHECK(text.status == 1);
  CHECK(json.status == 1);
  CHECK(contains(text.out, "Certificate: does not solve the task\n"));
  for (const char* key : {"matching:", "copying:", "composition:", "necessity:", "sufficiency:", "order:"})
    CHECK(contains(text.out, key));
  const auto certificate = nlohmann::json::parse(json.out);
  CHECK((certificate["command"] == "certify" && certificate["run"] == run));
  CHECK(certificate["claims"].size() == 6);
  CHECK(certificate["claims"] == summary["certificate"]["claims"]);
}

TEST_CASE("certify says what it cannot examine", "[program]") {
  const TemporaryFolder folder;
  const Outcome nothing = headlight_program("certify");
  CHECK(nothing.status == 2);
  CHECK(contains(nothing.err, "expected a run folder, or --controls"));
  const Outcome both = headlight_program("certify runs/demo --by-hand");
  CHECK(both.status == 2);
  CHECK(contains(both.err, "give either a folder or --controls"));
  const std::string run = (folder.path() / "reverse").string();
  REQUIRE(headlight_program(
              "train --task reverse --architecture encoder-decoder --steps 1 --context 24 --d-model 16 "
              "--heads 2 --batch 8 --out " +
              run)
              .status == 0);
  const Outcome encoder = headlight_program("certify " + run);
  CHECK(encoder.status == 2);
  CHECK(contains(encoder.err, "[certify] expected a decoder"));
}

TEST_CASE("certify tries every input, proves from the weights and draws anew, in words and in JSON",
          "[program]") {
  const TemporaryFolder folder;
  const std::string run = (folder.path() / "run").string();
  REQUIRE(headlight_program("train --steps 2 --context 16 --vocab 10 --min-segment 2 --max-segment 4 "
                            "--d-model 8 --heads 1 --norm none --batch 8 --out " +
                            run)
              .status == 0);
  const auto json_of = [&](const std::string& how) {
    const Outcome o = headlight_program("certify " + run + " --json " + how);
    INFO(o.err);
    CHECK(o.status == 1);  // two steps of training make no induction head
    return nlohmann::json::parse(o.out);
  };
  ThreadPool pool(1);
  const run::Run read = run::read_run(run, run::parts::kTrained);
  const interpret::AllInputs all = interpret::try_all_inputs(*read.model, read.task, 4, pool);
  REQUIRE((all.inputs == 10 * 9 * 8 * 2 && all.right > 0 && all.wrong > all.right));
  CHECK(json_of("--all-inputs 4")["all_inputs"] == nlohmann::json{{"length", 4},
                                                                  {"tokens", 10},
                                                                  {"inputs", all.inputs},
                                                                  {"right", all.right},
                                                                  {"wrong", all.wrong},
                                                                  {"undecided", all.undecided},
                                                                  {"accuracy", all.accuracy()},
                                                                  {"least_margin", all.least_margin},
                                                                  {"largest_radius", all.largest_radius}});
  const interpret::WeightsBound bound = interpret::bound_from_weights(*read.model, read.task, 5, 3, pool);
  const auto term = [](const interpret::BoundTerm& t) {
    return nlohmann::json{{"least", t.least}, {"mean", t.mean}};
  };
  nlohmann::json levels;
  for (const interpret::BoundLevel& level : bound.levels)
    levels.push_back({{"known", level.known}, {"cases", level.cases}, {"proven", level.proven}});
  REQUIRE((bound.inputs == 10 * 9 * 8 * 7 * 3 && levels.size() == 2));
  CHECK(json_of("--from-weights 5")["from_weights"] == nlohmann::json{{"length", 5},
                                                                      {"tokens", 10},
                                                                      {"inputs", bound.inputs},
                                                                      {"proven", bound.proven()},
                                                                      {"accuracy_at_least", bound.accuracy()},
                                                                      {"levels", levels},
                                                                      {"steps",
                                                                       {{"previous", term(bound.previous)},
                                                                        {"lead", term(bound.lead)},
                                                                        {"weight", term(bound.weight)},
                                                                        {"margin", term(bound.margin)}}}});
  CHECK(contains(headlight_program("certify " + run + " --all-inputs 4").out, "Every input of 4 tokens"));
  CHECK(contains(headlight_program("certify " + run + " --from-weights 4").out, "Of the 1,440 inputs"));
  CHECK(contains(headlight_program("certify " + run + " --redraws 2").out, "certified 2 times"));
  const std::string weak = (folder.path() / "weak").string();
  run::Run differing = studies::weak_run(0.04);  // from draw to draw, see the test of stability()
  run::RunConfig config = differing.config;
  config.train.steps = 1;
  run::Experiment trained(config);
  trained.run_until(1);
  run::Run saved = trained.measure();
  saved.model = std::move(differing.model);
  run::write_run(weak, saved);
  CHECK(nlohmann::json::parse(headlight_program("certify " + weak + " --json --redraws 5").out)["redraws"] ==
        nlohmann::json::parse(R"({"draws": 5, "circuits": 0, "heads": [
          {"head": "L0H0", "induction": 0, "previous_token": 2, "helper": 3},
          {"head": "L1H0", "induction": 5, "previous_token": 0, "helper": 0}]})"));
  check_refused("certify " + run + " --redraws 2 --all-inputs 4",
                "give one of --all-inputs, --from-weights and --redraws.");
}

TEST_CASE("certify ends with status 0 where a proof holds for every input", "[program]") {
  const TemporaryFolder folder;
  const std::string run = (folder.path() / "run").string(), by_hand = (folder.path() / "by_hand").string();
  REQUIRE(
      headlight_program("train --steps 1 --vocab 6 --context 12 --min-segment 2 --max-segment 4 --heads 1 "
                        "--d-model 42 --d-head 18 --norm none --positions learned --batch 8 --out " +
                        run)
          .status == 0);
  run::Run changed = run::read_run(run);
  *changed.model = nn::induction_by_hand({.d_vocab = 6, .n_ctx = 12, .n_heads = 1});
  run::write_run(by_hand, changed);
  for (const std::string how : {" --all-inputs 4", " --from-weights 4"}) {
    CHECK(headlight_program("certify " + by_hand + how).status == 0);
    CHECK(headlight_program("certify " + run + how).status == 1);
  }
}
