#include "headlight/train/checkpoint.h"

#include <limits>

#include "catch.h"
#include "headlight/nn/nn.h"
#include "headlight/ops/ops.h"
#include "headlight/optim/optim.h"
#include "headlight/system/files.h"
#include "headlight/train/safetensors.h"
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
