// Tensors as text: to_string(x), fmt::print("{}", x), fmt::print("{:.2f}", x) and std::cout << x.
#pragma once

#include <iosfwd>
#include <string>

#include "headlight/autograd/tensor.h"
#include "headlight/core/array_text.h"

namespace headlight {

// As the text of its array (core/array_text.h); "undefined" for an undefined tensor.
std::string to_string(const Tensor& x, const NumberFormat& format = {});
inline std::string to_string(const Tensor& x, int decimals) {
  return to_string(x, NumberFormat{decimals, 'f'});
}
std::ostream& operator<<(std::ostream& out, const Tensor& x);

}  // namespace headlight

template <>
struct fmt::formatter<headlight::Tensor> : headlight::DecimalsFormat {};
