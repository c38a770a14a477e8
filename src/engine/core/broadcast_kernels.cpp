#include "headlight/core/broadcast_kernels.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "headlight/core/check.h"
#include "headlight/core/row_sums.h"
#include "headlight/core/strided_loop.h"
#include "zip.h"

namespace headlight::kernels {
namespace {

// Runs along x. The result is one number for a row, or moves along with x. Partial results have the type
// `Partial`: sums are in double precision, so that long sums stay accurate.
template <class Partial, class Row, class Pair>
Array fold_to(const char* op, const Array& x, const Shape& shape, Partial start, Row row, Pair pair) {
  check(broadcasts_to(shape, x.shape()), "[{}] {} does not broadcast to {}, so {} cannot be reduced to it.",
        op, shape, x.shape(), x.shape());
  std::vector<Partial, PoolAllocator<Partial>> partial(size_of(shape), start);
  const StridedLoop<2> loop(x.shape(), {row_major_strides(x.shape()), broadcast_strides(shape, x.shape())});
  loop.each_run([&](std::size_t n, const auto& steps, const auto& offsets) {
    const Real* in = x.data() + offsets[0];
    Partial* out = partial.data() + offsets[1];
    if (steps[1] == 0) {
      *out = pair(*out, static_cast<Partial>(row(in, n)));
    } else {
      for (std::size_t i = 0; i < n; ++i) out[i] = pair(out[i], static_cast<Partial>(in[i]));
    }
  });
  Array y = empty_array(shape);
  std::transform(partial.begin(), partial.end(), y.data(), [](Partial p) { return static_cast<Real>(p); });
  return y;
}

}  // namespace

Array add(const Array& x, const Array& y) {
  return zip("add", x, y, [](Real a, Real b) { return a + b; });
}

void add_into(Array& y, const Array& x) {
  check(x.shape() == y.shape(), "[add_into] shapes differ: {} and {}.", y.shape(), x.shape());
  const Real* in = x.data();
  Real* out = y.data();
  const std::size_t n = y.size();
  for (std::size_t i = 0; i < n; ++i) out[i] += in[i];
}

Array sum_to(const Array& x, const Shape& shape) {
  if (shape == x.shape()) return x;
  return fold_to("sum_to", x, shape, 0.0, sum_row, [](double a, double b) { return a + b; });
}

Array max_to(const Array& x, const Shape& shape) {
  const auto larger = [](Real a, Real b) { return a > b || a != a ? a : b; };  // a NaN wins
  return fold_to(
      "max_to", x, shape, -std::numeric_limits<Real>::infinity(),
      [&](const Real* row, std::size_t n) {
        Real m = row[0];
        for (std::size_t i = 1; i < n; ++i) m = larger(m, row[i]);
        return m;
      },
      larger);
}

Array broadcast_to(const Array& x, const Shape& shape) {
  check(broadcasts_to(x.shape(), shape), "[broadcast_to] {} does not broadcast to {}.", x.shape(), shape);
  Array y = empty_array(shape);
  Real* out = y.data();
  const StridedLoop<1> loop(shape, {broadcast_strides(x.shape(), shape)});
  loop.each_run([&](std::size_t n, const auto& steps, const auto& offsets) {
    const Real* in = x.data() + offsets[0];
    for (std::size_t i = 0; i < n; ++i) out[i] = in[i * steps[0]];
    out += n;
  });
  return y;
}

}  // namespace headlight::kernels
