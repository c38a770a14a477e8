#include "headlight/core/attention_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "headlight/core/buffer_pool.h"
#include "headlight/core/gemm.h"
#include "headlight/core/row_kernels.h"
#include "vector_math.h"
#include "vectors.h"

namespace headlight::inline HEADLIGHT_PRECISION::kernels {
namespace {

// Scores exist for so many queries and keys at a time: 28 KB of floats. The same on every machine, since the
// sums over keys are added tile by tile.
constexpr std::size_t kQueries = 64, kKeys = 96;

// The score of a hidden key, and the maximum of a query that has seen no key.
constexpr Real kHidden = -std::numeric_limits<Real>::infinity();

using Scratch = std::vector<Real, PoolAllocator<Real>>;

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
    const std::size_t rows = std::min(kQueries, s.queries - first);
    body(Block{b, h, first, rows, s.first_seen(first), s.end_seen(first + rows - 1)});
  }
}

template <class Body>
void each_tile(const Block& block, Body body) {
  for (std::size_t first = block.first_key; first < block.end_key; first += kKeys)
    body(Keys{first, std::min(kKeys, block.end_key - first)});
}

// Rows of one head as a matrix, which is writable if the rows are.
ConstMatrixView matrix(const Real* data, std::size_t rows, std::size_t width, std::size_t stride) {
  return {data, rows, width, stride};
}
MatrixView matrix(Real* data, std::size_t rows, std::size_t width, std::size_t stride) {
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

void zero_rows(const MatrixView& x) {
  for (std::size_t i = 0; i < x.rows; ++i) std::fill_n(x.data + i * x.stride, x.cols, Real(0));
}

// Tiles have rows of this length, whatever the number of keys: one vector more than keys, see `end_row`.
constexpr std::size_t kAlong = Lanes<Real>::kCount, kTileStride = kKeys + kAlong;
static_assert(kBandEdge < kAlong);

MatrixView tile(Scratch& scratch, const Block& block, Keys keys) {
  return {scratch.data(), block.rows, keys.count, kTileStride};
}

// The band of a tile in which a row sees a key, wider by `further` places.
Band band_of(const AttentionSizes& s, const Block& block, Keys keys, std::ptrdiff_t further = 0) {
  const auto number = [](std::size_t x) {
    return static_cast<std::ptrdiff_t>(std::min<std::size_t>(x, Band::kAny));
  };
  const std::ptrdiff_t right = number(block.first) - number(keys.first);
  return {right - number(s.back) - further, right + number(s.ahead) + further};
}

// Places first … end-1 of a row.
struct Span {
  std::size_t first, end;
};

// The keys of a tile that a query sees.
Span seen_by(const AttentionSizes& s, std::size_t query, Keys keys) {
  const auto place = [&](std::size_t key) {
    return std::clamp(key, keys.first, keys.first + keys.count) - keys.first;
  };
  return {place(s.first_seen(query)), place(s.end_seen(query))};
}

// The same span widened to whole lanes, so that loops along a row have no remainder.
Span in_lanes(Span seen) { return {seen.first / kAlong * kAlong, (seen.end + kAlong - 1) / kAlong * kAlong}; }

// Replaces the lanes of a row, one after the other, by f(lanes, place).
template <class F>
void change_lanes(Real* row, Span lanes, F f) {
  for (std::size_t j = lanes.first; j < lanes.end; j += kAlong)
    store_lanes(row + j, f(load_lanes(row + j), j));
}

// Writes -∞ where a row's lanes are wider than the keys that its query sees.
void hide_edges(Real* row, Span seen) {
  // From place 32 - r on: r times ∞, then -∞. From place 16 - r on: r times -∞, then ∞.
  static constexpr std::array<Real, 3 * kAlong> kEdges = [] {
    std::array<Real, 3 * kAlong> edges{};
    edges.fill(-kHidden);
    for (std::size_t i = 0; i < kAlong; ++i) edges[i] = edges[2 * kAlong + i] = kHidden;
    return edges;
  }();
  // The smaller of the two, and the edge where a hidden score is NaN.
  const auto hide = [&](std::size_t place, const Real* edge) {
    const auto shown = [](auto a, auto e) { return a < e ? a : e; };
    store_lanes(row + place, each_lane<Real>(shown, load_lanes(row + place), load_lanes(edge)));
  };
  const std::size_t before = seen.first % kAlong, last = seen.end % kAlong;
  if (before != 0) hide(seen.first - before, kEdges.data() + kAlong - before);
  if (last != 0) hide(seen.end - last, kEdges.data() + 2 * kAlong - last);
}

// Writes zeros on both sides of a row's lanes, where the products read: a block's rows share a range of keys.
void end_row(Real* row, Span lanes) {
  store_lanes(row + lanes.end, Lanes<Real>{});
  if (lanes.first >= kAlong) store_lanes(row + lanes.first - kAlong, Lanes<Real>{});
}

// S = scale·q kᵀ, for the lanes of all rows of the tile.
void score(const AttentionSizes& s, const AttentionInputs& in, const Block& block, Keys keys,
           MatrixView scores) {
  gemm(rows_of(in.q, block, s.d_k), rows_of(in.k, block, keys, s.d_k).t(), scores, s.scale, 0,
       {.c = band_of(s, block, keys, kAlong - 1)});
  const std::size_t end = in_lanes({0, keys.count}).end;
  if (keys.count < end) zero_rows({scores.data + keys.count, block.rows, end - keys.count, scores.stride});
}

// Adds bias and relative to the scores of a row, and sets hidden scores to -∞.
void complete_scores(const AttentionInputs& in, const Block& block, Keys keys, std::size_t query, Span seen,
                     Real* row) {
  if (in.bias.data != nullptr) {
    const Real* term = in.bias.at(block.batch, block.head, query) + keys.first * in.bias.key;
    for (std::size_t j = seen.first; j < seen.end; ++j) row[j] += term[j * in.bias.key];
  }
  if (in.relative.data != nullptr)
    for (std::size_t j = seen.first; j < seen.end; ++j)
      row[j] += in.relative.at(block.head, query, keys.first + j);
  if (in.visible.data != nullptr) {
    const bool* term = in.visible.at(block.batch, block.head, query) + keys.first * in.visible.key;
    for (std::size_t j = seen.first; j < seen.end; ++j) row[j] = term[j * in.visible.key] ? row[j] : kHidden;
  }
  hide_edges(row, seen);
}

// e^(S - shift) in place of a row's scores; returns their sum.
Real exponentiate(Real* row, Span lanes, Real shift) {
  Lanes<Real> sum{};
  change_lanes(row, lanes, [&](const Lanes<Real>& scores, std::size_t) {
    const Lanes<Real> weights =
        each_lane<Real>([shift](auto a) { return vector_math::exp_of_negative(a - shift); }, scores);
    sum = each_lane<Real>([](auto a, auto b) { return a + b; }, sum, weights);
    return weights;
  });
  return across(sum, [](auto a, auto b) { return a + b; });
}

// Adds S̄ to the cotangents of the biases.
void add_to_biases(const AttentionCotangents& to, const Block& block, Keys keys, std::size_t query, Span seen,
                   const Real* ds) {
  if (to.bias.data != nullptr) {
    Real* term = to.bias.at(block.batch, block.head, query) + keys.first * to.bias.key;
    for (std::size_t j = seen.first; j < seen.end; ++j) term[j * to.bias.key] += ds[j];
  }
  if (to.relative.data != nullptr)
    for (std::size_t j = seen.first; j < seen.end; ++j)
      to.relative.at(block.head, query, keys.first + j) += ds[j];
}

// Recomputes P of a tile from its scores and from the numbers that the forward pass kept for each row.
void pattern_again(const AttentionSizes& s, const AttentionInputs& in, const Block& block, Keys keys,
                   SoftmaxRows<const Real> rows, MatrixView p) {
  score(s, in, block, keys, p);
  for (std::size_t i = 0; i < block.rows; ++i) {
    Real* row = p.data + i * p.stride;
    const Span seen = seen_by(s, block.first + i, keys), lanes = in_lanes(seen);
    complete_scores(in, block, keys, block.first + i, seen, row);
    const auto weight = [max = rows.max[block.row_at(s) + i], scale = rows.scale[block.row_at(s) + i]](
                            auto a) { return scale * vector_math::exp_of_negative(a - max); };
    change_lanes(row, lanes,
                 [&](const Lanes<Real>& scores, std::size_t) { return each_lane<Real>(weight, scores); });
    end_row(row, lanes);
  }
}

// Replaces P̄ by S̄ = P ⊙ (P̄ - row_sum), and adds S̄ to the cotangents of the biases.
void softmax_vjp(const AttentionSizes& s, const AttentionCotangents& to, const Block& block, Keys keys,
                 const Real* row_sum, MatrixView p, MatrixView ds) {
  for (std::size_t i = 0; i < block.rows; ++i) {
    const Real* p_row = p.data + i * p.stride;
    Real* ds_row = ds.data + i * ds.stride;
    const Span seen = seen_by(s, block.first + i, keys), lanes = in_lanes(seen);
    const auto slope = [sum = row_sum[i]](auto dp, auto weight) { return weight * (dp - sum); };
    change_lanes(ds_row, lanes, [&](const Lanes<Real>& dp, std::size_t j) {
      return each_lane<Real>(slope, dp, load_lanes(p_row + j));
    });
    end_row(ds_row, lanes);
    add_to_biases(to, block, keys, block.first + i, seen, ds_row);
  }
}

void zero_heads(const AttentionSizes& s, Heads<Real> x, std::size_t rows, std::size_t width) {
  each_head(s, [&](std::size_t b, std::size_t h) { zero_rows({x.at(b, h), rows, width, x.row}); });
}

}  // namespace

