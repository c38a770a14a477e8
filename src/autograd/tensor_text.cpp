#include "headlight/autograd/tensor_text.h"

#include <ostream>

namespace headlight {

std::string to_string(const Tensor& x, int decimals) {
  return x.defined() ? to_string(x.array(), decimals) : "undefined";
}

std::ostream& operator<<(std::ostream& out, const Tensor& x) { return out << to_string(x); }

}  // namespace headlight
