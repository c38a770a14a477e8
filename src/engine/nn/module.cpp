#include "headlight/nn/module.h"

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/core/numbers.h"

namespace headlight::nn {

std::size_t parameter_count(const NamedParameters& parameters) {
  std::size_t count = 0;
  for (const auto& [name, parameter] : parameters) count += parameter.size();
  return count;
}

std::string parameter_table(const NamedParameters& parameters) {
  std::size_t width = std::string("parameter").size();
  for (const auto& [name, parameter] : parameters) width = std::max(width, name.size());
  std::string table = fmt::format("{:<{}}  {:>12}  {:>10}\n", "parameter", width, "shape", "numbers");
  for (const auto& [name, parameter] : parameters)
    table += fmt::format("{:<{}}  {:>12}  {:>10}\n", name, width, headlight::to_string(parameter.shape()),
                         with_commas(parameter.size()));
  return table + fmt::format("{:<{}}  {:>12}  {:>10}\n", "total", width, "",
                             with_commas(parameter_count(parameters)));
}

Tensor normal_parameter(const Shape& shape, double stddev, Rng& rng) {
  return parameter(rng.normal_array(shape, 0, stddev));
}

Tensor bias_parameter(bool wanted, std::size_t width) {
  return wanted ? parameter(zeros({width})) : Tensor();
}

}  // namespace headlight::nn
