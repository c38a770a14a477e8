// What every exercise starts from: the library, and the mark of a part that is not written yet.
#pragma once

#include <exception>
#include <vector>

#include "headlight/nn/layers.h"
#include "headlight/ops/ops.h"

namespace headlight {

// One trial of an experiment of your own: what you set, what you expected before you ran it, and what came
// out.
struct Trial {
  double setting, predicted, measured = 0;
};

// Thrown by todo().
struct NotWritten : std::exception {
  const char* what() const noexcept override { return "not written yet"; }
};

// The body of a part as it is shipped: write the part in its place.
[[noreturn]] inline void todo() { throw NotWritten(); }

}  // namespace headlight

using namespace headlight;
