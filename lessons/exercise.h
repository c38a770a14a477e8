// What every exercise starts from: the library, and the mark of a part that is not written yet.
#pragma once

#include <exception>
#include <source_location>
#include <string>
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
  explicit NotWritten(std::string in) : function(std::move(in)) {}
  const char* what() const noexcept override { return "not written yet"; }
  std::string function;  // in which todo() stands: "sum_to"
};

// The name in "Tensor sum_to(const Tensor&, const Shape&)".
inline std::string function_name(std::string signature) {
  signature.resize(std::min(signature.find('('), signature.size()));
  return signature.substr(signature.find_last_of(" *&:") + 1);
}

// The body of a part as it is shipped: write the part in its place.
[[noreturn]] inline void todo(std::source_location where = std::source_location::current()) {
  throw NotWritten(function_name(where.function_name()));
}

}  // namespace headlight

using namespace headlight;