void attention(const AttentionSizes& s, const AttentionInputs& in, Heads<Real> out, SoftmaxRows<Real> rows) {
  Scratch scratch(kQueries * kTileStride);
  each_head(s, [&](std::size_t b, std::size_t h) {
    each_block(s, b, h, [&](const Block& block) {
      Real* max = rows.max + block.row_at(s);
      Real* scale = rows.scale + block.row_at(s);
      const MatrixView z = rows_of(out, block, s.d_v);
      std::array<Real, kQueries> sum{};
      std::fill_n(max, block.rows, kHidden);
      if (block.first_key >= block.end_key) zero_rows(z);
      each_tile(block, [&](Keys keys) {
        const MatrixView p = tile(scratch, block, keys);
        score(s, in, block, keys, p);
        for (std::size_t i = 0; i < block.rows; ++i) {
          Real* row = p.data + i * p.stride;
          const Span seen = seen_by(s, block.first + i, keys), lanes = in_lanes(seen);
          complete_scores(in, block, keys, block.first + i, seen, row);
          const Real largest = std::max(max[i], max_row(row + lanes.first, lanes.end - lanes.first));
          if (largest > max[i] && max[i] != kHidden) {  // sums so far are relative to a smaller maximum
            const Real shrink = vector_math::exp(max[i] - largest);
            sum[i] *= shrink;
            for (std::size_t j = 0; j < s.d_v; ++j) z.data[i * z.stride + j] *= shrink;
          }
          max[i] = largest;
          sum[i] += exponentiate(row, lanes, largest == kHidden ? 0 : largest);
          end_row(row, lanes);
        }
        gemm(p, rows_of(in.v, block, keys, s.d_v), z, 1, keys.first == block.first_key ? 0 : 1,
             {.a = band_of(s, block, keys)});
      });
      for (std::size_t i = 0; i < block.rows; ++i) {
        if (max[i] == kHidden) max[i] = 0;  // sees no key: P = 0·e^(-∞ - 0) = 0
        scale[i] = sum[i] == 0 ? 0 : 1 / sum[i];
        for (std::size_t j = 0; j < s.d_v; ++j) z.data[i * z.stride + j] *= scale[i];
      }
    });
  });
}

