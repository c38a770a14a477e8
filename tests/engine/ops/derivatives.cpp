#include "derivatives.h"

#include "headlight/autograd/backward.h"
#include "headlight/ops/ops.h"

namespace headlight {

Derivatives derivatives(const OpFunction& f, const std::vector<Tensor>& inputs,
                        const std::vector<Array>& directions) {
  const Tensor y = f(inputs);
  Rng rng(11);
  const auto gradients = grad(y, inputs, {.cotangent = randn(y.shape(), rng), .create_graph = true});
  Tensor along = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) along = along + sum(gradients[i] * Tensor(directions[i]));
  Derivatives all{y.array(), {}, {}};
  for (const Tensor& g : gradients) all.gradients.push_back(g.array());
  for (const Tensor& h : grad(along, inputs, {.allow_unused = true})) all.hessian.push_back(h.array());
  return all;
}

std::vector<Array> random_directions(const std::vector<Tensor>& inputs) {
  Rng rng(12);
  std::vector<Array> directions;
  for (const Tensor& x : inputs) directions.push_back(rng.normal_array(x.shape()));
  return directions;
}

OpFunction cubed(const OpFunction& f) {
  return [f](const std::vector<Tensor>& x) {
    const Tensor y = f(x);
    return y * y * y;
  };
}

GradcheckReport check_second(const std::string& what, const OpFunction& f,
                             const std::vector<Tensor>& inputs) {
  GradcheckOptions options;
  if (!kDouble) options.tolerance = 5e-2;  // rounding is felt twice
  return gradgradcheck(what, cubed(f), inputs, options);
}

}  // namespace headlight
