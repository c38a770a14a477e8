// Every op on inputs that come out of another op: a transposed leaf, or a part of a larger one.
#include <limits>

#include "catch.h"
#include "derivatives.h"
#include "headlight/core/kernels.h"
#include "headlight/ops/ops.h"

using namespace headlight;

namespace {

// How an input is laid out in a leaf: `embed` puts its numbers there, zeros elsewhere, and `extract` gets
// them out again inside the graph.
struct Layout {
  const char* name;
  Array (*embed)(const Array&);
  Tensor (*extract)(const Tensor& leaf, const Shape& shape);
};

Shape at_least(std::size_t axes, Shape shape) {
  while (shape.size() < axes) shape.insert(shape.begin(), 1);
  return shape;
}

Array transposed(const Array& x) {
  return transpose(reshape_to(Tensor(x), at_least(2, x.shape())), 0, -1).array();
}

// Every second place of the last axis, one place in from both ends of the first.
Array spaced(const Array& x) {
  Shape shape = at_least(1, x.shape());
  const Array flat = kernels::reshape(x, shape);
  const std::size_t last = shape.size() - 1;
  shape[last] = 2 * shape[last] + 1;
  const Array wide = kernels::unslice(flat, shape, last, 1, 2);
  shape[0] += 2;
  return kernels::unslice(wide, shape, 0, 1, 1);
}

const Layout kLayouts[] = {
    {"transpose(leaf)", transposed,
     [](const Tensor& leaf, const Shape& shape) { return reshape_to(transpose(leaf, 0, -1), shape); }},
    {"slice(larger leaf)", spaced, [](const Tensor& leaf, const Shape& shape) {
       return reshape_to(slice(slice(leaf, 0, 1, -1), -1, 1, -1, 2), shape);
     }}};

// The embedded numbers with NaN around them, which must not be read.
Tensor leaf_for(const Layout& layout, const Tensor& x) {
  const Array used = layout.embed(full_array(x.shape(), 1));
  const Array nothing = full_array(used.shape(), std::numeric_limits<Real>::quiet_NaN());
  const BoolArray is_used = BoolArray::Values(xt::equal(used, Real(1)));
  return parameter(kernels::where(is_used, layout.embed(x.array()), nothing));
}

std::vector<Tensor> as_parameters(const std::vector<Tensor>& inputs) {
  std::vector<Tensor> result;
  for (const Tensor& x : inputs) result.push_back(parameter(x.array()));
  return result;
}

}  // namespace

TEST_CASE("every op takes a transposed or sliced input, first and second derivatives too", "[ops]") {
  for (const Sample& s : samples()) {
    const OpFunction f = cubed(s.function);
    const std::vector<Tensor> inputs = as_parameters(s.inputs);
    const std::vector<Array> directions = random_directions(inputs);
    const Derivatives plain = derivatives(f, inputs, directions);
    for (const Layout& layout : kLayouts) {
      INFO(s.op << " " << s.what << ", inputs from " << layout.name);
      std::vector<Tensor> leaves;
      std::vector<Array> embedded;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        leaves.push_back(leaf_for(layout, inputs[i]));
        embedded.push_back(layout.embed(directions[i]));
      }
      const OpFunction rearranged = [&](const std::vector<Tensor>& in) {
        std::vector<Tensor> x;
        for (std::size_t i = 0; i < in.size(); ++i) x.push_back(layout.extract(in[i], inputs[i].shape()));
        return f(x);
      };
      const Derivatives found = derivatives(rearranged, leaves, embedded);
      CHECK(difference(found.value, plain.value) == 0);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        CHECK(difference(found.gradients[i], layout.embed(plain.gradients[i])) < kRounding);
        CHECK(difference(found.hessian[i], layout.embed(plain.hessian[i])) < kRounding);
      }
    }
  }
}

TEST_CASE("arrays made from xtensor's views and other layouts hold the right numbers", "[ops]") {
  Array a = Array::from_shape({2, 3, 4});
  for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = static_cast<Real>(i);
  const Tensor x(a);
  CHECK(difference(Array(xt::transpose(a)), permute(x, {2, 1, 0}).array()) == 0);
  CHECK(difference(Array(xt::transpose(a, {1, 0, 2})), permute(x, {1, 0, 2}).array()) == 0);
  const Array every_second = xt::strided_view(a, {xt::all(), 1, xt::range(1, 4, 2)});
  CHECK(difference(every_second, reshape(slice(slice(x, 1, 1, 2), 2, 1, 4, 2), {2, 2}).array()) == 0);
  const Array backwards = xt::strided_view(a, {xt::all(), xt::all(), xt::range(3, xt::placeholders::_, -1)});
  CHECK(difference(backwards, gather(x, xt::broadcast(IntArray{3, 2, 1, 0}, {2, 3, 4})).array()) == 0);
  const xt::xarray<Real, xt::layout_type::column_major> columns = a;
  CHECK(difference(Array(columns), a) == 0);
  CHECK(difference(exp(Tensor(Array(columns))).array(), exp(x).array()) == 0);
  const xt::xarray<double> doubles = a;
  CHECK(difference(Array(doubles), a) == 0);
}

TEST_CASE("indices and masks made from xtensor's views hold the right numbers", "[ops]") {
  const IntArray numbers{{0, 1, 2}, {2, 0, 1}};
  const Tensor table = tensor({{1, 2}, {3, 4}, {5, 6}});
  CHECK(difference(embedding(table, xt::transpose(numbers)).array(),
                   permute(embedding(table, numbers), {1, 0, 2}).array()) == 0);
  const BoolArray mask{{true, false, false}, {true, true, false}};
  const BoolArray turned = BoolArray::Values(xt::transpose(mask.values()));
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  CHECK(difference(transpose(where(turned, transpose(x), 0)).array(), where(mask, x, 0).array()) == 0);
}
