// Random numbers: seeded, in independent named streams, and the same on every platform.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "headlight/core/array.h"

namespace headlight {

// xoshiro256++ (Blackman and Vigna 2019), seeded through splitmix64. It does not use the standard
// library's distributions, because their results differ between libraries.
class Rng {
 public:
  struct State {
    std::array<std::uint64_t, 4> words;
    std::uint64_t seed;  // what stream() starts from
    bool operator==(const State&) const = default;
  };

  explicit Rng(std::uint64_t seed = 0);
  explicit Rng(const State& state) : state_(state) {}

  // An independent generator that depends only on this generator's seed, the name and the index, and not on
  // how many numbers were drawn. A batch drawn from stream("data", step) is the same in a resumed run.
  Rng stream(std::string_view name, std::uint64_t index = 0) const;

  std::uint64_t next();                  // 64 random bits
  double uniform();                      // [0, 1), a multiple of 2^-53
  double normal();                       // mean 0, variance 1 (Marsaglia's polar method)
  std::uint64_t below(std::uint64_t n);  // 0 … n-1, all equally likely; n > 0

  // `count` different numbers out of 0 … n-1, in random order. Throws Error when count > n.
  std::vector<std::int32_t> distinct(std::size_t count, std::size_t n);

  Array uniform_array(const Shape& shape, double low = 0, double high = 1);
  Array normal_array(const Shape& shape, double mean = 0, double stddev = 1);

  const State& state() const { return state_; }

 private:
  State state_;
};

}  // namespace headlight
