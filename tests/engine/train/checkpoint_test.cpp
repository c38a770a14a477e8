#include "headlight/train/checkpoint.h"

#include <limits>

#include "catch.h"
#include "headlight/nn/nn.h"
#include "headlight/ops/ops.h"
#include "headlight/optim/optim.h"
#include "headlight/system/files.h"
#include "headlight/train/safetensors.h"
#include "headlight/train/trainer.h"
#include "temporary_folder.h"

using namespace headlight;

namespace {

struct Network {
  nn::Linear hidden, output;
  explicit Network(Rng& rng) : hidden(2, 3, rng), output(3, 1, rng) {}
  Tensor operator()(const Tensor& x) const { return output(tanh(hidden(x))); }
  void visit(auto&& v) const { v("hidden", hidden), v("output", output); }
};

// A training whose data is random.
struct Training {
  Rng rng;
  Network network;
  optim::Adam optimizer;

  explicit Training(std::uint64_t seed) : rng(seed), network(rng), optimizer(nn::parameters(network), 0.05) {}
  void steps(int count) {
    for (int i = 0; i < count; ++i) {
      const Tensor y = network(Tensor(rng.normal_array({4, 2}))), loss = sum(y * y);
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
    }
  }
  Array weight() const { return network.hidden.W.array(); }
};

// A network that a trainer fits to random numbers.
struct FittedTraining {
  Tensor x, y;
  Rng rng;
  Network network;
  ThreadPool pool;
  train::Trainer trainer;

  FittedTraining(std::uint64_t seed, double average)
      : rng(seed),
        network(rng),
        pool(2),
        trainer(nn::parameters(network), {[this](const train::Examples& e) { return loss(e); }},
                {.steps = 12, .batch = 16, .schedule = "cosine", .warmup = 4, .average = average}, pool) {
    Rng of_data(3);
    x = randn({64, 2}, of_data), y = randn({64, 1}, of_data);
  }
  train::SummedLoss loss(const train::Examples& e) const {
    const int from = static_cast<int>(e.first % 64), to = from + static_cast<int>(e.count);
    return {sum(square(network(slice(x, 0, from, to)) - slice(y, 0, from, to))), e.count};
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) trainer.step();
  }
};

}  // namespace

TEST_CASE("a training that was saved goes on with the same bits", "[checkpoint]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "training.safetensors";
  Training whole(1);
  whole.steps(5);
  train::save(file, whole.network, whole.optimizer, whole.rng);
  whole.steps(5);
  Training resumed(2);
  resumed.steps(3);
  train::load(file, resumed.network, resumed.optimizer, resumed.rng);
  resumed.steps(5);
  CHECK((resumed.weight() == whole.weight()));
  CHECK(resumed.rng.stream("data").next() == whole.rng.stream("data").next());
  CHECK(resumed.optimizer.state().steps == 10);
}

TEST_CASE("a module alone is saved and loaded, also out of a whole training", "[checkpoint]") {
  const TemporaryFolder folder;
  const auto alone = folder.path() / "module.safetensors", whole = folder.path() / "training.safetensors";
  Training a(1), b(2), c(3);
  a.steps(2);
  train::save(alone, a.network);
  train::save(whole, a.network, a.optimizer, a.rng);
  train::load(alone, b.network);
  train::load(whole, c.network);
  CHECK((b.weight() == a.weight()));
  CHECK((c.weight() == a.weight()));
  CHECK((train::load_safetensors(alone).arrays.at("hidden.W") == a.weight()));
}

TEST_CASE("a checkpoint has the learning rate, the kind of optimizer and numbers of the caller's",
          "[checkpoint]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "training.safetensors";
  Training a(1), b(2);
  a.steps(2);
  a.optimizer.set_learning_rate(0.012345678901234567);
  train::save(file, a.network, a.optimizer, a.rng, {{"epoch", 3}, {"best loss", 0.1 + 0.2}});
  train::Numbers numbers{{"of before", 1}};
  train::load(file, b.network, b.optimizer, b.rng, numbers);
  CHECK(b.optimizer.learning_rate() == 0.012345678901234567);
  CHECK(numbers == train::Numbers{{"epoch", 3}, {"best loss", 0.1 + 0.2}});
  a.steps(2), b.steps(2);
  CHECK((a.weight() == b.weight()));
  const auto refusal = [&](optim::Optimizer& other) {
    const std::string message = error_of([&] { train::load(file, b.network, other, b.rng); });
    return message.substr(std::min(message.find("training.safe"), message.size()));
  };
  optim::AdamW adamw(nn::parameters(b.network), 0.1);
  optim::SGD sgd(nn::parameters(b.network), 0.1);
  CHECK(refusal(adamw) == "training.safetensors' has the state of Adam, but the optimizer is AdamW.");
  CHECK(refusal(sgd) ==
        "training.safetensors' has the state of Adam, but the optimizer is SGD without momentum.");
  CHECK(error_of([&] {
          train::save(file, a.network, a.optimizer, a.rng, {{"best", std::nan("")}});
        }) == "[checkpoint] expected finite numbers, got nan for 'best'.");
}

