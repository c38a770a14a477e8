// Numbers with a name and a shape, as a verdict shows them.
#pragma once

#include <string>
#include <vector>

#include "headlight/core/shape.h"

namespace headlight::grader {

// A scalar has the shape (). A shape that a part returns is shown as a row of whole numbers.
struct Shown {
  std::string name;
  Shape shape;
  std::vector<double> numbers;
};

}  // namespace headlight::grader
