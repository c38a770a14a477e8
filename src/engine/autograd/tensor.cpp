#include "headlight/autograd/tensor.h"

#include <algorithm>

#include "headlight/autograd/backward.h"
#include "headlight/autograd/node.h"
#include "headlight/autograd/observer.h"
#include "headlight/core/check.h"

namespace headlight {
namespace {

const Node& existing(const std::shared_ptr<Node>& node) {
  check(node != nullptr,
        "this Tensor is undefined. Hint: it was default-constructed, or it is a grad() before backward().");
  return *node;
}

}  // namespace

Tensor::Tensor(Array values) : node_(Node::leaf(std::move(values))) {}

const Array& Tensor::array() const& { return existing(node_).value; }

std::size_t Tensor::length(int axis) const { return shape()[normalize_axis(axis, dim(), "length")]; }

Real Tensor::item() const {
  check(size() == 1, "[item] expected a tensor with one element, got shape {}.", shape());
  return *array().data();
}

bool Tensor::requires_grad() const { return existing(node_).requires_grad; }
const char* Tensor::op() const { return existing(node_).op; }
bool Tensor::is_leaf() const { return existing(node_).inputs.empty() && !existing(node_).freed; }
bool Tensor::has_grad() const { return existing(node_).grad.defined(); }
const Tensor& Tensor::grad() const {
  if (has_grad() && node_->grad.shape() != shape())
    fail(
        "[grad] {} has a gradient of shape {}. Hint: was an array of another shape assigned to "
        "mutable_array()? zero_grad() drops the gradient of the old one.",
        describe(*this), node_->grad.shape());
  if (has_grad() || (is_leaf() && requires_grad())) return node_->grad;
  fail(
      "[grad] {} is not a parameter, and backward() leaves gradients at parameters only. Hint: "
      "make it with parameter(). If `x = x - …` or `x -= …` replaced a parameter, update it in "
      "place instead, x.mutable_array() -= 0.1 * x.grad().array(), or with an optimizer. (The "
      "gradient of a result is grad(loss, {{x}}).)",
      describe(*this));
}
void Tensor::set_grad(Tensor gradient) {
  check(!gradient.defined() || gradient.shape() == shape(),
        "[set_grad] a gradient of shape {} for a tensor of {}.",
        gradient.defined() ? gradient.shape() : Shape{}, shape());
  node_->grad = std::move(gradient);
  node_->grad_version = node_->version;
}
void Tensor::backward() const { headlight::backward(*this); }
Tensor Tensor::detach() const {
  Tensor out(array());
  for (OpObserver* observer : observers()) observer->made_constant(out, "detach()", op(), std::span(this, 1));
  return out;
}

const std::string& Tensor::name() const { return existing(node_).name; }
void Tensor::set_name(std::string name) {
  existing(node_);
  node_->name = std::move(name);
}

Array& Tensor::mutable_array() {
  check(
      is_leaf(),
      "[mutable_array] expected a parameter or a constant, got the result of '{}'. Hint: change what it was "
      "computed from, or a detach()ed copy.",
      op());
  ++node_->version;
  return node_->value;
}

std::string describe(const Tensor& x) {
  if (!x.name().empty()) return fmt::format("'{}' of shape {}", x.name(), x.shape());
  if (!x.is_leaf()) return fmt::format("the result of '{}' of shape {}", x.op(), x.shape());
  return fmt::format("a tensor of shape {}", x.shape());
}

Tensor tensor(const std::vector<Real>& values, const Shape& shape) {
  check(values.size() == size_of(shape), "[tensor] {} numbers do not fill the shape {}.", values.size(),
        shape);
  Array x = empty_array(shape);
  std::copy(values.begin(), values.end(), x.data());
  return Tensor(std::move(x));
}

void NestedList::join(const std::vector<NestedList>& parts) {
  if (!parts.empty()) shape = parts.front().shape;
  for (const NestedList& part : parts) {
    check(part.shape == shape, "[tensor] lists side by side have different shapes: {} and {}.", shape,
          part.shape);
    values.insert(values.end(), part.values.begin(), part.values.end());
  }
  shape = with_axis(shape, 0, parts.size());
}

Tensor tensor(const NestedList& numbers) { return tensor(numbers.values, numbers.shape); }

Tensor zeros(const Shape& shape) { return full(shape, 0); }
Tensor ones(const Shape& shape) { return full(shape, 1); }
Tensor full(const Shape& shape, Real value) { return Tensor(full_array(shape, value)); }

Tensor arange(std::size_t n) {
  Array x = empty_array({n});
  for (std::size_t i = 0; i < n; ++i) x.data()[i] = static_cast<Real>(i);
  return Tensor(std::move(x));
}

Tensor parameter(Array values) {
  Tensor x(std::move(values));
  x.node()->requires_grad = true;
  return x;
}

Tensor parameter(const Tensor& values) { return parameter(values.array()); }
Tensor parameter(const NestedList& numbers) { return parameter(tensor(numbers)); }
Tensor parameter(std::initializer_list<NestedList> numbers) { return parameter(tensor(NestedList(numbers))); }

Tensor parameter(const IntArray&) {
  fail(
      "[parameter] whole numbers (tokens, indices) have no gradient. Hint: look them up in a table with "
      "embedding(), or make real numbers of them first.");
}

}  // namespace headlight
