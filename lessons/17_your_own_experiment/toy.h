// The networks of part 5: five features through two dimensions, from several starts, and a record of what was
// read of them when.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <vector>

#include "headlight/core/array.h"
#include "headlight/core/rng.h"

namespace toy {

inline constexpr std::size_t kFeatures = 5, kStarts = 4, kBatch = 512, kSteps = 1500, kTested = 20000;
inline constexpr double kImportance[kFeatures] = {1, 0.9, 0.81, 0.729, 0.6561};

using Features = std::array<double, kFeatures>;

// Each feature is there with this probability, and then uniform on [0, 1); else it is 0.
inline Features drawn(double presence, headlight::Rng& rng) {
  Features x{};
  for (double& each : x) each = rng.uniform() < presence ? rng.uniform() : 0;
  return x;
}

// x' = ReLU(Wᵀ W x + b): weights W[0], W[1] and b, in this order.
using Network = std::array<double, 3 * kFeatures>;

// Adds Σ importance (x'ᵢ - xᵢ)² and its gradient.
inline double add_loss(const Network& n, const Features& x, Network* gradient) {
  const double *u = n.data(), *v = u + kFeatures, *b = v + kFeatures;
  double first = 0, second = 0, loss = 0, d_first = 0, d_second = 0;
  for (std::size_t i = 0; i < kFeatures; ++i) first += u[i] * x[i], second += v[i] * x[i];
  for (std::size_t i = 0; i < kFeatures; ++i) {
    const double y = u[i] * first + v[i] * second + b[i], error = (y > 0 ? y : 0) - x[i];
    loss += kImportance[i] * error * error;
    if (gradient == nullptr || y <= 0) continue;
    const double d = 2 * kImportance[i] * error;
    Network& g = *gradient;
    g[i] += d * first, g[kFeatures + i] += d * second, g[2 * kFeatures + i] += d;
    d_first += d * u[i], d_second += d * v[i];
  }
  for (std::size_t i = 0; gradient != nullptr && i < kFeatures; ++i)
    (*gradient)[i] += d_first * x[i], (*gradient)[kFeatures + i] += d_second * x[i];
  return loss;
}

// Adam, with a rate that falls to 0.
inline Network trained(double presence, std::size_t seed) {
  headlight::Rng rng = headlight::Rng(seed).stream("training");
  Network n{}, m{}, v{};
  for (std::size_t i = 0; i < 2 * kFeatures; ++i) n[i] = 0.5 * rng.normal();
  double of_m = 1, of_v = 1;
  for (std::size_t step = 0; step < kSteps; ++step) {
    Network g{};
    for (std::size_t k = 0; k < kBatch; ++k) add_loss(n, drawn(presence, rng), &g);
    of_m *= 0.9, of_v *= 0.999;
    const double rate = 0.02 * (1 - static_cast<double>(step) / kSteps);
    for (std::size_t i = 0; i < n.size(); ++i) {
      const double each = g[i] / kBatch;
      m[i] = 0.9 * m[i] + 0.1 * each, v[i] = 0.999 * v[i] + 0.001 * each * each;
      n[i] -= rate * (m[i] / (1 - of_m)) / (std::sqrt(v[i] / (1 - of_v)) + 1e-8);
    }
  }
  return n;
}

// What was done with the starts of one presence.
struct Record {
  double presence;
  std::vector<std::size_t> choices = {}, looks = {};
  std::size_t looks_before = 0;  // looks before the first choice
};
inline std::vector<Record> records;

// Trained networks for one presence, in per cent: starts 0 … 3.
class Starts {
 public:
  explicit Starts(double presence) : networks_(trained_once(presence)), record_(records.size()) {
    records.push_back({presence});
  }

  std::size_t count() const { return kStarts; }

  // The mean loss on 20,000 validation examples.
  double validation_loss(std::size_t start) const {
    headlight::Rng rng = headlight::Rng(0).stream("validation");
    double sum = 0;
    for (std::size_t i = 0; i < kTested; ++i)
      sum += add_loss(networks_[start], drawn(records[record_].presence / 100, rng), nullptr);
    return sum / kTested;
  }

  // Puts the choice on record.
  void choose(std::size_t start) const { records[record_].choices.push_back(start); }

  // What is published, the weights W (2,5). A look goes on record too.
  headlight::Array look(std::size_t start) const {
    Record& record = records[record_];
    if (record.choices.empty()) ++record.looks_before;
    record.looks.push_back(start);
    headlight::Array W = headlight::Array::from_shape({2, kFeatures});
    for (std::size_t i = 0; i < 2 * kFeatures; ++i) W.data()[i] = networks_[start][i];
    return W;
  }

 private:
  static const std::vector<Network>& trained_once(double presence) {
    static std::map<double, std::vector<Network>> all;
    std::vector<Network>& some = all[presence];
    while (some.size() < kStarts) some.push_back(trained(presence / 100, some.size()));
    return some;
  }

  const std::vector<Network>& networks_;
  std::size_t record_;
};

}  // namespace toy
