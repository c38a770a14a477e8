// A GRU learns to say the next number of a series in a CSV file. The last quarter is held out.
#include <fmt/core.h>

#include <numeric>

#include "headlight/nn/nn.h"
#include "headlight/ops/ops.h"
#include "headlight/system/run_main.h"
#include "headlight/tasks/epochs.h"
#include "headlight/train/data.h"
#include "headlight/train/trainer.h"

namespace hl = headlight;

constexpr std::size_t kSeen = 24;  // hours that the model reads before it says the next

struct Forecaster {
  hl::nn::GRUCell cell;
  hl::nn::Linear output;

  explicit Forecaster(hl::Rng& rng) : cell(1, 16, rng), output(16, 1, rng) {}
  void visit(auto&& v) const { v("cell", cell), v("output", output); }

  // heights (B,kSeen) → the next height of each (B,1)
  hl::Tensor operator()(const hl::Tensor& heights) const {
    const hl::Tensor start = hl::zeros({heights.length(0), 16});
    return output(over_sequence(cell, unsqueeze(heights, -1), start).last);
  }
};

int main(int argc, char** argv) {
  return hl::run_main([&] {
    const hl::train::CsvTable table = hl::train::read_csv(argc > 1 ? argv[1] : "tide.csv");
    const hl::Array heights = xt::col(table.numbers, table.column("height"));  // (n)
    hl::Rng rng(0);
    const Forecaster model(rng);
    const auto loss_on = [&](const std::vector<std::size_t>& starts) {  // the sum of the squared errors
      hl::Array seen = hl::empty_array({starts.size(), kSeen}), next = hl::empty_array({starts.size(), 1});
      for (std::size_t i = 0; i < starts.size(); ++i) {
        std::copy_n(heights.data() + starts[i], kSeen, seen.data() + i * kSeen);
        next(i, 0) = heights(starts[i] + kSeen);
      }
      return sum(square(model(hl::Tensor(seen)) - hl::Tensor(next)));
    };
    const std::size_t all = heights.size() - kSeen, trained = all * 3 / 4;
    std::vector<std::size_t> held_out(all - trained);
    std::iota(held_out.begin(), held_out.end(), trained);
    const hl::tasks::Epochs order(trained, 0);
    const hl::train::Loss loss{[&](const hl::train::Examples& e) {
      return hl::train::SummedLoss{loss_on(order.batch(e.first, e.count)), e.count};
    }};
    hl::ThreadPool pool;
    hl::train::Trainer trainer(hl::nn::parameters(model), loss, {.learning_rate = 0.01}, pool);
    for (int step = 1; step <= 300; ++step)
      if (const auto report = trainer.step(); step % 100 == 0)
        fmt::print("step {}: mean squared error {:.4f}, held out {:.4f}\n", step, report.loss,
                   loss_on(held_out).item() / held_out.size());
  });
}
