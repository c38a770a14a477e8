// What positions do to the queries and keys of a head, as a matrix.
#pragma once

#include "headlight/nn/positions.h"
#include "headlight/ops/constants.h"
#include "headlight/ops/rearrange.h"

namespace headlight::interpret {

// R (d_head,d_head): at this position a query or key x becomes x R. The numbers are those of the rotation's
// table, because each product is one with 0 or 1.
inline Tensor rotation_matrix(const nn::Positions::Rotation& rotation, std::size_t d_head,
                              std::size_t position) {
  const Tensor each = reshape_to(eye(d_head), {d_head, 1, d_head});
  return reshape_to(rotation(each, position), {d_head, d_head});
}

}  // namespace headlight::interpret
