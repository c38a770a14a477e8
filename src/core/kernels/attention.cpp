#include "attention_tiles.h"
#include "headlight/core/gemm.h"
#include "vector_math.h"
#include "vectors.h"

namespace headlight::kernels::this_level {
namespace {

using namespace attention_tiles;

// S = scale·q kᵀ, divided by the cap if there is one, for the lanes of all rows of the tile.
void score(const AttentionSizes& s, const AttentionInputs& in, const Block& block, Keys keys,
           MatrixView scores) {
  gemm(rows_of(in.q, block, s.d_k), rows_of(in.k, block, keys, s.d_k).t(), scores,
       s.cap > 0 ? s.scale / s.cap : s.scale, 0, {.c = band_of(s, block, keys, kAlong - 1)});
  const std::size_t end = in_lanes({0, keys.count}).end;
  if (keys.count < end) zero_rows({scores.data + keys.count, block.rows, end - keys.count, scores.stride});
}

// cap·tanh(a) for the scores a of a row, and where wanted their slope 1 - tanh²(a).
void cap_scores(Real cap, Span lanes, Real* row, Real* slope) {
  change_lanes(row, lanes, [&](const Lanes<Real>& scores, std::size_t j) {
    const Lanes<Real> t = each_lane<Real>([](auto a) { return vector_math::tanh(a); }, scores);
    const auto slope_at = [](auto a) { return multiply_add(-a, a, decltype(a){} + Real(1)); };
    if (slope != nullptr) store_lanes(slope + j, each_lane<Real>(slope_at, t));
    return each_lane<Real>([cap](auto a) { return cap * a; }, t);
  });
}

// Caps the scores of a row, adds bias and relative, and sets hidden scores to -∞.
void complete_scores(const AttentionSizes& s, const AttentionInputs& in, const Block& block, Keys keys,
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

// Multiplies the lanes of a row by those of another.
void multiply_lanes(Real* row, Span lanes, const Real* by) {
  change_lanes(row, lanes, [&](const Lanes<Real>& x, std::size_t j) {
    return each_lane<Real>([](auto a, auto b) { return a * b; }, x, load_lanes(by + j));
  });
}

// The factors of dropout for the lanes of a row.
void dropout_lanes(const AttentionSizes& s, const AttentionInputs& in, const Block& block, Keys keys,
                   std::size_t query, Span lanes, Real* factors) {
  this_level::dropout_row(in.dropout, block.batch, block.head, s.position(query), keys.first + lanes.first,
                          lanes.end - lanes.first, factors + lanes.first);
}

// One tile of the forward pass: adds the weights of its keys to the sums of the rows and to z, all relative
// to the rows' maxima.
void attend(const AttentionSizes& s, const AttentionInputs& in, const Block& block, Keys keys, MatrixView p,
            Real* max, Real* sum, MatrixView z) {
  const bool first = keys.first == block.first_key;
  score(s, in, block, keys, p);
  for (std::size_t i = 0; i < block.rows; ++i) {
    Real* row = p.data + i * p.stride;
    const Span seen = seen_by(s, block.first + i, keys), lanes = in_lanes(seen);
    complete_scores(s, in, block, keys, block.first + i, seen, row);
    const Real largest = max_of(max[i], max_row(row + lanes.first, lanes.end - lanes.first));
    if (largest > max[i] && max[i] != kHidden) {  // sums so far are relative to a smaller maximum
      const Real shrink = vector_math::exp(max[i] - largest);
      sum[i] *= shrink;
      for (std::size_t j = 0; !first && j < s.d_v; ++j) z.data[i * z.stride + j] *= shrink;
    }
    max[i] = largest;
    sum[i] += exponentiate(row, lanes, largest == kHidden ? 0 : largest);
    if (in.dropout.p > 0) {  // after the sum, which is that of the whole row
      Real factors[kTileStride];
      dropout_lanes(s, in, block, keys, block.first + i, lanes, factors);
      multiply_lanes(row, lanes, factors);
    }
    end_row(row, lanes);
  }
  gemm(p, rows_of(in.v, block, keys, s.d_v), z, 1, first ? 0 : 1, {.a = band_of(s, block, keys)});
}

// The tiles of the backward pass. Those of cap and dropout are empty when there is none.
struct BackwardTiles {
  Scratch p, ds, slopes, factors;

  BackwardTiles(const AttentionSizes& s, const AttentionInputs& in)
      : p(kTile), ds(kTile), slopes(s.cap > 0 ? kTile : 0), factors(in.dropout.p > 0 ? kTile : 0) {}
  // Row i of a tile; null if there is none.
  static Real* row(Scratch& x, std::size_t i) { return x.empty() ? nullptr : x.data() + i * kTileStride; }
};

// Adds S̄ to the cotangents of the biases.
void add_to_biases(const AttentionSizes& s, const AttentionCotangents& to, const Block& block, Keys keys,
                   std::size_t query, Span seen, const Real* ds) {
  if (to.bias.data != nullptr) {
    Real* term = to.bias.at(block.batch, block.head, query) + keys.first * to.bias.key;
    for (std::size_t j = seen.first; j < seen.end; ++j) term[j * to.bias.key] += ds[j];
  }
  if (to.relative.data != nullptr)
    for (std::size_t j = seen.first; j < seen.end; ++j)
      to.relative.at(block.head, s.position(query), keys.first + j) += ds[j];
}

// Recomputes P of a tile from its scores and from the numbers that the forward pass kept for each row.
void pattern_again(const AttentionSizes& s, const AttentionInputs& in, const Block& block, Keys keys,
                   SoftmaxRows<const Real> rows, MatrixView p, Scratch& slopes) {
  score(s, in, block, keys, p);
  for (std::size_t i = 0; i < block.rows; ++i) {
    Real* row = p.data + i * p.stride;
    const Span seen = seen_by(s, block.first + i, keys), lanes = in_lanes(seen);
    complete_scores(s, in, block, keys, block.first + i, seen, row, BackwardTiles::row(slopes, i));
    const auto weight = [max = rows.max[block.row_at(s) + i], scale = rows.scale[block.row_at(s) + i]](
                            auto a) { return scale * vector_math::exp_of_negative(a - max); };
    change_lanes(row, lanes,
                 [&](const Lanes<Real>& scores, std::size_t) { return each_lane<Real>(weight, scores); });
    end_row(row, lanes);
  }
}

// P ⊙ D in `dropped`, and D itself in `factors`.
void drop(const AttentionSizes& s, const AttentionInputs& in, const Block& block, Keys keys, MatrixView p,
          MatrixView dropped, MatrixView factors) {
  for (std::size_t i = 0; i < block.rows; ++i) {
    Real *row = dropped.data + i * dropped.stride, *factor = factors.data + i * factors.stride;
    const Span lanes = in_lanes(seen_by(s, block.first + i, keys));
    dropout_lanes(s, in, block, keys, block.first + i, lanes, factor);
    copy_n(p.data + i * p.stride + lanes.first, lanes.end - lanes.first, row + lanes.first);
    multiply_lanes(row, lanes, factor);
    end_row(row, lanes);
  }
}

// Replaces z̄ vᵀ by S̄ = P ⊙ (P̄ - row_sum), and adds S̄ to the cotangents of the biases. What stays in the tile
// is the cotangent of scale·q kᵀ: where scores are capped, S̄ times their slope.
void softmax_vjp(const AttentionSizes& s, const AttentionCotangents& to, const Block& block, Keys keys,
                 const Real* row_sum, BackwardTiles& tiles) {
  for (std::size_t i = 0; i < block.rows; ++i) {
    const Real *p_row = BackwardTiles::row(tiles.p, i), *slope_row = BackwardTiles::row(tiles.slopes, i),
               *factors = BackwardTiles::row(tiles.factors, i);
    Real* ds_row = BackwardTiles::row(tiles.ds, i);
    const Span seen = seen_by(s, block.first + i, keys), lanes = in_lanes(seen);
    if (factors != nullptr) multiply_lanes(ds_row, lanes, factors);
    const auto slope = [sum = row_sum[i]](auto dp, auto weight) { return weight * (dp - sum); };
    change_lanes(ds_row, lanes, [&](const Lanes<Real>& dp, std::size_t j) {
      return each_lane<Real>(slope, dp, load_lanes(p_row + j));
    });
    end_row(ds_row, lanes);
    add_to_biases(s, to, block, keys, block.first + i, seen, ds_row);
    if (slope_row != nullptr) multiply_lanes(ds_row, lanes, slope_row);
  }
}

// rowsum(P ⊙ P̄) for the rows of a block with dropout, tile by tile, where P̄ = D ⊙ z̄ vᵀ. These are also the
// rowsum(z ⊙ z̄) below, but in a row that gives all weight to one key z = D v was rounded, and S̄ would not be
// 0.
void dropped_row_sums(const AttentionSizes& s, const AttentionInputs& in, const Block& block,
                      SoftmaxRows<const Real> rows, ConstMatrixView dz, Real* sums, BackwardTiles& tiles) {
  fill_n(sums, block.rows, Real(0));
  each_tile(block, [&](Keys keys) {
    const MatrixView p = tile(tiles.p, block, keys), ds = tile(tiles.ds, block, keys);
    pattern_again(s, in, block, keys, rows, p, tiles.slopes);
    drop(s, in, block, keys, p, ds, tile(tiles.factors, block, keys));
    gemm(dz, rows_of(in.v, block, keys, s.d_v).t(), ds, 1, 0, {.c = band_of(s, block, keys, kAlong - 1)});
    for (std::size_t i = 0; i < block.rows; ++i) {
      const Span lanes = in_lanes(seen_by(s, block.first + i, keys));
      Real *dp = BackwardTiles::row(tiles.ds, i), *p_row = BackwardTiles::row(tiles.p, i);
      multiply_lanes(dp, lanes, BackwardTiles::row(tiles.factors, i));
      sums[i] += dot_row(p_row + lanes.first, dp + lanes.first, lanes.end - lanes.first);
    }
  });
}

// rowsum(P ⊙ P̄) = rowsum(z ⊙ z̄) for the rows of a block, since P̄ = z̄ vᵀ and z = P v.
void row_sums(ConstMatrixView z, ConstMatrixView dz, Real* sums) {
  for (std::size_t i = 0; i < z.rows; ++i)
    sums[i] = dot_row(z.data + i * z.stride, dz.data + i * dz.stride, z.cols);
}

// A sink has the weight e^(sink - max)·scale in every row, and a value of 0: S̄ = P ⊙ (0 - row_sum).
void add_to_sink(const AttentionInputs& in, const AttentionCotangents& to, const Block& block,
                 const Real* max, const Real* scale, const Real* row_sum) {
  Real sum = 0;
  for (std::size_t i = 0; i < block.rows; ++i)
    sum = multiply_add(vector_math::exp(in.sinks[block.head] - max[i]) * scale[i], row_sum[i], sum);
  to.sinks[block.head] -= sum;
}

void zero_heads(const AttentionSizes& s, Heads<Real> x, std::size_t rows, std::size_t width) {
  if (x.data == nullptr) return;  // an axis of length 0
  for (std::size_t b = 0; b < s.batch; ++b)
    for (std::size_t h = 0; h < s.heads; h += x.share) zero_rows({x.at(b, h), rows, width, x.row});
}

}  // namespace

void attention(const AttentionSizes& s, const AttentionInputs& in, Heads<Real> out, SoftmaxRows<Real> rows) {
  Scratch scratch(kTile);
  each_head(s, [&](std::size_t b, std::size_t h) {
    const Real sink = in.sinks != nullptr ? in.sinks[h] : kHidden;
    each_block(s, b, h, [&](const Block& block) {
      Real* max = rows.max + block.row_at(s);
      Real* scale = rows.scale + block.row_at(s);
      const MatrixView z = rows_of(out, block, s.d_v);
      Real sum[kQueries];
      fill_n(max, block.rows, sink);
      fill_n(sum, block.rows, sink == kHidden ? Real(0) : Real(1));  // e^(sink - max)
      if (block.first_key >= block.end_key) zero_rows(z);
      each_tile(block,
                [&](Keys keys) { attend(s, in, block, keys, tile(scratch, block, keys), max, sum, z); });
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
  BackwardTiles tiles(s, in);
  zero_heads(s, to.k, s.keys, s.d_k);
  zero_heads(s, to.v, s.keys, s.d_v);
  each_head(s, [&](std::size_t b, std::size_t h) {
    each_block(s, b, h, [&](const Block& block) {
      const ConstMatrixView q = rows_of(in.q, block, s.d_k), dz = rows_of(dout, block, s.d_v);
      const MatrixView dq = rows_of(to.q, block, s.d_k);
      if (block.first_key >= block.end_key) zero_rows(dq);
      Real row_sum[kQueries];
      if (in.dropout.p > 0)
        dropped_row_sums(s, in, block, rows, dz, row_sum, tiles);
      else
        row_sums(rows_of(out, block, s.d_v), dz, row_sum);
      const std::size_t row = block.row_at(s);
      if (to.sinks != nullptr) add_to_sink(in, to, block, rows.max + row, rows.scale + row, row_sum);
      each_tile(block, [&](Keys keys) {
        const MatrixView p = tile(tiles.p, block, keys), ds = tile(tiles.ds, block, keys);
        const Band band = band_of(s, block, keys);
        pattern_again(s, in, block, keys, rows, p, tiles.slopes);
        const bool drops = in.dropout.p > 0;  // P ⊙ D then stands in the place of S̄, until that is computed
        if (drops) drop(s, in, block, keys, p, ds, tile(tiles.factors, block, keys));
        gemm((drops ? ds : p).t(), dz, rows_of(to.v, block, keys, s.d_v), 1, 1, {.a = band.t()});
        gemm(dz, rows_of(in.v, block, keys, s.d_v).t(), ds, 1, 0, {.c = band_of(s, block, keys, kAlong - 1)});
        softmax_vjp(s, to, block, keys, row_sum, tiles);
        gemm(ds, rows_of(in.k, block, keys, s.d_k), dq, s.scale, keys.first == block.first_key ? 0 : 1,
             {.a = band});
        gemm(ds.t(), q, rows_of(to.k, block, keys, s.d_k), s.scale, 1, {.a = band.t()});
      });
    });
  });
}

}  // namespace headlight::kernels::this_level
