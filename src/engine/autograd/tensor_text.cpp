#include "headlight/autograd/tensor_text.h"

#include <ostream>

namespace headlight {

std::string to_string(const Tensor& x, const NumberFormat& format) {
  return x.defined() ? to_string(x.array(), format) : "undefined";
}

std::ostream& operator<<(std::ostream& out, const Tensor& x) { return out << to_string(x); }

}  // namespace headlight
