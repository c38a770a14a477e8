#include "grader/part.h"

namespace headlight::grader {

Shown shown(std::string name, double number) { return {std::move(name), {}, {number}}; }

Shown shown(std::string name, bool answer) { return shown(std::move(name), answer ? 1.0 : 0.0); }

Shown shown(std::string name, const Array& array) {
  return {std::move(name), array.shape(), {array.data(), array.data() + array.size()}};
}

Shown shown(std::string name, const Tensor& tensor) {
  return tensor.defined() ? shown(std::move(name), tensor.array()) : Shown{std::move(name), {0}, {}};
}

Shown shown(std::string name, const Shape& shape) {
  return {std::move(name), {shape.size()}, {shape.begin(), shape.end()}};
}

Shown shown(std::string name, const std::vector<double>& numbers) {
  return {std::move(name), {numbers.size()}, numbers};
}

}  // namespace headlight::grader
