// Nothing grows, and nothing is left behind: nodes and buffers are counted.
#include <thread>

#include "catch.h"
#include "headlight/autograd/backward.h"
#include "headlight/autograd/linear_ops.h"
#include "headlight/autograd/record.h"
#include "headlight/core/buffer_pool.h"
#include "headlight/core/thread_pool.h"
#include "headlight/ops/ops.h"
#include "headlight/train/task_loss.h"
#include "run/small_config.h"

using namespace headlight;
using namespace headlight::train;

namespace {

struct Alive {
  std::size_t nodes = live_nodes();
  std::int64_t buffers = live_buffers();

  bool operator==(const Alive&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Alive& alive) {
  return out << alive.nodes << " nodes, " << alive.buffers << " buffers";
}

}  // namespace

TEST_CASE("live buffers are counted across threads", "[memory]") {
  const auto before = live_buffers();
  Array handed_over;
  std::thread([&] {
    handed_over = full_array({100}, 1);
    CHECK(live_buffers() == before + 1);
  }).join();
  CHECK(live_buffers() == before + 1);
  handed_over = Array();
  CHECK(live_buffers() <= before + 1);  // an empty array may hold a buffer of its own
  const Array second = full_array({100}, 1);
  CHECK(live_buffers() > before);
}

// With AddressSanitizer nothing is recycled, so that it can see a use after free.
bool buffers_are_recycled() {
  { const Array once = empty_array({1000}); }
  const auto before = system_allocations();
  { const Array again = empty_array({1000}); }
  return system_allocations() == before;
}

TEST_CASE("a training step in steady state gets no array from the system", "[memory]") {
  if (!buffers_are_recycled()) return;
  const auto task = tasks::make_task({});
  const auto model = run::make_model({});
  ThreadPool pool(2);
  Trainer trainer = task_trainer(*model, task, {}, pool);
  for (int i = 0; i < 20; ++i) trainer.step();
  const auto before = system_allocations();
  for (int i = 0; i < 20; ++i) trainer.step();
  CHECK(system_allocations() == before);
}

TEST_CASE("after a thousand training steps nothing has grown", "[memory][long]") {
  run::RunConfig config = run::small_config();
  config.train.steps = 1010;
  Rng rng(1);
  nn::Transformer model(run::model_config(config), rng);
  const auto task = tasks::make_task(config.task);
  ThreadPool pool(2);
  Trainer trainer = task_trainer(model, task, config.train, pool);
  for (int i = 0; i < 10; ++i) trainer.step();
  const Alive before;
  const auto cached = buffer_pool_stats().cached_bytes;
  for (int i = 0; i < 1000; ++i) trainer.step();
  CHECK(Alive() == before);
  CHECK(buffer_pool_stats().cached_bytes <= 2 * cached + 65536);
}

TEST_CASE("an exception in a forward pass leaves nothing behind", "[memory]") {
  const Tensor x = parameter(tensor({{1, 2}, {3, 4}}));
  const Alive before;
  for (int i = 0; i < 10; ++i)
    error_of([&] {
      const Tensor h = tanh(matmul(x, x));
      matmul(softmax(h), tensor({1, 2, 3}));
    });
  CHECK(Alive() == before);
}

TEST_CASE("an exception in a backward pass leaves nothing behind", "[memory]") {
  const Alive before;
  for (bool create_graph : {false, true}) {
    const Tensor x = parameter(tensor({{1, 2}, {3, 4}}));
    const auto broken = [](const Tensor& in) {
      return record("broken", {in}, Array(in.array()), [](const Tensor& g, const Tensor&) -> Tensor {
        fail("no derivative of {}", (g * 2).shape());
      });
    };
    const Tensor loss = sum(softmax(broken(tanh(x * x)) * x));
    CHECK(contains(error_of([&] { backward(loss, {.create_graph = create_graph}); }), "no derivative"));
  }
  CHECK(Alive() == before);
}

TEST_CASE("gradients of gradients leave nothing behind", "[memory]") {
  const Alive before;
  {
    const Tensor x = parameter(tensor({1, 2}));
    const Tensor g = grad(sum(tanh(x) * x), {x}, {.create_graph = true})[0];
    sum(g * g).backward();
  }
  CHECK(Alive() == before);
}
