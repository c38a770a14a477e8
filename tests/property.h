// Properties that must hold for all cases, tried on random ones.
#pragma once

#include <cstddef>
#include <cstdint>

#include "catch.h"
#include "headlight/core/rng.h"

namespace headlight {

// One case by its seed, to run a failed one again.
template <class Property>
void for_case(std::uint64_t seed, std::size_t size, Property property) {
  INFO("run this case alone: for_case(" << seed << "u, " << size << ", …)");
  Rng rng(seed);
  property(rng, size);
}

// Calls property(rng, size) with sizes growing from 1 to `largest`, so that the first case to fail is about
// as small as one can be. Properties say REQUIRE, which ends the test there.
template <class Property>
void for_all(std::size_t n_cases, Property property, std::size_t largest = 5, std::uint64_t seed = 1) {
  Rng seeds(seed);
  for (std::size_t i = 0; i < n_cases; ++i) for_case(seeds.next(), 1 + i * largest / n_cases, property);
}

}  // namespace headlight
