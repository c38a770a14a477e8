#include "headlight/autograd/derivatives.h"

#include <algorithm>
#include <unordered_set>

#include "headlight/autograd/backward.h"
#include "headlight/autograd/node.h"
#include "headlight/autograd/recording.h"
#include "headlight/core/check.h"

namespace headlight {
namespace {

// Whether y was computed from x. Nodes older than x cannot lead to x, and their graph may be freed.
bool depends_on(const Tensor& y, const Tensor& x) {
  std::vector<const Node*> todo{y.node().get()};
  std::unordered_set<const Node*> seen;
  while (!todo.empty()) {
    const Node* node = todo.back();
    todo.pop_back();
    if (node == x.node().get()) return true;
    if (node->sequence < x.node()->sequence || !seen.insert(node).second) continue;
    for (const Input& input : node->inputs) todo.push_back(input.tensor.node().get());
  }
  return false;
}

// A new leaf with the numbers of `at`, and f there.
struct Evaluated {
  Tensor x, y;

  Evaluated(const char* op, const TensorFunction& f, const Tensor& at) {
    check(static_cast<bool>(f), "[{}] expected a function, got an empty one.", op);
    check(at.defined(), "[{}] expected a tensor, got an undefined one.", op);
    const RecordingScope scope(true);
    x = parameter(at.array());
    y = f(x);
    check(y.defined(), "[{}] expected a function that returns a tensor, got an undefined one.", op);
    check(depends_on(y, x),
          "[{}] expected a function whose result depends on its argument, got one whose result does not. "
          "Hint: was the graph cut by detach() or NoGrad, or is another tensor used in its place?",
          op);
  }
};

// ∂y[i]/∂x[j] for all i and j. y may be a constant, as the gradient of a linear function is.
Tensor all_rows(const Tensor& y, const Tensor& x) {
  Shape shape = y.shape();
  shape.insert(shape.end(), x.shape().begin(), x.shape().end());
  Array rows = full_array(shape, 0);
  for (std::size_t i = 0; y.requires_grad() && i < y.size(); ++i) {
    Array unit = full_array(y.shape(), 0);
    unit.data()[i] = 1;
    const std::vector<Tensor> row =
        grad(y, {x}, {.cotangent = Tensor(unit), .retain_graph = true, .allow_unused = true});
    std::copy_n(row[0].array().data(), x.size(), rows.data() + i * x.size());
  }
  return Tensor(std::move(rows));
}

}  // namespace

Tensor jacobian(const TensorFunction& f, const Tensor& x) {
  const Evaluated at("jacobian", f, x);
  return all_rows(at.y, at.x);
}

Tensor hessian(const TensorFunction& f, const Tensor& x) {
  const Evaluated at("hessian", f, x);
  check(at.y.size() == 1,
        "[hessian] expected a function that returns one number, got shape {}. Hint: take "
        "its sum() or mean().",
        at.y.shape());
  return all_rows(grad(at.y, {at.x}, {.create_graph = true})[0], at.x);
}

Tensor jvp(const TensorFunction& f, const Tensor& x, const Tensor& v) {
  const Evaluated at("jvp", f, x);
  check(v.defined(), "[jvp] expected a direction, got an undefined tensor.");
  check(v.shape() == at.x.shape(), "[jvp] expected a direction of the argument's shape {}, got {}.",
        at.x.shape(), v.shape());
  const Tensor u = parameter(full_array(at.y.shape(), 0));
  const Tensor product = grad(at.y, {at.x}, {.cotangent = u, .create_graph = true})[0];  // uᵀJ
  if (!product.requires_grad())
    return zeros(at.y.shape());  // the derivative is 0 throughout, as that of sign
  return grad(product, {u}, {.cotangent = v.detach(), .allow_unused = true})[0];
}

}  // namespace headlight
