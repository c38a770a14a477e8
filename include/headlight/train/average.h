// A moving average of the weights along training.
#pragma once

#include <cstdint>
#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight::train {

// After step t the average is  a ← (1 - w)·a + w·θ,   w = (1 - decay) / (1 - decayᵗ).
//
// w is Adam's bias correction: a is the mean of the trained weights θ of steps 1 … t with weights
// decay^(t-i), which add up to 1. So the random initial weights have no part in it, and a decay near 1 takes
// the plain mean at first. (Without the correction, half of the initial weights would be left after 700 steps
// at 0.999.)
//
// Outside of a training step the parameters hold the average, so whatever reads the model reads the average:
// evaluation, hooks, saving. While an object of TrainingWeights exists they hold the trained weights, which
// this class keeps at other times.
class MovingAverage {
 public:
  // 0: no average; the parameters always hold the trained weights.
  MovingAverage(std::vector<Tensor> parameters, double decay);

  class TrainingWeights {
   public:
    explicit TrainingWeights(MovingAverage& average);  // throws Error for a parameter of another shape
    ~TrainingWeights();
    TrainingWeights(const TrainingWeights&) = delete;
    TrainingWeights& operator=(const TrainingWeights&) = delete;

   private:
    MovingAverage& average_;
  };

  // Takes the trained weights of step `step` into the average. Call it while TrainingWeights exists. Throws
  // Error for a parameter of another shape than the average's.
  void add(std::int64_t step);

  // The trained weights, one array for each parameter; none before the first step, where they equal the
  // parameters, and none without an average. set_trained() restores them. Throws Error for arrays of other
  // shapes.
  const std::vector<Array>& trained() const { return other_; }
  void set_trained(std::vector<Array> trained);

  bool wanted() const { return decay_ > 0; }

 private:
  void exchange();

  std::vector<Tensor> parameters_;
  double decay_;
  std::vector<Array> other_;  // the trained weights, or the average while TrainingWeights exists
};

}  // namespace headlight::train
