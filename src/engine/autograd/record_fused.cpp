#include "headlight/autograd/record_fused.h"

#include "headlight/autograd/backward.h"
#include "headlight/autograd/linear_ops.h"
#include "headlight/autograd/record.h"

namespace headlight {
namespace {

// The reference's vjp, as a differentiable function of inputs and cotangent. Each input has its own alias, so
// that attention(x, x, x) gets three separate cotangents.
std::vector<Tensor> through_reference(const std::function<Tensor(const std::vector<Tensor>&)>& reference,
                                      std::span<const Input> inputs, const Tensor& cotangent) {
  std::vector<Tensor> aliases, wanted;
  for (const auto& [x, version] : inputs) {
    aliases.push_back(identity(x));
    if (x.requires_grad()) wanted.push_back(aliases.back());
  }
  const std::vector<Tensor> grads =
      grad(reference(aliases), wanted, {.cotangent = cotangent, .create_graph = true, .allow_unused = true});
  std::vector<Tensor> result;
  auto next = grads.begin();
  for (const auto& [x, version] : inputs) result.push_back(x.requires_grad() ? *next++ : Tensor());
  return result;
}

}  // namespace

Tensor record_fused(const char* op, std::span<const Tensor> inputs, Array value, FusedVjp fused,
                    std::function<Tensor(const std::vector<Tensor>&)> reference) {
  check(fused && reference, "[record_fused] the derivative or the reference of op '{}' is an empty function.",
        op);
  return record_joint(
      op, inputs, std::move(value),
      [fused = std::move(fused), reference = std::move(reference)](const Tensor& g, const Tensor& y) {
        const std::span<const Input> in = y.node()->inputs;
        return recording() ? through_reference(reference, in, g) : fused(in, g, y);
      });
}

std::vector<Tensor> defined(std::initializer_list<std::reference_wrapper<const Tensor>> operands) {
  std::vector<Tensor> there;
  there.reserve(operands.size());
  for (const Tensor& x : operands)
    if (x.defined()) there.push_back(x);
  return there;
}

}  // namespace headlight
