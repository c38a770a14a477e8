#include "samples.h"

#include <algorithm>

#include "headlight/core/rng.h"

namespace headlight::sample_inputs {
namespace {

Rng& rng() {
  static Rng instance(2024);
  return instance;
}

}  // namespace

Tensor normal(const Shape& shape) { return parameter(rng().normal_array(shape)); }
Tensor positive(const Shape& shape) { return parameter(rng().uniform_array(shape, 0.3, 2)); }

Tensor off_zero(const Shape& shape) {
  Array x = rng().uniform_array(shape, 0.2, 1.5);
  for (Real& value : x)
    if (rng().uniform() < 0.5) value = -value;
  return parameter(std::move(x));
}

Tensor spread(const Shape& shape) {
  const auto order = rng().distinct(size_of(shape), size_of(shape));
  Array x = empty_array(shape);
  std::transform(order.begin(), order.end(), x.begin(),
                 [](auto i) { return Real(0.1) * static_cast<Real>(i) - 1; });
  return parameter(std::move(x));
}

IntArray indices(const Shape& shape, std::size_t below) {
  IntArray x = IntArray::from_shape(shape);
  for (auto& i : x) i = static_cast<std::int32_t>(rng().below(below));
  return x;
}

BoolArray mask(const Shape& shape, double p) {
  BoolArray m(shape, false);
  for (std::size_t i = 0; i < m.size(); ++i) m.data()[i] = rng().uniform() < p;
  return m;
}

}  // namespace headlight::sample_inputs
