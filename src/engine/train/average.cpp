#include "headlight/train/average.h"

#include <utility>

#include "headlight/core/check.h"
#include "headlight/core/math.h"

namespace headlight::train {
namespace {

void check_shapes(const char* what, const std::vector<Tensor>& parameters, const std::vector<Array>& kept) {
  for (std::size_t i = 0; i < kept.size(); ++i)
    check(kept[i].shape() == parameters[i].shape(),
          "[{}] parameter {} has shape {}, but the numbers kept beside it have {}.", what, i,
          parameters[i].shape(), Shape(kept[i].shape()));
}

}  // namespace

MovingAverage::MovingAverage(std::vector<Tensor> parameters, double decay)
    : parameters_(std::move(parameters)), decay_(decay) {}

// Arrays change places; no number is copied.
void MovingAverage::exchange() {
  for (std::size_t i = 0; i < other_.size(); ++i) std::swap(parameters_[i].mutable_array(), other_[i]);
}

MovingAverage::TrainingWeights::TrainingWeights(MovingAverage& average) : average_(average) {
  // Not in the constructor of MovingAverage: the weights may be loaded after it.
  if (average_.wanted() && average_.other_.empty())
    for (const Tensor& p : average_.parameters_) average_.other_.push_back(p.array());
  check_shapes("moving average", average_.parameters_, average_.other_);
  average_.exchange();
}

MovingAverage::TrainingWeights::~TrainingWeights() { average_.exchange(); }

void MovingAverage::add(std::int64_t step) {
  if (!wanted()) return;
  check_shapes("moving average", parameters_, other_);
  const double w = (1 - decay_) / (1 - math::power(decay_, static_cast<std::size_t>(step)));
  const auto taken = static_cast<Real>(w), kept = static_cast<Real>(1 - w);
  for (std::size_t i = 0; i < other_.size(); ++i) {
    Real* average = other_[i].data();
    const Real* trained = parameters_[i].array().data();
    for (std::size_t j = 0; j < other_[i].size(); ++j) average[j] = kept * average[j] + taken * trained[j];
  }
}

void MovingAverage::set_trained(std::vector<Array> trained) {
  check(trained.empty() || trained.size() == parameters_.size(), "[set_trained] {} arrays for {} parameters.",
        trained.size(), parameters_.size());
  check_shapes("set_trained", parameters_, trained);
  other_ = std::move(trained);
}

}  // namespace headlight::train
