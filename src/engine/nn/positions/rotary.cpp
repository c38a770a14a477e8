// Rotary positions (Su et al. 2021): each pair of coordinates of a query or key at position p is turned by
// the angle p·10000^(-2i/d_head). q·k then depends on the distance only.
#include "headlight/ops/rotary.h"
#include "headlight/core/setting_text.h"
#include "headlight/nn/positions.h"
#include "headlight/ops/rearrange.h"

namespace headlight::nn::position_kinds {
namespace {

Tensor rows_from(const Tensor& table, std::size_t first) { return slice(table, 0, static_cast<int>(first)); }

Positions::Rotation rotation(const PositionSizes& sizes) {
  return [table = rotary_table(sizes.n_ctx, sizes.d_head)](const Tensor& x, std::size_t first) {
    if (first == 0) return headlight::rotary(x, table);
    return headlight::rotary(x, {rows_from(table.cos, first), rows_from(table.sin, first)});
  };
}

void check_even(const PositionSizes& sizes) {
  check_setting(sizes.d_head % 2 == 0,
                "rotary positions turn pairs of coordinates, so {} must be even; it is {}.",
                setting_key("d_head"), sizes.d_head);
}

}  // namespace

Registry<Positions>::Entry rotary() {
  return {"rotary",
          "queries and keys are rotated by their position",
          {.rotation = rotation, .check = check_even},
          kNoSettings};
}

}  // namespace headlight::nn::position_kinds