TEST_CASE("a checkpoint of an older version, without rate and kind, is read", "[checkpoint]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "training.safetensors";
  Training a(1), b(2);
  a.steps(3);
  train::save(file, a.network, a.optimizer, a.rng);
  train::SafetensorsFile content = train::load_safetensors(file);
  CHECK(content.metadata.erase("optimizer") == 1);
  CHECK(content.metadata.erase("learning_rate") == 1);
  train::NamedArrays arrays;
  for (const auto& [name, array] : content.arrays) arrays.emplace_back(name, &array);
  train::save_safetensors(file, arrays, content.metadata);
  train::load(file, b.network, b.optimizer, b.rng);
  a.steps(2), b.steps(2);
  CHECK((a.weight() == b.weight()));
  optim::SGD sgd(nn::parameters(b.network), 0.1);
  const std::string message = error_of([&] { train::load(file, b.network, sgd, b.rng); });
  CHECK(contains(message, "training.safetensors' does not fit: [set_state] the state has 2 kinds of arrays"));
}

TEST_CASE("a trainer that was saved goes on with the same bits", "[checkpoint][train]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "trainer.safetensors";
  for (const double average : {0.0, 0.9}) {
    FittedTraining whole(1, average), resumed(2, average);
    whole.steps(6);
    train::save(file, whole.network, whole.trainer, {{"epoch", 1}});
    whole.steps(6);
    train::Numbers numbers;
    train::load(file, resumed.network, resumed.trainer, numbers);
    CHECK(resumed.trainer.steps_done() == 6);
    CHECK(numbers == train::Numbers{{"epoch", 1}});
    resumed.steps(6);
    CHECK((resumed.network.hidden.W.array() == whole.network.hidden.W.array()));
    CHECK(resumed.trainer.optimizer().learning_rate() == whole.trainer.optimizer().learning_rate());
  }
  FittedTraining averaged(2, 0.9), plain(2, 0);
  plain.steps(6);
  train::save(file, plain.network, plain.trainer);
  CHECK(contains(error_of([&] { train::load(file, averaged.network, averaged.trainer); }),
                 "trainer.safetensors' does not fit: [set_state] the state lacks 'trained'"));
}

TEST_CASE("a trainer whose optimizer alone was loaded is stopped", "[checkpoint][train]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "trainer.safetensors";
  FittedTraining whole(1, 0), resumed(2, 0);
  whole.steps(6);
  train::save(file, whole.network, whole.trainer);
  train::load_checkpoint(
      file, {.parameters = nn::named_parameters(resumed.network), .optimizer = &resumed.trainer.optimizer()});
  CHECK(
      error_of([&] { resumed.steps(1); }) ==
      "training stopped at step 1: the optimizer has done 6 steps and the trainer 0. Hint: train::load(file, "
      "module, trainer) loads both.");
}

TEST_CASE("a checkpoint that does not fit changes nothing, and says why", "[checkpoint]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "training.safetensors";
  Training a(1), b(2);
  a.steps(1);
  const Array before = b.weight();
  const auto refused = [&] {
    const std::string message = error_of([&] { train::load(file, b.network, b.optimizer, b.rng); });
    CHECK((b.weight() == before));
    CHECK(b.optimizer.state().steps == 0);
    return message.substr(std::min(message.find("training.safe"), message.size()));
  };
  train::save(file, a.network);
  CHECK(refused() ==
        "training.safetensors' lacks the state of the optimizer. Hint: it holds a module alone.");
  train::save(file, a.network, a.optimizer, a.rng);
  train::SafetensorsFile content = train::load_safetensors(file);
  const auto write = [&](const train::SafetensorsFile& changed) {
    train::NamedArrays arrays;
    for (const auto& [name, array] : changed.arrays) arrays.emplace_back(name, &array);
    train::save_safetensors(file, arrays, changed.metadata);
  };
  auto changed = content;
  changed.arrays["extra"] = Array{1};
  write(changed);
  CHECK(refused() == "training.safetensors' has 'extra', which the model does not.");
  changed = content;
  changed.arrays["optimizer/m/other"] = Array{1};
  write(changed);
  CHECK(refused() ==
        "training.safetensors' has 'optimizer/m/other', which is of no parameter that the optimizer trains.");
  changed = content;
  changed.arrays.at("optimizer/v/hidden.W").fill(std::numeric_limits<Real>::infinity());
  write(changed);
  CHECK(refused() == "training.safetensors' has numbers in 'optimizer/v/hidden.W' that are not finite.");
  changed = content;
  changed.metadata["rng"] = "12 x";
  write(changed);
  CHECK(refused() == "training.safetensors' is damaged: its 'rng' is no number.");
  Training c(1);
  optim::Adam of_another(nn::parameters(c.network), 0.1);
  CHECK(error_of([&] { train::save(file, a.network, of_another, a.rng); }) ==
        "[checkpoint] the optimizer trains a tensor of shape (2,3), which is not a parameter of the module.");
}
