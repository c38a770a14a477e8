#pragma once

#include <cstdint>
#include <vector>

#include "headlight/run/examples.h"

namespace headlight::page {

// A token of the vocabulary and its probability.
struct Guess {
  std::int32_t token;
  double probability;
};

// A sequence of the page, and what the model predicts on it.
struct Shown {
  run::Example example;
  std::vector<std::vector<Guess>> guesses;  // at each position, the most likely first
};

}  // namespace headlight::page
