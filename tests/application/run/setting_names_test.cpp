// What is written where the config says 0 for a default, and how messages name settings.
#include <cstring>

#include "catch.h"
#include "headlight/run/experiment.h"
#include "headlight/run/run.h"
#include "headlight/run/run_files.h"
#include "headlight/run/run_list.h"
#include "headlight/system/files.h"
#include "headlight/train/weights.h"
#include "run/saved.h"
#include "run/small_config.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::run;

TEST_CASE("a run's config has the numbers that were used, and gives the same bits", "[run]") {
  const RunConfig asked = small_config();
  CHECK(asked.task.min_segment == 0);
  Experiment run(asked, {.threads = 1});
  CHECK(run.config().task.min_segment == 4);
  CHECK(run.config().task.max_segment == 8);
  CHECK(run.config().model.d_head == 8);
  CHECK(to_json(filled_in(run.config())) == to_json(run.config()));
  Experiment again(run.config(), {.threads = 1});
  run.run_until(2);
  again.run_until(2);
  const auto a = train::weights_of(run.model()), b = train::weights_of(again.model());
  for (const auto& [name, array] : a)
    CHECK(std::memcmp(array.data(), b.at(name).data(), array.size() * sizeof(Real)) == 0);
}

TEST_CASE("a run goes on from a config with zeros, as older versions wrote it", "[run]") {
  const TemporaryFolder folder;
  RunConfig asked = small_config();
  asked.train.steps = 4;
  Experiment whole(asked, {.threads = 1}), first(asked, {.threads = 1});
  whole.run_until(4);
  first.run_until(2);
  const auto path = folder.path() / "run";
  save(first, path);
  CHECK(read_file(path / files::kConfig) == to_json(filled_in(asked)));
  write_file(path / files::kConfig, to_json(asked));
  Experiment rest = Experiment::resume(read_run(path), {.threads = 1});
  rest.run_until(4);
  save(rest, path);
  CHECK(read_file(path / files::kConfig) == to_json(filled_in(asked)));
  save(whole, folder.path() / "whole");
  for (const char* file : {files::kModel, files::kMetrics})
    CHECK(read_file(path / file) == read_file(folder.path() / "whole" / file));
}

TEST_CASE("a width that does not divide stays an error", "[run]") {
  RunConfig config = small_config();
  config.model.n_heads = 3;
  CHECK(filled_in(config).model.d_head == 0);
  CHECK(contains(error_of([&] { Experiment run(config); }), "d_model = 16 is not divisible by n_heads = 3"));
}

TEST_CASE("an error names settings as its reader does", "[run]") {
  RunConfig config = small_config();
  const auto names = [&] {
    try {
      check_config(config);
    } catch (const SettingError& e) {
      return std::vector{e.text().with(as_flag), e.text().with(as_full_key), std::string(e.what())};
    }
    return std::vector<std::string>{};
  };
  config.model.n_heads = 3;
  CHECK(names() ==
        std::vector<std::string>{
            "--d-model 16 is not divisible by --heads 3. Hint: choose a divisor, or set --d-head.",
            "model.d_model = 16 is not divisible by model.n_heads = 3. Hint: choose a divisor, or set "
            "model.d_head.",
            "d_model = 16 is not divisible by n_heads = 3. Hint: choose a divisor, or set d_head."});
  config = small_config();
  config.train.steps = 0;
  CHECK(names() == std::vector<std::string>{"--steps must be at least 1, got 0.",
                                            "train.steps must be at least 1, got 0.",
                                            "train.steps must be at least 1, got 0."});
  CHECK(as_flag(setting_key("task.distinct", false)) == "--repeats");
  CHECK(as_full_key(setting_key("d_vocab")) == "task.d_vocab");
  CHECK(as_flag(setting_key("no_setting", 3)) == "no_setting = 3");
}

TEST_CASE("of a run's settings those are named that were given", "[run]") {
  RunConfig config;
  CHECK(flags_of(filled_in(config)).empty());
  config.task.n_ctx = 32;
  config.model.n_heads = 8;
  config.train.seed = 3;
  CHECK(flags_of(config) == "--context 32 --heads 8 --seed 3");
  CHECK(flags_of(filled_in(config)) == "--context 32 --heads 8 --seed 3");
  config.task.max_segment = 12;
  config.task.distinct = false;
  CHECK(flags_of(filled_in(config)) == "--context 32 --max-segment 12 --repeats --heads 8 --seed 3");
}
