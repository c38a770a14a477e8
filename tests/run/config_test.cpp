#include "catch.h"
#include "headlight/train/trainer.h"
#include "run/small_config.h"

using namespace headlight;
using namespace headlight::run;

TEST_CASE("a config says the same after a round through JSON", "[experiment]") {
  RunConfig c = small_config();
  c.model.positions = "learned-qk";
  c.train.seed = 18446744073709551615ULL;
  c.train.schedule = "cosine";
  CHECK(to_json(run_config_from_json(to_json(c))) == to_json(c));
  CHECK(run_config_from_json("{}").train.steps == RunConfig{}.train.steps);
}

TEST_CASE("configs that make no sense get one sentence", "[experiment]") {
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
