// Weights that do not fit a model, and run folders with something wrong.
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "headlight/run/experiment.h"
#include "headlight/run/run.h"
#include "headlight/run/run_files.h"
#include "headlight/system/files.h"
#include "headlight/train/safetensors.h"
#include "headlight/train/weights.h"
#include "run/saved.h"
#include "run/small_config.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::run;
using train::set_weights;
using train::Weights;
using train::weights_of;

namespace {

void save_small_run(const std::filesystem::path& folder) {
  RunConfig config = small_config();
  config.train.steps = 4;
  config.train.evaluate_every = 2;
  Experiment run(config, {.threads = 1});
  run.run_until(2);
  save(run, folder);
}

}  // namespace

TEST_CASE("weights: each way not to fit a model", "[run]") {
  const auto model = make_model(small_config());
  const auto refused = [&](auto change) {
    Weights weights = weights_of(*model);
    change(weights);
    return error_of([&] { set_weights(*model, std::move(weights), "file"); });
  };
  const std::string name = "blocks.1.attn.W_K";
  CHECK(contains(refused([&](Weights& w) { w.erase(name); }), "'file' lacks 'blocks.1.attn.W_K'"));
  CHECK(contains(refused([&](Weights& w) { w[name] = full_array({256}, 0); }),
                 "'blocks.1.attn.W_K' of shape (256), but the model needs (16,16)"));
  CHECK(contains(refused([&](Weights& w) { w[name] = full_array({16, 17}, 0); }), "needs (16,16)"));
  CHECK(contains(refused([&](Weights& w) { w["extra"] = full_array({1}, 0); }),
                 "'file' has 'extra', which the model does not"));
  for (const Real bad : {std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::infinity(),
                         -std::numeric_limits<Real>::infinity()})
    for (const std::size_t at : {0, 100, 255})
      CHECK(contains(refused([&](Weights& w) { w[name].data()[at] = bad; }),
                     "'file' has numbers in 'blocks.1.attn.W_K' that are not finite"));
}

TEST_CASE("damaged runs are named and refused", "[run]") {
  const TemporaryFolder folder;
  const auto run = folder.path() / "run";
  CHECK(contains(error_of([&] { read_run(run); }), "there is no run"));
  save_small_run(run);
  const auto weights = run / "model.safetensors";
  const std::string good = read_file(weights);
  const auto refused = [&](const std::string& bytes) {
    write_file(weights, bytes);
    return error_of([&] { read_run(run); });
  };
  CHECK(contains(refused(good.substr(0, good.size() - 1)), "is not a whole safetensors file"));
  CHECK(contains(refused(good + "x"), "1 bytes after the last array"));
  CHECK(contains(refused(good.substr(0, 5)), "only 5 bytes long"));
  CHECK(contains(refused(""), "only 0 bytes long"));
  std::string huge = good;
  huge[6] = '\x7f';
  CHECK(contains(refused(huge), "which are not there"));
  std::string broken = good;
  broken[20] = '\x01';
  CHECK(contains(refused(broken), "is not a whole safetensors file"));
  std::string poisoned = good;
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  std::memcpy(poisoned.data() + poisoned.size() - sizeof(Real), &nan, sizeof(Real));
  CHECK(contains(refused(poisoned), "that are not finite"));
  std::filesystem::remove(weights);
  CHECK(contains(error_of([&] { read_run(run); }), "there is no file"));
  RunConfig wider = small_config();
  wider.model.d_model = 32;
  write_file(weights, good);
  write_file(run / "config.json", to_json(wider));
  CHECK(contains(error_of([&] { read_run(run); }), "but the model needs"));
  write_file(run / "config.json", "{");
  CHECK(contains(error_of([&] { read_run(run); }), "not valid JSON"));
}

TEST_CASE("a run's folder: each file that is missing or wrong", "[run]") {
  const TemporaryFolder folder;
  const auto run = folder.path() / "run";
  const auto refused = [&] { return error_of([&] { read_run(run); }); };
  CHECK(contains(refused(), "there is no run '" + run.string() + "'"));
  std::filesystem::create_directory(run);
  CHECK(contains(refused(), "is not a run: it has no config.json"));
  Experiment trained(small_config(), {.threads = 1});
  trained.step();
  save(trained, run);
  CHECK_NOTHROW(read_run(run));
  RunConfig impossible = small_config();
  impossible.train.steps = 0;
  write_file(run / "config.json", to_json(impossible));
  CHECK(contains(refused(), "config.json' cannot be used: train.steps must be at least 1, got 0."));
  impossible = small_config();
  impossible.model.n_heads = 3;
  write_file(run / "config.json", to_json(impossible));
  CHECK(contains(refused(), "config.json' cannot be used: d_model = 16 is not divisible"));
}

TEST_CASE("a config that asks for far more weights than there are is refused before it gets them", "[run]") {
  const TemporaryFolder folder;
  const auto run = folder.path() / "run";
  Experiment trained(small_config(), {.threads = 1});
  trained.step();
  save(trained, run);
  RunConfig large = small_config();
  large.model.n_heads = large.model.n_kv_heads = 10'000;
  large.model.d_head = 100;
  write_file(run / "config.json", to_json(large));
  auto summary = nlohmann::ordered_json::parse(read_file(run / "summary.json"));
  summary["heads"] = nlohmann::ordered_json::array();  // which it would be compared with first
  write_file(run / "summary.json", summary.dump());
  const std::string error = error_of([&] { read_run(run); });
  INFO(error);
  CHECK(contains(error,
                 "config.json' cannot be used: its model has about 128002048 parameters, but "
                 "model.safetensors holds 4128 numbers."));
}

