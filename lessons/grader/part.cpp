#include "grader/part.h"

namespace headlight::grader {

Part without(Part part, std::vector<std::string> not_called) {
  part.not_called = std::move(not_called);
  return part;
}

Part timed(Part part, Part::Known too_slow) {
  part.too_slow = std::move(too_slow);
  return part;
}

}  // namespace headlight::grader
