// A trainer on data of one's own: rows of numbers instead of tokens.
#include "catch.h"
#include "headlight/autograd/backward.h"
#include "headlight/nn/nn.h"
#include "headlight/ops/ops.h"
#include "headlight/optim/optim.h"
#include "headlight/tasks/epochs.h"
#include "headlight/train/data.h"
#include "headlight/train/trainer.h"

using namespace headlight;
using namespace headlight::train;

namespace {

constexpr std::size_t kRows = 30, kBatch = 12;

TrainConfig sgd() {
  TrainConfig config;
  config.batch = kBatch;
  config.shards = 4;
  config.optimizer = "sgd";
  config.learning_rate = 0.1;
  config.warmup = 0;
  config.clip = config.beta1 = config.weight_decay = 0;
  return config;
}

// The numbers of a plane.
struct Plane {
  Rng rng{3};
  Array x = rng.normal_array({kRows, 2}), y = matmul(Tensor(x), tensor({{2}, {-3}})).array();
  nn::Linear model{2, 1, rng};
  tasks::Epochs order{kRows, 5};

  Tensor loss_on(const std::vector<std::size_t>& which) const {
    const Tensor difference = model(Tensor(rows(x, which))) - Tensor(rows(y, which));
    return sum(difference * difference);
  }
  Loss loss() const {
    return {[this](const Examples& e) {
      return SummedLoss{loss_on(order.batch(e.first, e.count)), e.count};
    }};
  }
};

Array trained(int threads) {
  Plane plane;
  ThreadPool pool(threads);
  Trainer trainer(nn::parameters(plane.model), plane.loss(), sgd(), pool);
  for (int i = 0; i < 5; ++i) trainer.step();
  return plane.model.W.array();
}

}  // namespace

TEST_CASE("a step on rows of numbers follows the gradient of their mean loss", "[train]") {
  Plane plane, by_hand;
  ThreadPool pool(1);
  Trainer trainer(nn::parameters(plane.model), plane.loss(), sgd(), pool);
  for (std::uint64_t step = 0; step < 4; ++step) {
    const Tensor loss = by_hand.loss_on(by_hand.order.batch(step * kBatch, kBatch)) * (1.0 / kBatch);
    const auto gradients = grad(loss, nn::parameters(by_hand.model));
    const StepReport report = trainer.step();
    CHECK(report.loss == Approx(static_cast<double>(loss.item())).epsilon(1e-5));
    const std::vector<Tensor> parameters = nn::parameters(by_hand.model);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      Tensor(parameters[i]).mutable_array() -= static_cast<Real>(report.learning_rate) * gradients[i].array();
    CHECK(difference(plane.model.W.array(), by_hand.model.W.array()) < 10 * kRounding);
  }
}

TEST_CASE("training on rows of numbers has the same bits for any number of threads", "[train]") {
  const Array one = trained(1);
  for (const int threads : {2, 3}) CHECK((trained(threads) == one));
}

TEST_CASE("the first step tells of a parameter that visit() forgot", "[train]") {
  Plane plane;
  ThreadPool pool(1);
  const Tensor forgotten = parameter(tensor({{1}, {2}}));
  const Loss loss{[&](const Examples& e) {
    const Tensor more = matmul(Tensor(rows(plane.x, plane.order.batch(e.first, e.count))), forgotten);
    return SummedLoss{sum(more * more) + plane.loss().on(e).sum, e.count};
  }};
  Trainer trainer(nn::parameters(plane.model), loss, sgd(), pool);
  CHECK(
      error_of([&] { trainer.step(); }) ==
      "training stopped at step 1: the loss reads a tensor of shape (2,1), which requires a gradient and is "
      "not among the parameters that are trained. Hint: does visit() of its module name it? One that shall "
      "stay as it is enters the loss as x.detach().");
  Tensor(forgotten).set_name("frozen");  // left out on purpose
  Trainer frozen(nn::parameters(plane.model), loss, sgd(), pool);
  CHECK_NOTHROW(frozen.step());
}

TEST_CASE("an empty loss is refused", "[train]") {
  Plane plane;
  ThreadPool pool(1);
  CHECK(error_of([&] {
          Trainer(nn::parameters(plane.model), std::function<SummedLoss(const Examples&)>(), sgd(), pool);
        }) == "[trainer] the loss is an empty function.");
}

TEST_CASE("a loss that is no scalar is refused by its shape", "[train]") {
  Plane plane;
  ThreadPool pool(1);
  const Loss loss{[&](const Examples& e) {
    return SummedLoss{plane.model(Tensor(rows(plane.x, plane.order.batch(e.first, e.count)))), e.count};
  }};
  Trainer trainer(nn::parameters(plane.model), loss, sgd(), pool);
  CHECK(
      error_of([&] { trainer.step(); }) ==
      "training stopped at step 1: expected the sum of a shard's losses as a scalar, got the result of 'linear' "
      "of shape (3,1). Hint: sum() the losses.");
}
