#include "headlight/ops/rotary.h"

#include "headlight/autograd/record.h"
#include "headlight/core/math.h"
#include "headlight/core/row_kernels.h"

namespace headlight {

RotaryTable rotary_table(std::size_t positions, std::size_t d_head, double base) {
  check(d_head > 0 && d_head % 2 == 0, "[rotary_table] expected an even d_head, got {}.", d_head);
  const std::size_t half = d_head / 2;
  Array cos = empty_array({positions, half}), sin = empty_array({positions, half});
  for (std::size_t p = 0; p < positions; ++p)
    for (std::size_t i = 0; i < half; ++i) {
      const double angle = double(p) * math::power(base, -2.0 * double(i) / double(d_head));
      cos(p, i) = static_cast<Real>(math::cos(angle));
      sin(p, i) = static_cast<Real>(math::sin(angle));
    }
  return {Tensor(std::move(cos)), Tensor(std::move(sin))};
}

namespace {

void check_table(const RotaryTable& table) {
  const Tensor &cos = table.cos, &sin = table.sin;
  check(cos.dim() == 2 && cos.shape() == sin.shape() && cos.length(1) > 0,
        "[rotary] expected a table of cos and sin, both (positions, d_head/2), got {} and {}.", cos.shape(),
        sin.shape());
  check(!cos.requires_grad() && !sin.requires_grad(),
        "[rotary] expected a table of constants, got a parameter: no gradient reaches a table.");
}

}  // namespace

// rotary   y = R x, R a rotation in each pair of coordinates     x̄ = Rᵀ ȳ, the rotation back
Tensor rotary(const Tensor& x, const RotaryTable& table, bool inverse) {
  check(x.dim() == 3, "[rotary] expected x (B,n,H·d_head), got {}.", x.shape());
  check_table(table);
  const Array &cos = table.cos.array(), &sin = table.sin.array();
  const std::size_t half = cos.shape()[1], d_head = 2 * half, positions = x.length(1), width = x.length(2);
  check(positions <= cos.shape()[0], "[rotary] {} positions, but the table has only {}.", positions,
        cos.shape()[0]);
  check(width % d_head == 0, "[rotary] a width of {} is not a multiple of d_head = {}.", width, d_head);
  Array y = empty_array(x.shape());
  for (std::size_t row = 0; row < x.length(0) * positions; ++row) {
    const std::size_t p = row % positions;
    kernels::rotate_heads(x.array().data() + row * width, cos.data() + p * half, sin.data() + p * half,
                          Real(inverse ? -1 : 1), y.data() + row * width, width / d_head, d_head);
  }
  // The table is an input too, so that a change of it before the backward pass is noticed.
  const Tensor inputs[] = {x, table.cos, table.sin};
  return record_joint("rotary", inputs, std::move(y), [table, inverse](const Tensor& g, const Tensor&) {
    return std::vector<Tensor>{rotary(g, table, !inverse), {}, {}};
  });
}

}  // namespace headlight
