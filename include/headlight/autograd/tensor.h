// Tensor: an array that remembers how it was computed. tensor_text.h prints tensors.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "headlight/core/array.h"

namespace headlight {

class Rng;  // core/rng.h
struct Node;

template <class T>
concept Number = std::is_arithmetic_v<T>;

// A handle to a node of the graph. Copies are cheap and name the same node, as in PyTorch.
class Tensor {
 public:
  Tensor() = default;             // undefined: no node
  explicit Tensor(Array values);  // a constant

  // A constant scalar, so that `1 - y * y` reads as written.
  template <Number T>
  Tensor(T scalar) : Tensor(full_array(Shape{}, static_cast<Real>(scalar))) {}

  Tensor(const Tensor&) = default;
  Tensor(Tensor&&) = default;
  // Only a name can be bound to another tensor: `x[0] = y` would change nothing, so it does not compile.
  Tensor& operator=(const Tensor&) & = default;
  Tensor& operator=(Tensor&&) & = default;
  ~Tensor() = default;

  bool defined() const { return node_ != nullptr; }

  // The numbers. Of a temporary they are a copy, so that `for (Real x : sum(y).array())` is safe.
  const Array& array() const&;
  Array array() && { return std::as_const(*this).array(); }
  const Shape& shape() const& { return array().shape(); }
  Shape shape() && { return std::as_const(*this).shape(); }
  std::size_t dim() const { return shape().size(); }
  std::size_t size() const { return array().size(); }
  std::size_t length(int axis) const;  // of one axis; negative axes count from the end

  // Place i along the first axis, which the result lacks: a row of a matrix, a scalar of a vector. Negative
  // places count from the end. It is an op, so the gradient goes back to x. slice() takes several axes
  // (ops/rearrange.h). Throws Error for a place outside of the axis.
  Tensor operator[](int i) const;

  // The one number of a tensor of size 1. Throws Error when there are more.
  Real item() const;

  // The name in messages and figures. Parameters of a module are named after its members.
  const std::string& name() const;
  void set_name(std::string name);

  bool requires_grad() const;
  bool is_leaf() const;    // not the result of an op
  const char* op() const;  // the op that made it; "leaf"

  // The sum of the gradients that backward() has added; undefined before the first. Throws Error for a
  // constant and for the result of an op, unless set_grad() gave it a gradient: backward() adds none there,
  // and where mutable_array() has got another shape than the gradient.
  const Tensor& grad() const;
  bool has_grad() const;
  void set_grad(Tensor gradient);
  void zero_grad() { set_grad({}); }

  // Differentiates this scalar: adds ∂this/∂leaf to the grad() of every leaf that requires one.
  // See backward.h for other cotangents, retain_graph and create_graph.
  void backward() const;

  // The same numbers as a constant, cut from the graph.
  Tensor detach() const;

  // The numbers of a leaf, for changing in place (as optimizers do). Throws Error for the result of an op. If
  // the numbers change between a forward pass and its backward pass, backward() throws. Call this for each
  // change: changes through a reference that was kept are detected only inside an AnomalyScope.
  Array& mutable_array();

  const std::shared_ptr<Node>& node() const { return node_; }
  explicit Tensor(std::shared_ptr<Node> node) : node_(std::move(node)) {}

  friend bool same_node(const Tensor& a, const Tensor& b) { return a.node_ == b.node_; }

 private:
  std::shared_ptr<Node> node_;
};

// Tensors with their names for tables, messages and figures.
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

// "'W_Q' of shape (64,64)"; without a name "the result of 'linear' of shape (4,64)" or "a tensor of shape
// (2)".
std::string describe(const Tensor& x);

// Numbers in nested braces or std::vectors of any depth; all lists of a level must have the same length.
struct NestedList {
  std::vector<Real> values;
  Shape shape;

  template <Number T>
  NestedList(T scalar) : values{static_cast<Real>(scalar)} {}
  NestedList(std::initializer_list<NestedList> parts) { join({parts.begin(), parts.end()}); }
  template <class T>
  NestedList(const std::vector<T>& parts) {
    join({parts.begin(), parts.end()});
  }

 private:
  void join(const std::vector<NestedList>& parts);
};

// Constants from numbers:  tensor({1, 2, 3})   tensor({{1, 2}, {3, 4}})   tensor(vector)   tensor(vector, {2,
// 3})
Tensor tensor(const NestedList& numbers);
Tensor tensor(const std::vector<Real>& values, const Shape& shape);
template <Number T>
Tensor tensor(const std::vector<T>& values, const Shape& shape) {
  return tensor(std::vector<Real>(values.begin(), values.end()), shape);
}

// Constants of a shape, and of the numbers 0, 1, … n-1.
Tensor zeros(const Shape& shape);
Tensor ones(const Shape& shape);
Tensor full(const Shape& shape, Real value);
Tensor arange(std::size_t n);
Tensor randn(const Shape& shape, Rng& rng, double stddev = 1);  // drawn from N(0, stddev²)

// Throws Error: a derivative needs small changes, which whole numbers do not have.
Tensor parameter(const IntArray& integers);

// A leaf with these numbers that requires a gradient, for training to change.
//   parameter(0.5)   parameter({1, 2})   parameter({{1, 2}, {3, 4}})   parameter(randn({2, 3}, rng))
Tensor parameter(const Tensor& values);
Tensor parameter(Array values);
template <class E>
Tensor parameter(const xt::xexpression<E>& expression) {  // of xtensor
  using Element = typename E::value_type;
  return parameter(
      std::conditional_t<std::is_integral_v<Element>, IntArray, Array>(expression.derived_cast()));
}
Tensor parameter(const NestedList& numbers);
Tensor parameter(std::initializer_list<NestedList> numbers);
template <Number T>
Tensor parameter(T scalar) {
  return parameter(Tensor(scalar));
}

}  // namespace headlight
