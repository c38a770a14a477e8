// A GRU learns to say the next number of a series in a CSV file. The last quarter is held out.
#include <fmt/core.h>

#include <numeric>

#include "headlight/nn/nn.h"
#include "headlight/ops/ops.h"
#include "headlight/system/run_main.h"
#include "headlight/tasks/epochs.h"
#include "headlight/train/data.h"
#include "headlight/train/trainer.h"

using namespace headlight;

constexpr std::size_t kSeen = 24;  // hours that the model reads before it says the next

struct Forecaster {
  nn::GRUCell cell;
  nn::Linear output;

  explicit Forecaster(Rng& rng) : cell(1, 16, rng), output(16, 1, rng) {}
  void visit(auto&& v) const { v("cell", cell), v("output", output); }

  // heights (B,kSeen) → the next height of each (B,1)
  Tensor operator()(const Tensor& heights) const {
    Tensor h = zeros({heights.length(0), 16});
    for (int t = 0; t < static_cast<int>(kSeen); ++t) h = cell(slice(heights, 1, t, t + 1), h);
    return output(h);
  }
};

int main(int argc, char** argv) {
  return run_main([&] {
    const train::CsvTable table = train::read_csv(argc > 1 ? argv[1] : "tide.csv");
    const Array heights = xt::col(table.numbers, table.column("height"));  // (n)
    Rng rng(0);
    const Forecaster model(rng);
    const auto loss_on = [&](const std::vector<std::size_t>& starts) {  // the sum of the squared errors
      Array seen = empty_array({starts.size(), kSeen}), next = empty_array({starts.size(), 1});
      for (std::size_t i = 0; i < starts.size(); ++i) {
        std::copy_n(heights.data() + starts[i], kSeen, seen.data() + i * kSeen);
        next(i, 0) = heights(starts[i] + kSeen);
      }
      return sum(square(model(Tensor(seen)) - Tensor(next)));
    };
    const std::size_t all = heights.size() - kSeen, trained = all * 3 / 4;
    std::vector<std::size_t> held_out(all - trained);
    std::iota(held_out.begin(), held_out.end(), trained);
    const tasks::Epochs order(trained, 0);
    const train::Loss loss{[&](const train::Examples& e) {
      return train::SummedLoss{loss_on(order.batch(e.first, e.count)), e.count};
    }};
    ThreadPool pool;
    train::Trainer trainer(nn::parameters(model), loss, train::TrainConfig{.learning_rate = 0.01}, pool);
    for (int step = 1; step <= 300; ++step)
      if (const auto report = trainer.step(); step % 100 == 0)
        fmt::print("step {}: mean squared error {:.4f}, held out {:.4f}\n", step, report.loss,
                   loss_on(held_out).item() / static_cast<Real>(held_out.size()));
  });
}
