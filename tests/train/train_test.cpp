#include <cstring>
#include <fstream>

#include "catch.h"
#include "headlight/core/files.h"
#include "headlight/train/checkpoint.h"
#include "headlight/train/safetensors.h"
#include "headlight/train/trainer.h"
#include "temporary_folder.h"
#include "train/small_config.h"

using namespace headlight;
using namespace headlight::train;

namespace {

// All weights after some steps.
std::vector<Array> trained(const RunConfig& config, int threads, int steps) {
  const auto model = make_model(config);
  const auto task = tasks::make_task(config.task);
  ThreadPool pool(threads);
  Trainer trainer(*model, *task, config.train, pool);
  for (int i = 0; i < steps; ++i) trainer.step();
  std::vector<Array> weights;
  for (const auto& p : nn::parameters(*model)) weights.push_back(p.array());
  return weights;
}

bool same_bits(const std::vector<Array>& a, const std::vector<Array>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::memcmp(a[i].data(), b[i].data(), a[i].size() * sizeof(Real)) != 0) return false;
  return a.size() == b.size();
}

void require_same_bits_for_all_threads(const RunConfig& config) {
#if defined(__SANITIZE_ADDRESS__)
  constexpr int kSteps = 2;
#else
  constexpr int kSteps = 50;
#endif
  const auto one = trained(config, 1, kSteps);
  for (const int threads : {2, 3, 8}) CHECK(same_bits(one, trained(config, threads, kSteps)));
}

}  // namespace

TEST_CASE("the same bits for 1, 2, 3 and 8 threads", "[train]") {
  for (const RunConfig& config : {small_config(), RunConfig{}}) require_same_bits_for_all_threads(config);
}

#if !defined(__SANITIZE_ADDRESS__)  // there they would take minutes and show nothing more
namespace {

// A size of `./headlight bench`.
RunConfig sized(std::size_t d_model, std::size_t n_heads, std::size_t n_ctx, std::size_t batch,
                std::size_t d_mlp) {
  RunConfig c;
  c.task.n_ctx = c.model.n_ctx = n_ctx;
  c.task.distinct = false;
  c.model.d_model = d_model;
  c.model.n_heads = n_heads;
  c.model.d_mlp = d_mlp;
  c.train.batch = batch;
  c.train.shards = std::min<std::size_t>(8, batch);
  return c;
}

}  // namespace

TEST_CASE("the same bits for all threads: medium", "[train][long]") {
  require_same_bits_for_all_threads(sized(128, 4, 64, 64, 0));
}
TEST_CASE("the same bits for all threads: large", "[train][long]") {
  require_same_bits_for_all_threads(sized(256, 8, 128, 16, 1024));
}
TEST_CASE("the same bits for all threads: long", "[train][long]") {
  require_same_bits_for_all_threads(sized(64, 4, 1024, 4, 0));
}
TEST_CASE("the same bits for all threads: longer", "[train][long]") {
  require_same_bits_for_all_threads(sized(64, 4, 2048, 2, 0));
}
#endif

TEST_CASE("another seed gives other weights", "[train]") {
  RunConfig other = small_config();
  other.train.seed = 1;
  CHECK_FALSE(same_bits(trained(small_config(), 1, 1), trained(other, 1, 1)));
}

// Shards only change the order of additions.
TEST_CASE("one shard and four give the same step up to rounding", "[train]") {
  RunConfig whole = small_config();
  whole.train.shards = 1;
  whole.train.optimizer = "sgd";
  whole.train.clip = 0;  // clipping would hide a wrong length of the gradient
  RunConfig cut = whole;
  cut.train.shards = 4;
  const auto a = trained(whole, 1, 5), b = trained(cut, 1, 5);
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(difference(a[i], b[i]) < 10 * kRounding);
}

TEST_CASE("weights that the model has no place for are refused", "[train]") {
  const auto model = make_model(small_config());
  Weights weights = weights_of(*model);
  weights.emplace("blocks.9.attn.W_Q", full_array({1}, 0));
  CHECK(contains(error_of([&] { set_weights(*model, weights, "file"); }),
                 "'file' has 'blocks.9.attn.W_Q', which the config's model does not"));
}

