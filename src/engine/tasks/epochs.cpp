#include "headlight/tasks/epochs.h"

#include "headlight/core/check.h"
#include "headlight/core/rng.h"

namespace headlight::tasks {

Epochs::Epochs(std::size_t count, std::uint64_t seed) : count_(count), seed_(seed), half_bits_(1) {
  check(count >= 1, "[epochs] there are no examples to read.");
  while (half_bits_ < 32 && (std::uint64_t{1} << (2 * half_bits_)) < count_) ++half_bits_;
}

// A permutation of 0 … 2^(2·half_bits)-1: a Feistel network, whose rounds exchange the halves of the index
// and add to one a hash of the other.
std::uint64_t Epochs::shuffled(std::uint64_t index, std::uint64_t epoch) const {
  constexpr std::uint64_t kRounds = 6;
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  const Rng of_epoch = Rng(seed_).stream("epoch", epoch);
  std::uint64_t left = index >> half_bits_, right = index & mask;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    const std::uint64_t hash = of_epoch.stream("round", round * (mask + 1) + right).next();
    const std::uint64_t next = (left ^ hash) & mask;
    left = right;
    right = next;
  }
  return left << half_bits_ | right;
}

std::size_t Epochs::operator()(std::uint64_t place) const {
  std::uint64_t index = place % count_;
  do index = shuffled(index, epoch(place));
  while (index >= count_);  // follows the permutation's cycle back into the examples
  return static_cast<std::size_t>(index);
}

std::vector<std::size_t> Epochs::batch(std::uint64_t first, std::size_t size) const {
  std::vector<std::size_t> examples;
  for (std::size_t i = 0; i < size; ++i) examples.push_back((*this)(first + i));
  return examples;
}

}  // namespace headlight::tasks
