// The scores of a tile in memory, with everything that may be added to them.
#pragma once

#include "attention_tiles.h"
#include "headlight/core/gemm.h"
#include "vector_math.h"

namespace headlight::kernels::this_level::attention_tiles {

// S = scale·q kᵀ, divided by the cap if there is one, for the lanes of all rows of the tile.
inline void score(const AttentionSizes& s, const AttentionInputs& in, const Block& block, Keys keys,
                  MatrixView scores) {
  gemm(rows_of(in.q, block, s.d_k), rows_of(in.k, block, keys, s.d_k).t(), scores,
       s.cap > 0 ? s.scale / s.cap : s.scale, 0, {.c = band_of(s, block, keys, kAlong - 1)});
  const std::size_t end = in_lanes({0, keys.count}).end;
  if (keys.count < end) zero_rows({scores.data + keys.count, block.rows, end - keys.count, scores.stride});
}

// cap·tanh(a) for the scores a of a row, and where wanted their slope 1 - tanh²(a).
inline void cap_scores(Real cap, Span lanes, Real* row, Real* slope) {
  change_lanes(row, lanes, [&](const Lanes<Real>& scores, std::size_t j) {
    const Lanes<Real> t = each_lane<Real>([](auto a) { return vector_math::tanh(a); }, scores);
    const auto slope_at = [](auto a) { return multiply_add(-a, a, decltype(a){} + Real(1)); };
    if (slope != nullptr) store_lanes(slope + j, each_lane<Real>(slope_at, t));
    return each_lane<Real>([cap](auto a) { return cap * a; }, t);
  });
}

// Caps the scores of a row, adds bias and relative, and sets hidden scores to -∞.
inline void complete_scores(const AttentionSizes& s, const AttentionInputs& in, const Block& block, Keys keys,
                            std::size_t query, Span seen, Real* row, Real* slope = nullptr) {
  if (s.cap > 0) cap_scores(s.cap, in_lanes(seen), row, slope);
  if (in.bias.data != nullptr) {
    const Real* term = in.bias.at(block.batch, block.head, query) + keys.first * in.bias.key;
    for (std::size_t j = seen.first; j < seen.end; ++j) row[j] += term[j * in.bias.key];
  }
  if (in.relative.data != nullptr)
    for (std::size_t j = seen.first; j < seen.end; ++j)
      row[j] += in.relative.at(block.head, s.position(query), keys.first + j);
  if (in.visible.data != nullptr) {
    const bool* term = in.visible.at(block.batch, block.head, query) + keys.first * in.visible.key;
    for (std::size_t j = seen.first; j < seen.end; ++j) row[j] = term[j * in.visible.key] ? row[j] : kHidden;
  }
  hide_edges(row, seen);
}

// Multiplies the lanes of a row by those of another.
inline void multiply_lanes(Real* row, Span lanes, const Real* by) {
  change_lanes(row, lanes, [&](const Lanes<Real>& x, std::size_t j) {
    return each_lane<Real>([](auto a, auto b) { return a * b; }, x, load_lanes(by + j));
  });
}

// The factors of dropout for the lanes of a row.
inline void dropout_lanes(const AttentionSizes& s, const AttentionInputs& in, const Block& block, Keys keys,
                          std::size_t query, Span lanes, Real* factors) {
  this_level::dropout_row(in.dropout, block.batch, block.head, s.position(query), keys.first + lanes.first,
                          lanes.end - lanes.first, factors + lanes.first);
}

}  // namespace headlight::kernels::this_level::attention_tiles