TEST_CASE("the numbers of a safetensors file start at a multiple of eight", "[train]") {
  const TemporaryFolder folder;
  for (const char* name : {"a", "ab", "abc", "abcd"}) {
    const auto path = folder.path() / name;
    save_safetensors(path, {{name, full_array({3}, 1)}});
    const auto header = static_cast<unsigned char>(read_file(path).at(0));
    CHECK(header % 8 == 0);
  }
}

TEST_CASE("training lowers the loss", "[train]") {
  const RunConfig config = small_config();
  const auto model = make_model(config);
  const auto task = tasks::make_task(config.task);
  ThreadPool pool(2);
  Trainer trainer(*model, *task, config.train, pool);
  const double first = trainer.step().loss;
  double last = 0;
  while (trainer.steps_done() < 100) last = trainer.step().loss;
  CHECK(first > 2.3);
  CHECK(last < first - 0.3);
}

TEST_CASE("a loss that is not finite stops training and names the step", "[train]") {
  RunConfig config = small_config();
  config.train.learning_rate = 1e30;
  config.train.warmup = 0;
  const auto model = make_model(config);
  const auto task = tasks::make_task(config.task);
  ThreadPool pool(1);
  Trainer trainer(*model, *task, config.train, pool);
  const auto message = error_of([&] {
    for (int i = 0; i < 50; ++i) trainer.step();
  });
  CHECK(contains(message, "training stopped at step "));
  CHECK(contains(message, "is not finite. Hint: a smaller learning rate"));
}

TEST_CASE("evaluation does not depend on the threads and matches its definition", "[train]") {
  const RunConfig config = small_config();
  const auto model = make_model(config);
  const auto task = tasks::make_task(config.task);
  const auto batch = tasks::draw_batch(*task, 20, Rng(1));
  ThreadPool one(1), three(3);
  const Evaluation a = evaluate(*model, batch, one), b = evaluate(*model, batch, three);
  CHECK(a.accuracy_predictable == b.accuracy_predictable);
  CHECK(a.loss_predictable == b.loss_predictable);
  CHECK(a.loss_unpredictable > 1);
  CHECK(a.accuracy_predictable < 0.5);
}

TEST_CASE("a checkpoint comes back bit for bit", "[train]") {
  const TemporaryFolder folder;
  const RunConfig config = small_config();
  const auto model = make_model(config);
  save_checkpoint(folder.path() / "run", config, *model);
  const Checkpoint back = load_checkpoint(folder.path() / "run");
  CHECK(to_json(back.config) == to_json(config));
  std::vector<Array> a, b;
  for (const auto& p : nn::parameters(*model)) a.push_back(p.array());
  for (const auto& p : nn::parameters(*back.model)) b.push_back(p.array());
  CHECK(same_bits(a, b));
}

