// Epochs: the order in which training reads a finite set of examples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headlight::tasks {

// Each of `count` examples once in every epoch, in an order that is shuffled anew for each. The example at a
// place depends on nothing but the place, so threads may ask at once, and a resumed run reads on.
//   const Epochs order(pairs.size(), 0);  // a task gets no seed: a constant, or a setting of the task's own
//   task.training_at = [=](std::uint64_t place, Rng&) { return sequence_of(pairs[order(place)]); };
class Epochs {
 public:
  // Throws Error for no examples.
  Epochs(std::size_t count, std::uint64_t seed);

  // The example at a place, counted from 0 over all epochs.
  std::size_t operator()(std::uint64_t place) const;

  // The examples at the places first … first+size-1: a batch.
  std::vector<std::size_t> batch(std::uint64_t first, std::size_t size) const;

  std::uint64_t epoch(std::uint64_t place) const { return place / count_; }

 private:
  std::uint64_t shuffled(std::uint64_t index, std::uint64_t epoch) const;

  std::uint64_t count_, seed_;
  unsigned half_bits_;  // 2^(2·half_bits) is at least count
};

}  // namespace headlight::tasks
