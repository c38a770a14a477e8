// The trainings of lesson 17, and what is measured of a layer on one part of the data.
#pragma once

#include <cmath>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "headlight/core/thread_pool.h"
#include "headlight/train/trainer.h"
#include "progress.h"
#include "regression.h"

namespace headlight::lesson {

inline constexpr int kSteps = 400, kEvery = 20;  // of a training; from one measurement to the next
inline constexpr std::size_t kTogether = 2500;   // tasks that are measured at once

// Tasks that nobody trains on. The name gives each part tasks of its own.
struct DataPart {
  std::string name;
  std::size_t tasks;
  Told told = Told::truth;
};
inline const DataPart kValidation{"validation", 5000}, kHeldOut{"held out", 100000},
    kTwiceAsLarge{"held out", 100000, Told::twice_as_large};

struct MeanError {
  double mean = 0, standard_error = 0;  // of the squared error over the tasks
};

// Of predictions(tasks), (B,1).
template <class Predictions>
MeanError error_on(const DataPart& part, ThreadPool& pool, const Predictions& predictions) {
  const std::size_t batches = part.tasks / kTogether;
  std::vector<double> sums(batches, 0), squares(batches, 0);
  pool.run(batches, [&](std::size_t i) {
    const NoGrad no_grad;
    const Regressions r = regressions(kTogether, Rng(19).stream(part.name, i), part.told);
    const Array e = square(predictions(r) - r.answer).array();
    for (const double each : e) sums[i] += each, squares[i] += each * each;
  });
  double sum = 0, of_squares = 0;
  for (std::size_t i = 0; i < batches; ++i) sum += sums[i], of_squares += squares[i];
  const double n = static_cast<double>(part.tasks), mean = sum / n;
  return {mean, std::sqrt((of_squares / n - mean * mean) / n)};
}

inline MeanError error_on(const DataPart& part, ThreadPool& pool, const LinearAttention& layer) {
  return error_on(part, pool, [&](const Regressions& r) { return layer(r.context, r.query); });
}

// (B,1): one step of gradient descent from w = 0 gives w = η/N Σ yᵢ xᵢ, so the prediction η/N Σ yᵢ (xᵢ · x).
inline Tensor gradient_step(const Regressions& r, double rate) {
  const auto part = [](const Tensor& t, std::size_t first, std::size_t end) {
    return slice(t, -1, static_cast<int>(first), static_cast<int>(end));
  };
  const Tensor products =
      matmul(part(r.query, 0, kInputs), part(r.context, 0, kInputs), {.transpose_y = true});
  return squeeze(matmul(products, part(r.context, kInputs, kToken)), -1) * (rate / kExamples);
}

// The η whose gradient step is nearest to the layer: the slope of its predictions over those of a step with
// η = 1, by least squares.
inline double rate_taken(const LinearAttention& layer, const DataPart& part) {
  const NoGrad no_grad;
  const Regressions r = regressions(2 * kTogether, Rng(19).stream(part.name), part.told);
  const Tensor step = gradient_step(r, 1);
  return (sum(step * layer(r.context, r.query)) / sum(square(step))).item();
}

struct Recipe {
  double rate;  // of learning
  std::uint64_t seed;
  Told told = Told::truth;
  bool looks = false;  // whether the validation error is measured along the training
};

struct Trained {
  Recipe recipe;
  LinearAttention layer;
  std::vector<double> steps, errors;  // the looks
};

inline void train_layer(Trained& t, ThreadPool& pool, const std::function<void()>& each_step) {
  train::TrainConfig config;
  config.batch = 256, config.steps = kSteps, config.learning_rate = t.recipe.rate,
  config.seed = t.recipe.seed;
  config.schedule = "cosine", config.warmup = 20, config.weight_decay = 0;
  const train::Loss loss{[&t](const train::Examples& e) {
    const Regressions r = regressions(e.count, e.rng, t.recipe.told);
    return train::SummedLoss{sum(square(t.layer(r.context, r.query) - r.answer)), e.count};
  }};
  train::Trainer trainer(nn::parameters(t.layer), loss, config, pool);
  for (int step = 0; step <= kSteps; ++step) {
    if (step > 0) trainer.step(), each_step();
    if (!t.recipe.looks || step % kEvery != 0) continue;
    t.steps.push_back(step);
    t.errors.push_back(error_on(kValidation, pool, t.layer).mean);
  }
}

// Several trainings at once. The results do not depend on the number of threads.
inline std::vector<Trained> train_all(const std::vector<Recipe>& recipes, ThreadPool& pool) {
  std::vector<Trained> all;
  for (const Recipe& r : recipes) all.push_back({r, LinearAttention(Rng(r.seed).stream("weights")), {}, {}});
  std::mutex mutex;
  Progress progress(fmt::format("training {} layers", all.size()), all.size() * kSteps);
  pool.run(all.size(), [&](std::size_t i) {
    train_layer(all[i], pool, [&] {
      const std::lock_guard lock(mutex);
      progress.step();
    });
  });
  return all;
}

}  // namespace headlight::lesson
