// Elhage et al. 2022, "Toy Models of Superposition": five features in two dimensions.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "all_papers.h"
#include "headlight/nn/nn.h"
#include "headlight/ops/ops.h"
#include "headlight/train/trainer.h"
#include "measures.h"

namespace headlight::papers::elhage {
namespace {

constexpr std::size_t kFeatures = 5, kDimensions = 2, kStarts = 4, kTested = 20000;
constexpr double kPresent = 0.1;  // the part of examples in which a feature is not 0
constexpr std::int64_t kSteps = 4000;

// x' = ReLU(Wᵀ W x + b): the features go through two dimensions and come back.
struct Bottleneck {
  Tensor W, b;  // (2,5), (5)

  explicit Bottleneck(Rng& rng)
      : W(parameter(rng.normal_array({kDimensions, kFeatures}, 0, 0.5))),
        b(parameter(Array(Shape{kFeatures}, Real(0)))) {}
  Tensor operator()(const Tensor& x) const {  // (B,5)
    return relu(matmul(matmul(x, transpose(W)), W) + b);
  }
  void visit(auto&& v) const { v("W", W), v("b", b); }
};

// (count,5): each feature is 0 with probability 0.9, else uniform on [0, 1).
Array sparse_features(std::size_t count, Rng rng) {
  Array x = Array::from_shape({count, kFeatures});
  for (Real& feature : x) feature = rng.uniform() < kPresent ? Real(rng.uniform()) : Real(0);
  return x;
}

double tested_loss(const Bottleneck& model) {
  const NoGrad no_grad;
  const Tensor x(sparse_features(kTested, Rng(0).stream("tested")));
  return static_cast<double>(mean(square(x - model(x))).item());
}

struct Trained {
  Bottleneck model;
  double loss;
};

Trained trained(std::uint64_t seed, const Effort& effort, ThreadPool& pool) {
  Rng rng = Rng(seed).stream("weights");
  Bottleneck model(rng);
  train::TrainConfig config;
  config.batch = 1024, config.steps = effort.steps > 0 ? effort.steps : kSteps, config.learning_rate = 3e-3;
  config.weight_decay = 0;
  config.seed = seed;
  const train::Loss loss{[&](const train::Examples& e) {
    const Tensor x(sparse_features(e.count, e.rng));
    return train::SummedLoss{sum(square(x - model(x))), e.count};
  }};
  train::Trainer trainer(nn::parameters(model), loss, config, pool);
  while (trainer.steps_done() < config.steps) trainer.step();
  if (effort.progress) effort.progress(fmt::format("start {}", seed + 1), config.steps, config.steps);
  return {model, tested_loss(model)};
}

// The angles from each feature's direction to the next one around, in degrees.
std::vector<double> angles_of(const Array& W) {
  std::vector<double> at;
  for (std::size_t i = 0; i < kFeatures; ++i)
    at.push_back(std::atan2(double(W(1, i)), double(W(0, i))) * 180 / std::numbers::pi);
  std::sort(at.begin(), at.end());
  std::vector<double> between;
  for (std::size_t i = 0; i < kFeatures; ++i)
    between.push_back(i + 1 < kFeatures ? at[i + 1] - at[i] : at[0] + 360 - at[i]);
  return between;
}

draw::Figure figure_of(const Bottleneck& model) {
  draw::Chart plane{"the direction of each feature", {"first dimension"}, {"second dimension"}, {}};
  for (std::size_t i = 0; i < kFeatures; ++i)
    plane.series.push_back({fmt::format("feature {}", i + 1),
                            {0, double(model.W.array()(0, i))},
                            {0, double(model.W.array()(1, i))}});
  return {"Five features in two dimensions", {"first dimension"}, "", {}, {std::move(plane)}, true};
}

Measured measure(const Effort& effort) {
  ThreadPool pool(effort.threads);
  std::vector<Trained> all;
  for (std::uint64_t seed = 0; seed < kStarts; ++seed) all.push_back(trained(seed, effort, pool));
  const Trained& best =
      *std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.loss < b.loss; });
  return {rows_of(best.model.W.array()),
          figure_of(best.model),
          {fmt::format("Of {} starts the one with the lowest loss is shown ({:.5f} a feature).", kStarts,
                       best.loss)}};
}

}  // namespace

std::vector<double> rows_of(const Array& W) {
  const std::vector<double> angles = angles_of(W);
  const auto [least, most] = std::minmax_element(angles.begin(), angles.end());
  return {*least, *most};
}

}  // namespace headlight::papers::elhage

headlight::papers::Paper headlight::papers::elhage_2022() {
  using namespace elhage;
  const Tolerance angle = within(72, 3);
  const std::string place =
      "introduction, for five features in two dimensions; a regular pentagon has 360° / 5";
  return {
      "elhage-2022",
      "Toy Models of Superposition",
      "Elhage et al. 2022",
      "https://transformer-circuits.pub/2022/toy_model",
      "A network with ReLU carries five sparse features through two dimensions. It gives each a direction "
      "of its own: a regular pentagon, 72 degrees apart.",
      "all features equally important instead of 0.9ⁱ for feature i; the best of 4 starts of 4,000 steps at a "
      "rate of 0.003, instead of 10,000 at 0.001",
      10,
      {{"smallest angle between neighbours (degrees)",
        {.printed = "a pentagon", .computed = "72"},
        place,
        angle,
        1},
       {"largest angle between neighbours (degrees)",
        {.printed = "a pentagon", .computed = "72"},
        place,
        angle,
        1}},
      measure};
}
