// Which runs a plan stands for, and what it refuses.
#include "headlight/sweep/sweep_plan.h"

#include <set>

#include "catch.h"
#include "run/small_config.h"

using namespace headlight;
using namespace headlight::run;
using namespace headlight::sweep;

TEST_CASE("a setting varies under any of its names", "[sweep]") {
  for (const char* name : {"heads", "--heads", "n_heads", "model.n_heads"}) {
    const VariedSetting varied = varied_setting(std::string(name) + "=1,2,4");
    CHECK(varied.setting.part == "model");
    CHECK(varied.setting.row->key == "n_heads");
    CHECK(varied.values == std::vector<SettingValue>{std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{4}});
  }
  CHECK(varied_setting("bias=true,false").values == std::vector<SettingValue>{true, false});
  CHECK(varied_setting("lr=1e-3").values == std::vector<SettingValue>{1e-3});
}

TEST_CASE("a varied setting that makes no sense gets one sentence", "[sweep]") {
  const auto message = [](const char* text) { return error_of([&] { varied_setting(text); }); };
  CHECK(contains(message("haeds=1"), "there is no setting 'haeds'. Did you mean 'heads'?"));
  CHECK(message("heads=1,x") == "heads: expected a whole number of at least 0, got 'x'.");
  CHECK(message("lr=0") == "lr must be above 0, got 0.");
  CHECK(contains(message("heads=1,,2"), "got ''"));
  CHECK(contains(message("positions=rotray"), "Did you mean 'rotary'?"));
  CHECK(message("heads=2,1,2") == "heads has the value '2' twice.");
  CHECK(contains(message("heads"), "such as heads=1,2,4, got 'heads'"));
  CHECK(contains(message("seed=1,2"), "given by --seeds"));
}

TEST_CASE("seeds are a range or a list", "[sweep]") {
  CHECK(seeds_from_text("3..5") == std::vector<std::uint64_t>{3, 4, 5});
  CHECK(seeds_from_text("7") == std::vector<std::uint64_t>{7});
  CHECK(seeds_from_text("18446744073709551614..18446744073709551615").size() == 2);
  CHECK(seeds_from_text("9,1") == std::vector<std::uint64_t>{9, 1});
  const auto message = [](const char* text) { return error_of([&] { seeds_from_text(text); }); };
  CHECK(contains(message("5..3"), "end before they begin"));
  CHECK(contains(message("1,1"), "the seed '1' is given twice"));
  for (const char* text : {"", "a", "1..", "-1", "1..b", "1,,2", "1.5"})
    CHECK(contains(message(text), "like 0..9 or 1,5,7"));
  CHECK(contains(message("0..10000"), "may have 10000 runs"));
  CHECK(contains(message("0..18446744073709551615"), "may have 10000 runs"));
}

TEST_CASE("a plan is all combinations, seeds varying fastest", "[sweep]") {
  const SweepPlan plan{
      small_config(), {varied_setting("heads=2,4"), varied_setting("positions=rotary,none")}, {5, 6}};
  const auto runs = planned_runs(plan);
  REQUIRE(runs.size() == 8);
  CHECK(runs[0].folder == "heads=2_positions=rotary_seed=5");
  CHECK(runs[1].folder == "heads=2_positions=rotary_seed=6");
  CHECK(runs[2].folder == "heads=2_positions=none_seed=5");
  CHECK(runs[7].folder == "heads=4_positions=none_seed=6");
  CHECK(runs[7].config.model.n_heads == 4);
  CHECK(runs[7].config.train.seed == 6);
  CHECK(runs[7].config.model.positions == "none");
  CHECK(runs[7].combination == 3);
  CHECK(combination_names(plan)[3] == "heads=4 positions=none");
  CHECK(combination_values(plan, 2) == std::vector<std::string>{"4", "rotary"});
  CHECK(combination_names({small_config(), {}, {1, 2}}) == std::vector<std::string>{"all"});
  CHECK(planned_runs({small_config(), {}, {1, 2}})[1].folder == "seed=2");
}

TEST_CASE("names of folders stay short and differ", "[sweep]") {
  std::string rates = "lr=";
  for (int i = 1; i <= 3; ++i)
    rates += std::string(i > 1 ? "," : "") + "0." + std::string(130, '0') + std::to_string(i);
  const auto runs = planned_runs({small_config(), {varied_setting(rates)}, {0}});
  std::set<std::string> names;
  for (const PlannedRun& run : runs) {
    CHECK(run.folder.size() <= 130);
    names.insert(run.folder);
  }
  CHECK(names.size() == 3);
}

TEST_CASE("runs are numbered from 0 where their names would be too long", "[sweep]") {
  const auto folders = [](const std::string& rates) {
    SweepPlan plan{small_config(), {varied_setting(rates)}, {7}};
    for (const char* one : {"layers=1", "heads=2", "d-model=16", "batch=12", "shards=4", "warmup=10",
                            "beta1=0.75", "weight-decay=0.25", "label-smoothing=0.125"})
      plan.varied.push_back(varied_setting(one));
    std::vector<std::string> all;
    for (const PlannedRun& run : planned_runs(plan)) all.push_back(run.folder);
    return all;
  };
  const std::string longest =
      "lr=0.5_layers=1_heads=2_d-model=16_batch=12_shards=4_warmup=10_beta1=0.75_weight-decay=0.25_label-"
      "smoothing=0.125_seed=7";
  REQUIRE(longest.size() == 120);
  CHECK(folders("lr=0.5") == std::vector<std::string>{longest});
  CHECK(folders("lr=0.25") == std::vector<std::string>{"run-0000"});
  CHECK(folders("lr=0.5,0.25") == std::vector<std::string>{"run-0000", "run-0001"});
}

TEST_CASE("a plan that cannot be run is refused as a whole", "[sweep]") {
  const auto message = [](const SweepPlan& plan) { return error_of([&] { planned_runs(plan); }); };
  CHECK(contains(message({small_config(), {varied_setting("heads=2,3")}, {0}}),
                 "with heads=3: d_model = 16 is not divisible by n_heads = 3"));
  CHECK(contains(message({small_config(), {varied_setting("heads=2"), varied_setting("n_heads=4")}, {0}}),
                 "heads varies twice"));
  CHECK(contains(message({small_config(), {varied_setting("batch=12,13")}, {0}}),
                 "with batch=13: a batch of 13"));
  CHECK(contains(message({small_config(), {}, {}}), "at least one seed"));
  std::string steps = "steps=1";
  for (int i = 2; i <= 101; ++i) steps += "," + std::to_string(i);
  CHECK(contains(message({small_config(), {varied_setting(steps)}, seeds_from_text("0..99")}),
                 "a sweep may have 10000 runs, and this one has"));
}

TEST_CASE("equal plans have equal JSON", "[sweep]") {
  const SweepPlan plan{small_config(), {varied_setting("heads=2,4")}, {0, 1}};
  CHECK(to_json(plan) == to_json(SweepPlan{small_config(), {varied_setting("n_heads=2,4")}, {0, 1}}));
  CHECK(to_json(plan) != to_json(SweepPlan{small_config(), {varied_setting("heads=4,2")}, {0, 1}}));
  CHECK(to_json(plan) != to_json(SweepPlan{small_config(), {varied_setting("heads=2,4")}, {0}}));
  RunConfig other = small_config();
  other.train.steps += 1;
  CHECK(to_json(plan) != to_json(SweepPlan{other, {varied_setting("heads=2,4")}, {0, 1}}));
}
