// Pairs of a random word and the same word written from its end: what the models of lesson 10 learn.
#pragma once

#include <cstdint>
#include <functional>

#include "headlight/core/array.h"
#include "headlight/core/rng.h"

namespace headlight {

// Token 0 is the sign "|", with which every answer begins; tokens 1 … 8 are the letters a … h.
inline constexpr std::int32_t kStart = 0;
inline constexpr std::size_t kLetters = 8, kTokens = 1 + kLetters, kLength = 6;

struct Pairs {
  IntArray source, answer;  // (count,length): answer(i, j) is source(i, length - 1 - j)
};

// Called by each draw, if it is set: a checker counts the steps of a training by them.
inline std::function<void()> each_draw;

// So many random words, in which a letter may occur more than once, and their answers.
inline Pairs pairs(std::size_t count, Rng& rng, std::size_t length = kLength) {
  if (each_draw) each_draw();
  Pairs drawn{IntArray::from_shape({count, length}), IntArray::from_shape({count, length})};
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < length; ++j) {
      drawn.source(i, j) = static_cast<std::int32_t>(1 + rng.below(kLetters));
      drawn.answer(i, length - 1 - j) = drawn.source(i, j);
    }
  return drawn;
}

}  // namespace headlight
