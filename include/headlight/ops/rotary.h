// Rotary positions (Su et al. 2021).
#pragma once

#include "headlight/autograd/tensor.h"

namespace headlight {

// Angles of rotary positions: cos and sin of p·base^(-2i/d_head), both (positions, d_head/2).
struct RotaryTable {
  Tensor cos, sin;
};
RotaryTable rotary_table(std::size_t positions, std::size_t d_head, double base = 10000);

// Rotates every head of x (B,n,H·d_head) by the angles of its position; position p of x takes row p of the
// table. `inverse` rotates back. q·k then depends only on the difference of the positions. Throws Error for a
// table that does not fit, or that requires a gradient.
Tensor rotary(const Tensor& x, const RotaryTable& table, bool inverse = false);

}  // namespace headlight
