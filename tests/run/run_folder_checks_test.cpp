// Weights that do not fit a model, and run folders with something wrong.
#include <limits>

#include "catch.h"
#include "experiment/small_config.h"
#include "headlight/page/run_page.h"
#include "headlight/run/experiment.h"
#include "headlight/run/run.h"
#include "headlight/system/files.h"
#include "headlight/train/safetensors.h"
#include "headlight/train/weights.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::run;
using train::set_weights;
using train::Weights;
using train::weights_of;

TEST_CASE("weights: each way not to fit a model", "[experiment]") {
  const auto model = make_model(small_config());
  const auto refused = [&](auto change) {
    Weights weights = weights_of(*model);
    change(weights);
    return error_of([&] { set_weights(*model, std::move(weights), "file"); });
  };
  const std::string name = "blocks.1.attn.W_K";
  CHECK(contains(refused([&](Weights& w) { w.erase(name); }), "'file' lacks 'blocks.1.attn.W_K'"));
  CHECK(contains(refused([&](Weights& w) { w[name] = full_array({256}, 0); }),
                 "'blocks.1.attn.W_K' of shape (256), but the config's model needs (16,16)"));
  CHECK(contains(refused([&](Weights& w) { w[name] = full_array({16, 17}, 0); }), "needs (16,16)"));
  CHECK(contains(refused([&](Weights& w) { w["extra"] = full_array({1}, 0); }),
                 "'file' has 'extra', which the config's model does not"));
  for (const Real bad : {std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::infinity(),
                         -std::numeric_limits<Real>::infinity()})
    for (const std::size_t at : {0, 100, 255})
      CHECK(contains(refused([&](Weights& w) { w[name].data()[at] = bad; }),
                     "'file' has numbers in 'blocks.1.attn.W_K' that are not finite"));
}

TEST_CASE("a run's folder: each file that is missing or wrong", "[experiment]") {
  const TemporaryFolder folder;
  const auto run = folder.path() / "run";
  const auto refused = [&] { return error_of([&] { load_run(RunFolder(run, true)); }); };
  CHECK(contains(refused(), "there is no run '" + run.string() + "'"));
  std::filesystem::create_directory(run);
  CHECK(contains(refused(), "is not a run: it has no config.json"));
  Experiment trained(small_config(), {.threads = 1});
  trained.step();
  trained.save(run);
  CHECK_NOTHROW(load_run(run));
  RunConfig impossible = small_config();
  impossible.train.steps = 0;
  write_file(run / "config.json", to_json(impossible));
  CHECK(contains(refused(), "config.json' cannot be used: train.steps must be at least 1, got 0."));
  impossible = small_config();
  impossible.model.n_heads = 3;
  write_file(run / "config.json", to_json(impossible));
  CHECK(contains(refused(), "config.json' cannot be used: d_model = 16 is not divisible"));
}

TEST_CASE("a config that asks for far more weights than there are is refused before it gets them",
          "[experiment]") {
  const TemporaryFolder folder;
  const auto run = folder.path() / "run";
  Experiment trained(small_config(), {.threads = 1});
  trained.step();
  trained.save(run);
  RunConfig large = small_config();
  large.model.n_heads = large.model.n_kv_heads = 10'000;
  large.model.d_head = 100;
  write_file(run / "config.json", to_json(large));
  std::filesystem::remove(run / "summary.json");  // it tells of the heads too
  const std::string error = error_of([&] { load_run(RunFolder(run, true)); });
  INFO(error);
  CHECK(contains(
      error,
      "config.json' cannot be used: its model has about 128002048 weights, but model.safetensors holds 4128 "
      "numbers."));
}

TEST_CASE("finite weights of which the logits are not finite are refused", "[experiment]") {
  const TemporaryFolder folder;
  const auto run = folder.path() / "run";
  Experiment trained(small_config(), {.threads = 1});
  trained.step();
  trained.save(run);
  train::SafetensorsFile file = train::load_safetensors(run / "model.safetensors");
  train::NamedArrays arrays;
  for (auto& [name, array] : file.arrays) {
    array *= 1e20F;
    arrays.emplace_back(name, &array);
  }
  train::save_safetensors(run / "model.safetensors", arrays);
  CHECK(contains(error_of([&] { load_run(RunFolder(run, true)); }),
                 "model.safetensors' has weights so large that the model's logits are not finite."));
}

TEST_CASE("a link is no text of a run, unless it is trusted", "[experiment]") {
  const TemporaryFolder folder;
  const auto text = folder.path() / "secret.txt", run = folder.path() / "run", kept = run / "text.txt";
  write_file(text, "the cat sat on the mat, and the dog sat on the cat; then the mat sat on the dog.");
  RunConfig config = small_config();
  config.task = {.name = "text", .n_ctx = 16, .text = text.string()};
  Experiment trained(config, {.threads = 1});
  trained.step();
  trained.save(run);
  std::filesystem::remove(kept);
  std::filesystem::create_symlink(text, kept);
  CHECK(contains(error_of([&] { load_config(run); }), "text.txt' is a link, but a run keeps its own text."));
  CHECK_NOTHROW(load_config({run, true}));
}

TEST_CASE("weights are tried with all tokens of a small vocabulary", "[experiment]") {
  const TemporaryFolder folder;
  const auto run = folder.path() / "run", file = run / files::kModel;
  RunConfig config = small_config();
  config.task.d_vocab = 40;
  Experiment trained(config, {.threads = 1});
  trained.step();
  trained.save(run);
  Weights weights = train::load_safetensors(file).arrays;
  Array& embedded = weights.at("embed.W_E");
  REQUIRE(embedded.shape()[0] > config.task.n_ctx + 1);
  std::fill(embedded.end() - static_cast<std::ptrdiff_t>(embedded.shape()[1]), embedded.end(), Real{3e38F});
  train::NamedArrays named;
  for (auto& [name, array] : weights) named.emplace_back(name, &array);
  train::save_safetensors(file, named, {});
  CHECK(contains(error_of([&] { load_run({run, true}); }), "that the model's logits are not finite"));
}

TEST_CASE("a page is not written through a link in the run's folder", "[experiment]") {
  const TemporaryFolder folder;
  const auto run = folder.path() / "run", letter = folder.path() / "letter.txt";
  RunConfig config = small_config();
  config.train.history = 2;
  Experiment trained(config, {.threads = 1});
  trained.step();
  trained.save(run);
  write_file(letter, "Dear reader");
  std::filesystem::remove(run / files::kPage);
  std::filesystem::create_symlink(letter, run / files::kPage);
  CHECK(contains(error_of([&] { write_page(run); }), "report.html' is a link, and no page of the run."));
  CHECK(read_file(letter) == "Dear reader");
}
