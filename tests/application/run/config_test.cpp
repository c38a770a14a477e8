#include "catch.h"
#include "headlight/train/trainer.h"
#include "run/small_config.h"

using namespace headlight;
using namespace headlight::run;

TEST_CASE("a config says the same after a round through JSON", "[run]") {
  RunConfig c = small_config();
  c.model.positions = "learned-qk";
  c.train.seed = 18446744073709551615ULL;
  c.train.schedule = "cosine";
  CHECK(to_json(run_config_from_json(to_json(c))) == to_json(c));
  CHECK(run_config_from_json("{}").train.steps == RunConfig{}.train.steps);
}

TEST_CASE("a setting of another program's task is kept as it is", "[run]") {
  const std::string text =
      R"({"task": {"name": "sums", "prime": 97, "share": 0.3, "shuffled": true, "of": "x"}})";
  const RunConfig config = run_config_from_json(text);
  CHECK(config.task.own ==
        std::map<std::string, SettingValue>{
            {"of", std::string("x")}, {"prime", std::uint64_t{97}}, {"share", 0.3}, {"shuffled", true}});
  CHECK(run_config_from_json(to_json(config)).task.own == config.task.own);
  CHECK(error_of([] { run_config_from_json(R"({"task": {"name": "sums", "prime": [1]}})"); }) ==
        "the config's 'task.prime' cannot be [1]: a number, a text, true or false is expected.");
  CHECK(contains(error_of([] { run_config_from_json(R"({"task": {"name": "copy", "prime": 97}})"); }),
                 "the config has an unknown key 'task.prime'"));
  CHECK(contains(error_of([] { run_config_from_json(R"({"model": {"prime": 97}})"); }),
                 "the config has an unknown key 'model.prime'"));
}

TEST_CASE("configs that make no sense get one sentence", "[run]") {
  const auto parse = [](const std::string& text) { return error_of([&] { run_config_from_json(text); }); };
  CHECK(contains(parse("[1]"), "must be an object"));
  CHECK(contains(parse(R"({"train":{"stpes":3}})"), "unknown key 'train.stpes'"));
  CHECK(contains(parse(R"({"trian":{}})"), "unknown key 'trian'"));
  CHECK(contains(parse(R"({"train":{"steps":"many"}})"), "'train.steps' cannot be \"many\""));
  CHECK(contains(parse(R"({"train":{"batch":-3}})"), "'train.batch' cannot be -3"));
  CHECK(contains(parse(R"({"model":{"norm":"odd"}})"), "unknown kind of norm 'odd'"));
  const auto check_with = [](auto change) {
    RunConfig c;
    change(c);
    return error_of([&] { check_config(c); });
  };
  CHECK(contains(check_with([](auto& c) { c.train.shards = 5; }),
                 "32 sequences cannot be cut into 5 equal shards"));
  CHECK(contains(check_with([](auto& c) { c.train.optimizer = "tiger"; }), "unknown optimizer 'tiger'"));
  CHECK(contains(check_with([](auto& c) { c.model.positions = "odd"; }), "unknown kind of positions 'odd'"));
  CHECK(contains(check_with([](auto& c) { c.train.learning_rate = 0; }),
                 "train.learning_rate must be above 0, got 0."));
  CHECK(contains(check_with([](auto& c) { c.train.steps = 0; }), "train.steps must be at least 1, got 0."));
}
