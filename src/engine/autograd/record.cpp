#include "headlight/autograd/record.h"

namespace headlight {

Tensor make_constant(const char* op, std::span<const Tensor> inputs, Array value) {
  Tensor out(std::move(value));
  for (OpObserver* observer : observers()) observer->made_constant(out, "NoGrad", op, inputs);
  return out;
}

Tensor record_joint(const char* op, std::span<const Tensor> inputs, Array value, JointVjp joint) {
  check(static_cast<bool>(joint), "[record] the derivative of op '{}' is an empty function.", op);
  for (OpObserver* observer : observers()) observer->computed(op, inputs, value);
  if (!must_record(inputs)) return make_constant(op, inputs, std::move(value));
  return make_node(op, inputs, std::move(value), {}, std::move(joint));
}

}  // namespace headlight