TEST_CASE("finite weights of which the logits are not finite are refused", "[run]") {
  const TemporaryFolder folder;
  const auto run = folder.path() / "run";
  Experiment trained(small_config(), {.threads = 1});
  trained.step();
  save(trained, run);
  train::SafetensorsFile file = train::load_safetensors(run / "model.safetensors");
  train::NamedArrays arrays;
  for (auto& [name, array] : file.arrays) {
    array *= 1e20F;
    arrays.emplace_back(name, &array);
  }
  train::save_safetensors(run / "model.safetensors", arrays);
  CHECK(contains(error_of([&] { read_run(run); }),
                 "model.safetensors' has parameters so large that the model's logits are not finite."));
}

TEST_CASE("a config that was edited cannot make another file the text of a run", "[run]") {
  const TemporaryFolder folder;
  const auto text = folder.path() / "secret.txt", run = folder.path() / "run";
  write_file(text, "the cat sat on the mat, and the dog sat on the cat; then the mat sat on the dog.");
  RunConfig config = small_config();
  config.task = {.name = "text", .n_ctx = 16, .text = text.string()};
  Experiment trained(config, {.threads = 1});
  trained.step();
  save(trained, run);
  write_file(run / "config.json", to_json(config));
  CHECK(contains(error_of([&] { read_run(run); }), "secret.txt', but a run keeps its own, text.txt."));
}

TEST_CASE("weights are tried with all tokens of a small vocabulary", "[run]") {
  const TemporaryFolder folder;
  const auto run = folder.path() / "run", file = run / files::kModel;
  RunConfig config = small_config();
  config.task.d_vocab = 40;
  config.model.norm = nn::NormKind::none;  // a norm would make any finite row small
  Experiment trained(config, {.threads = 1});
  trained.step();
  save(trained, run);
  Weights weights = train::load_safetensors(file).arrays;
  Array& embedded = weights.at("embed.W_E");
  REQUIRE(embedded.shape()[0] > config.task.n_ctx + 1);
  const std::size_t width = embedded.shape()[1];  // of the last token, half far above 0 and half far below
  for (std::size_t i = 0; i < width; ++i)
    embedded.data()[embedded.size() - width + i] = i % 2 == 0 ? Real{3e38F} : Real{-3e38F};
  train::NamedArrays named;
  for (auto& [name, array] : weights) named.emplace_back(name, &array);
  train::save_safetensors(file, named, {});
  CHECK(contains(error_of([&] { read_run(run); }), "that the model's logits are not finite"));
}

TEST_CASE("numbers that cannot be are refused, as in a run that was edited", "[run]") {
  const TemporaryFolder folder;
  const auto run = folder.path() / "run";
  save_small_run(run);
  auto json = nlohmann::ordered_json::parse(read_file(run / files::kSummary));
  const auto refused = [&](auto change, const std::string& part) {
    auto changed = json;
    change(changed);
    write_file(run / files::kSummary, changed.dump());
    const std::string message = error_of([&] { read_run(run, Parts::results); });
    INFO(message);
    CHECK(contains(message, part));
  };
  refused([](auto& j) { j["accuracy"]["predictable"] = 7; },
          "summary.json' is damaged: 'accuracy.predictable': expected a number from 0 to 1, got 7");
  refused([](auto& j) { j["loss"]["all"] = -1; }, "'loss.all': expected a number of at least 0, got -1");
  refused([](auto& j) { j["steps"] = 1.5; }, "'steps': expected a whole number, got 1.5");
  refused([](auto& j) { j["steps"] = -2; }, "'steps': expected a whole number of at least 0, got -2");
  refused([](auto& j) { j["heads"][1]["induction"] = 2; },
          "'heads[1].induction': expected a number from 0 to 1");
  refused([](auto& j) { j["heads"].erase(3); }, "its heads are not those of 2 layers with 2 heads");
  refused([](auto& j) { std::swap(j["heads"][0], j["heads"][1]); }, "its heads are not those");
  refused([](auto& j) { j.erase("task"); }, "it lacks 'task'");
  refused([](auto& j) { j["formed_at_step"] = 100; }, "'formed_at_step' is after the 2 steps");
  refused(
      [](auto& j) {
        interpret::Certificate c;
        c.induction_heads = {{7, 0}};
        j["passed"] = false;
        j["certificate"] = nlohmann::ordered_json::parse(to_json(c));
      },
      "its heads are not those");
  const auto certified = [&](const std::string& words, auto change) {
    refused(
        [&](auto& j) {
          interpret::Certificate c;
          c.claims = {
              {"matching", "Matching", interpret::Standing::holds, 0.9, 0.1, 0.3, 0.3, false, true, ""}};
          c.accuracy = 1, c.verdict = interpret::Verdict::circuit;
          j["passed"] = true;
          change(c);
          j["certificate"] = nlohmann::ordered_json::parse(to_json(c));
        },
        words);
  };
  certified("the claim 'matching' does not stand as its numbers say",
            [](auto& c) { c.claims[0].control = 0.4; });
  certified("the claim 'matching' does not stand as its numbers say",
            [](auto& c) { c.claims[0].standing = interpret::Standing::fails; });
  certified("the verdict does not follow from its claims",
            [](auto& c) { c.verdict = interpret::Verdict::unsolved; });
  certified("the steps of its formation do not rise", [](auto& c) {
    c.formation = {{1, 0, 0, 0}, {1, 0, 0, 0}};
  });
  certified("its certificate formed after the 2 steps of the run", [](auto& c) {
    c.formation = {{1, 0, 0, 0}, {5, 0, 0, 0}};
  });
  certified("'passed' contradicts the certificate",
            [](auto& c) { c.accuracy = 0.2, c.verdict = interpret::Verdict::unsolved; });
  refused([](auto& j) { j["task"] = "copy"; }, "is of the task 'copy', but config.json of 'repeat'");
}
