// What is listed of a run, and what its summary says of the best heads.
#include <nlohmann/json.hpp>

#include "catch.h"
#include "headlight/run/results.h"

using namespace headlight;
using namespace headlight::run;

namespace {

Results whole_results() {
  Results r;
  r.command = "./headlight demo", r.version = "Headlight 9", r.task = "repeat";
  r.seed = 3, r.steps = 40, r.interrupted = true;
  r.train_seconds = 12.34, r.tokens_per_second = 4567.8;
  r.formed_at_step = 20, r.formed_at_seconds = 6.15;
  r.evaluation.accuracy_predictable = .81;
  r.evaluation.loss_predictable = .32, r.evaluation.loss_unpredictable = .33, r.evaluation.loss = .31;
  r.accuracy_held_out = .825, r.loss_held_out = .34;
  r.lowest_held_out = LowestHeldOut{12, .35};
  r.certificate.emplace().verdict = interpret::Verdict::another_way;
  train::Evaluation unigrams, best;
  unigrams.loss = .36, best.loss = .38;
  r.baselines = {{"unigrams", unigrams, .37}, {kBestPossible, best}};
  r.heads = {{0, 1, {.1, .2, .3, .3, .4}}, {1, 0, {.6, .2, .1}}, {1, 2, {.2, .1, .7, .3, .4, .45}}};
  return r;
}

}  // namespace

TEST_CASE("the list of results has its lines in order", "[run]") {
  const Results r = whole_results();
  CHECK(facts(r, {.predictable = "copied", .others = "other"}) ==
        Facts{{"command", "./headlight demo"},
              {"made with", "Headlight 9"},
              {"seed", "3"},
              {"steps of training", "40, then interrupted"},
              {"time of training", "12.3 s, 4568 tokens a second"},
              {"copied accuracy of 50 %", "first at step 20, after 6.2 s"},
              {"copied accuracy", "81.0 %"},
              {"the same on held-out sequences", "82.5 %"},
              {"loss on copied tokens", "0.3200 nats"},
              {"loss on other tokens", "0.3300 nats"},
              {"loss on all tokens", "0.3100 nats"},
              {"loss on held-out sequences", "0.3400 nats"},
              {"the lowest of the snapshots measured", "0.3500 nats at step 12"},
              {"certificate", "solves the task another way"},
              {"loss of unigrams", "0.3600 nats; 0.3700 nats on held-out sequences"},
              {"best possible loss", "0.3800 nats"},
              {"best induction score", "0.700, layer 1, head 2"},
              {"best previous-token score", "0.600, layer 1, head 0"},
              {"best answer score", "0.450, layer 1, head 2"}});
}

TEST_CASE("an accuracy that begins above half was not seen to pass it", "[run]") {
  Results r = whole_results();
  r.formed_at_step = 0;
  const Facts listed = facts(r, {.predictable = "copied", .others = "other"});
  CHECK(std::find(listed.begin(), listed.end(),
                  std::pair<std::string, std::string>("copied accuracy of 50 %", "at step 0 already")) !=
        listed.end());
}

TEST_CASE("a list of results leaves out what was not measured", "[run]") {
  Results r;
  r.version = "Headlight 9", r.seed = 1, r.steps = 2, r.evaluation.loss = 3;
  CHECK(facts(r, {}) == Facts{{"made with", "Headlight 9"},
                              {"seed", "1"},
                              {"steps of training", "2"},
                              {"time of training", "0.0 s, 0 tokens a second"},
                              {"loss on all tokens", "3.0000 nats"}});
}

TEST_CASE("the summary has the best head of each score that a head has", "[run]") {
  Results r = whole_results();
  const auto best = [&] { return nlohmann::json::parse(to_json(r)).at("best"); };
  CHECK(best() == nlohmann::json::parse(R"({"induction": {"layer": 1, "head": 2, "score": 0.7},
                                            "previous_token": {"layer": 1, "head": 0, "score": 0.6},
                                            "answer": {"layer": 1, "head": 2, "score": 0.45}})"));
  r.heads[2].stack = interpret::Stack::cross;
  r.heads[2].values.resize(3);
  CHECK(best() ==
        nlohmann::json::parse(R"({"induction": {"layer": 1, "head": 2, "score": 0.7, "stack": "cross"},
                                  "previous_token": {"layer": 1, "head": 0, "score": 0.6}})"));
}

TEST_CASE("every number of a summary stands under its own key", "[run]") {
  Results r = whole_results();
  r.loss_first = 4.1, r.loss_last = .2, r.passed = false, r.verdict = "A verdict.", r.diverged = true;
  r.certificate.reset();
  r.baselines[0].losses.loss_predictable = .41, r.baselines[0].losses.loss_unpredictable = .42;
  r.heads = {{1, 2, {.1, .2, .3, .4, .5}}};
  auto json = nlohmann::json::parse(to_json(r));
  json.erase("best");
  CHECK(json == nlohmann::json::parse(R"({
    "command": "./headlight demo", "version": "Headlight 9", "task": "repeat", "seed": 3, "steps": 40,
    "train_seconds": 12.34, "tokens_per_second": 4567.8, "formed_at_step": 20, "formed_at_seconds": 6.15,
    "accuracy": {"predictable": 0.81, "held_out": 0.825},
    "loss": {"first": 4.1, "last": 0.2, "all": 0.31, "predictable": 0.32, "unpredictable": 0.33,
             "held_out": 0.34},
    "heads": [{"layer": 1, "head": 2, "previous_token": 0.1, "duplicate_token": 0.2, "induction": 0.3,
               "self": 0.4, "first_token": 0.5}],
    "lowest_held_out": {"step": 12, "loss": 0.35},
    "best_possible_loss": {"all": 0.38, "predictable": null, "unpredictable": null},
    "reference_losses": [{"name": "unigrams", "all": 0.36, "predictable": 0.41, "unpredictable": 0.42,
                          "held_out": 0.37}],
    "passed": false, "verdict": "A verdict.", "interrupted": true, "diverged": true,
    "manifest": "manifest.json"})"));
}
