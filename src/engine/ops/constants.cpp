#include "headlight/ops/constants.h"

#include "headlight/core/check.h"

namespace headlight {

Tensor zeros_like(const Tensor& x) { return zeros(x.shape()); }
Tensor ones_like(const Tensor& x) { return ones(x.shape()); }

Tensor eye(std::size_t rows) { return eye(rows, rows); }
Tensor eye(std::size_t rows, std::size_t columns) {
  return Tensor(Array(xt::eye<Real>(std::vector<std::size_t>{rows, columns})));
}

Tensor linspace(double first, double last, std::size_t count) {
  Array x = empty_array({count});
  const double steps = count > 1 ? static_cast<double>(count - 1) : 1;
  for (std::size_t i = 0; i < count; ++i) {  // exact at both ends
    const double t = static_cast<double>(i) / steps;
    x.data()[i] = static_cast<Real>((1 - t) * first + t * last);
  }
  return Tensor(std::move(x));
}

Tensor one_hot(const IntArray& indices, std::size_t classes) {
  Shape shape = indices.shape();
  shape.push_back(classes);
  Array hot = full_array(shape, 0);
  Real* row = hot.data();
  for (std::int32_t index : indices) {
    check(index >= 0 && static_cast<std::size_t>(index) < classes, "[one_hot] index {} is not in 0 … {}.",
          index, static_cast<std::ptrdiff_t>(classes) - 1);
    row[index] = 1;
    row += classes;
  }
  return Tensor(std::move(hot));
}

}  // namespace headlight