void attention_vjp(const AttentionSizes& s, const AttentionInputs& in, Heads<const Real> out,
                   SoftmaxRows<const Real> rows, Heads<const Real> dout, const AttentionCotangents& to) {
  Scratch p_scratch(kQueries * kTileStride), ds_scratch(kQueries * kTileStride);
  zero_heads(s, to.k, s.keys, s.d_k);
  zero_heads(s, to.v, s.keys, s.d_v);
  each_head(s, [&](std::size_t b, std::size_t h) {
    each_block(s, b, h, [&](const Block& block) {
      const ConstMatrixView q = rows_of(in.q, block, s.d_k), z = rows_of(out, block, s.d_v),
                            dz = rows_of(dout, block, s.d_v);
      const MatrixView dq = rows_of(to.q, block, s.d_k);
      if (block.first_key >= block.end_key) zero_rows(dq);
      std::array<Real, kQueries> row_sum;  // rowsum(P ⊙ dP) = rowsum(z ⊙ dz), since dP = dz vᵀ and z = P v
      for (std::size_t i = 0; i < block.rows; ++i)
        row_sum[i] = dot_row(z.data + i * z.stride, dz.data + i * dz.stride, s.d_v);
      each_tile(block, [&](Keys keys) {
        const MatrixView p = tile(p_scratch, block, keys), ds = tile(ds_scratch, block, keys);
        const Band band = band_of(s, block, keys);
        pattern_again(s, in, block, keys, rows, p);
        gemm(p.t(), dz, rows_of(to.v, block, keys, s.d_v), 1, 1, {.a = band.t()});
        gemm(dz, rows_of(in.v, block, keys, s.d_v).t(), ds, 1, 0, {.c = band_of(s, block, keys, kAlong - 1)});
        softmax_vjp(s, to, block, keys, row_sum.data(), p, ds);
        gemm(ds, rows_of(in.k, block, keys, s.d_k), dq, s.scale, keys.first == block.first_key ? 0 : 1,
             {.a = band});
        gemm(ds.t(), q, rows_of(to.k, block, keys, s.d_k), s.scale, 1, {.a = band.t()});
      });
    });
  });
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::kernels