TEST_CASE("damaged checkpoints are named and refused", "[train]") {
  const TemporaryFolder folder;
  const auto run = folder.path() / "run";
  CHECK(contains(error_of([&] { load_checkpoint(run); }), "there is no run"));
  const auto model = make_model(small_config());
  save_checkpoint(run, small_config(), *model);
  const auto weights = run / "model.safetensors";
  const std::string good = read_file(weights);
  const auto refused = [&](const std::string& bytes) {
    write_file(weights, bytes);
    return error_of([&] { load_checkpoint(run); });
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
  CHECK(contains(error_of([&] { load_checkpoint(run); }), "there is no file"));
  RunConfig wider = small_config();
  wider.model.d_model = 32;
  write_file(weights, good);
  write_file(run / "config.json", to_json(wider));
  CHECK(contains(error_of([&] { load_checkpoint(run); }), "but the config's model needs"));
  write_file(run / "config.json", "{");
  CHECK(contains(error_of([&] { load_checkpoint(run); }), "not valid JSON"));
}

namespace {

std::string safetensors_bytes(const std::string& header, const std::string& buffer) {
  const std::uint64_t size = header.size();
  return std::string(reinterpret_cast<const char*>(&size), 8) + header + buffer;
}

}  // namespace

TEST_CASE("safetensors files are checked to the last byte", "[train]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "x.safetensors";
  const std::string four(16, '\0');
  const auto refused = [&](const std::string& header, const std::string& buffer) {
    write_file(path, safetensors_bytes(header, buffer));
    return error_of([&] { load_safetensors(path); });
  };
  const std::string x = R"("x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  CHECK(contains(refused("{" + x + "," + x + "}", four), "'x' occurs twice"));
  CHECK(contains(refused("{" + x + R"(,"y":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})", four),
                 "overlap"));
  CHECK(contains(refused("{" + x + R"(,"y":{"dtype":"F32","shape":[1],"data_offsets":[12,16]}})", four),
                 "have a hole"));
  CHECK(contains(refused(R"({"x":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", four),
                 "its shape needs 12"));
  CHECK(
      contains(refused(R"({"x":{"dtype":"I8","shape":[8],"data_offsets":[0,8]}})", four), "number type I8"));
  CHECK(
      contains(refused(R"({"x":{"dtype":"F32","shape":[-1],"data_offsets":[0,8]}})", four), "whole number"));
  CHECK(
      contains(refused(R"({"x":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,8]}})", four),
               "impossible shape"));
  CHECK(contains(refused(R"({"x":3})", four), "lacks dtype"));
  CHECK(contains(refused("[]", four), "the header is not JSON"));

  write_file(
      path,
      safetensors_bytes(
          R"({"__metadata__":{"a":"b"},"x":{"dtype":"F64","shape":[1,2],"data_offsets":[0,16]}})", four));
  const auto file = load_safetensors(path);
  CHECK(file.arrays.at("x").shape() == Shape{1, 2});
  CHECK(file.metadata.at("a") == "b");
}

TEST_CASE("a config says the same after a round through JSON", "[train]") {
  RunConfig c = small_config();
  c.model.positions = nn::Positions::learned_qk;
  c.train.seed = 18446744073709551615ULL;
  c.train.schedule = "cosine";
  CHECK(to_json(run_config_from_json(to_json(c))) == to_json(c));
  CHECK(run_config_from_json("{}").train.steps == RunConfig{}.train.steps);
}

TEST_CASE("configs that make no sense get one sentence", "[train]") {
  const auto parse = [](const std::string& text) { return error_of([&] { run_config_from_json(text); }); };
  CHECK(contains(parse("[1]"), "must be an object"));
  CHECK(contains(parse(R"({"train":{"stpes":3}})"), "unknown key 'train.stpes'"));
  CHECK(contains(parse(R"({"trian":{}})"), "unknown key 'trian'"));
  CHECK(contains(parse(R"({"train":{"steps":"many"}})"), "'train.steps' cannot be \"many\""));
  CHECK(contains(parse(R"({"train":{"batch":-3}})"), "'train.batch' cannot be -3"));
  CHECK(contains(parse(R"({"model":{"positions":"odd"}})"), "unknown kind of positions 'odd'"));
  const auto check_with = [](auto change) {
    RunConfig c;
    change(c);
    return error_of([&] { check_config(c); });
  };
  CHECK(contains(check_with([](auto& c) { c.train.shards = 5; }),
                 "32 sequences cannot be cut into 5 equal shards"));
  CHECK(contains(check_with([](auto& c) { c.train.optimizer = "lion"; }), "unknown optimizer 'lion'"));
  CHECK(contains(check_with([](auto& c) { c.train.learning_rate = 0; }), "learning rate must be positive"));
  CHECK(contains(check_with([](auto& c) { c.train.steps = 0; }), "at least 1 step"));
  CHECK(contains(check_with([](auto& c) { c.model.n_ctx = 32; }), "differ from the task's"));
}
