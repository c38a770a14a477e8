// What the kernel of attention works on: blocks of queries, tiles of keys, and the keys of a tile that a
// query sees.
#pragma once

#include <limits>

#include "headlight/core/gemm.h"
#include "kernels.h"
#include "scratch.h"
#include "vectors.h"

namespace headlight::kernels::this_level::attention_tiles {

// Scores exist for so many queries and keys at a time: 28 KB of floats. The same on every machine, since the
// sums over keys are added tile by tile.
inline constexpr std::size_t kQueries = 64, kKeys = 96;

// The score of a hidden key, and the maximum of a query that has seen no key.
inline constexpr Real kHidden = -std::numeric_limits<Real>::infinity();

// Some queries of one head, and the keys that at least one of them sees: first_key … end_key-1.
struct Block {
  std::size_t batch, head, first, rows, first_key, end_key;

  std::size_t row_at(const AttentionSizes& s) const { return (batch * s.heads + head) * s.queries + first; }
};

// Keys first … first+count-1.
struct Keys {
  std::size_t first, count;
};

template <class Body>
void each_head(const AttentionSizes& s, Body body) {
  for (std::size_t b = 0; b < s.batch; ++b)
    for (std::size_t h = 0; h < s.heads; ++h) body(b, h);
}

template <class Body>
void each_block(const AttentionSizes& s, std::size_t b, std::size_t h, Body body) {
  for (std::size_t first = 0; first < s.queries; first += kQueries) {
    const std::size_t rows = min_of(kQueries, s.queries - first);
    body(Block{b, h, first, rows, s.first_seen(first), s.end_seen(first + rows - 1)});
  }
}

template <class Body>
void each_tile(const Block& block, Body body) {
  for (std::size_t first = block.first_key; first < block.end_key; first += kKeys)
    body(Keys{first, min_of(kKeys, block.end_key - first)});
}

// Rows of one head as a matrix, which is writable if the rows are.
inline ConstMatrixView matrix(const Real* data, std::size_t rows, std::size_t width, std::size_t stride) {
  return {data, rows, width, stride};
}
inline MatrixView matrix(Real* data, std::size_t rows, std::size_t width, std::size_t stride) {
  return {data, rows, width, stride};
}
template <class T>
auto rows_of(const Heads<T>& x, const Block& block, std::size_t width) {
  return matrix(x.at(block.batch, block.head) + block.first * x.row, block.rows, width, x.row);
}
template <class T>
auto rows_of(const Heads<T>& x, const Block& block, Keys keys, std::size_t width) {
  return matrix(x.at(block.batch, block.head) + keys.first * x.row, keys.count, width, x.row);
}

inline void zero_rows(const MatrixView& x) {
  for (std::size_t i = 0; i < x.rows; ++i) fill_n(x.data + i * x.stride, x.cols, Real(0));
}

// Tiles have rows of this length, whatever the number of keys: one vector more than keys, see `end_row`.
inline constexpr std::size_t kAlong = Lanes<Real>::kCount, kTile = kQueries * kTileStride;
static_assert(kTileStride == kKeys + kAlong && kBandEdge < kAlong);

inline MatrixView tile(Scratch& scratch, const Block& block, Keys keys) {
  return {scratch.data(), block.rows, keys.count, kTileStride};
}

// The band of a tile in which a row sees a key, wider by `further` places.
inline Band band_of(const AttentionSizes& s, const Block& block, Keys keys, std::ptrdiff_t further = 0) {
  const auto number = [](std::size_t x) {
    return static_cast<std::ptrdiff_t>(min_of<std::size_t>(x, Band::kAny));
  };
  const std::ptrdiff_t right = number(s.first_query + block.first) - number(keys.first);
  return {right - number(s.back) - further, right + number(s.ahead) + further};
}

// Places first … end-1 of a row.
struct Span {
  std::size_t first, end;
};

// The keys of a tile that a query sees.
inline Span seen_by(const AttentionSizes& s, std::size_t query, Keys keys) {
  const auto place = [&](std::size_t key) {
    return clamp(key, keys.first, keys.first + keys.count) - keys.first;
  };
  return {place(s.first_seen(query)), place(s.end_seen(query))};
}

// The same span widened to whole lanes, so that loops along a row have no remainder.
inline Span in_lanes(Span seen) {
  return {seen.first / kAlong * kAlong, (seen.end + kAlong - 1) / kAlong * kAlong};
}

// Replaces the lanes of a row, one after the other, by f(lanes, place).
template <class F>
void change_lanes(Real* row, Span lanes, F f) {
  for (std::size_t j = lanes.first; j < lanes.end; j += kAlong)
    store_lanes(row + j, f(load_lanes(row + j), j));
}

// Writes -∞ where a row's lanes are wider than the keys that its query sees.
inline void hide_edges(Real* row, Span seen) {
  // From place 32 - r on: r times ∞, then -∞. From place 16 - r on: r times -∞, then ∞.
  struct Edges {
    Real numbers[3 * kAlong];
  };
  static constexpr Edges kEdges = [] {
    Edges edges{};
    for (std::size_t i = 0; i < kAlong; ++i) {
      edges.numbers[i] = edges.numbers[2 * kAlong + i] = kHidden;
      edges.numbers[kAlong + i] = -kHidden;
    }
    return edges;
  }();
  // The smaller of the two, and the edge where a hidden score is NaN.
  const auto hide = [&](std::size_t place, const Real* edge) {
    const auto shown = [](auto a, auto e) { return a < e ? a : e; };
    store_lanes(row + place, each_lane<Real>(shown, load_lanes(row + place), load_lanes(edge)));
  };
  const std::size_t before = seen.first % kAlong, last = seen.end % kAlong;
  if (before != 0) hide(seen.first - before, kEdges.numbers + kAlong - before);
  if (last != 0) hide(seen.end - last, kEdges.numbers + 2 * kAlong - last);
}

// Writes zeros on both sides of a row's lanes, where the products read: a block's rows share a range of keys.
inline void end_row(Real* row, Span lanes) {
  store_lanes(row + lanes.end, Lanes<Real>{});
  if (lanes.first >= kAlong) store_lanes(row + lanes.first - kAlong, Lanes<Real>{});
}

}  // namespace headlight::kernels::this_level::attention_tiles
