#include "attention_rows.h"
#include "attention_scores.h"
#include "attention_tiles.h"
#include "headlight/core/gemm.h"
#include "vector_math.h"
#include "vectors.h"

namespace headlight::kernels::this_level {
namespace {

using namespace attention_tiles;
using attention_rows::Columns, attention_rows::Group, attention_rows::Rows;

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

// A score of the row as its weight.
auto weight_of(SoftmaxRows<const Real> rows, std::size_t row) {
  return [max = rows.max[row], scale = rows.scale[row]](auto score) {
    return scale * vector_math::exp_of_negative(score - max);
  };
}

// Recomputes P of a tile from its scores and from the numbers that the forward pass kept for each row.
void pattern_again(const AttentionSizes& s, const AttentionInputs& in, const Block& block, Keys keys,
                   SoftmaxRows<const Real> rows, MatrixView p, Scratch& slopes) {
  score(s, in, block, keys, p);
  for (std::size_t i = 0; i < block.rows; ++i) {
    Real* row = p.data + i * p.stride;
    const Span seen = seen_by(s, block.first + i, keys), lanes = in_lanes(seen);
    complete_scores(s, in, block, keys, block.first + i, seen, row, BackwardTiles::row(slopes, i));
    const auto weight = weight_of(rows, block.row_at(s) + i);
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

// What the scores of a tile and the cotangents of its weights are products of: rows of a block, and columns.
struct Factors {
  ConstMatrixView q;
  const Real* k;
  ConstMatrixView dz;
  const Real* v;
};

// P and S̄ = P ⊙ (P̄ - row_sum) of a group, V vectors for each of R queries.
template <std::size_t R, std::size_t V>
[[gnu::flatten]] void softmax_vjp_group(const Group<R>& group, const Factors& of, Real scale_of_scores,
                                        SoftmaxRows<const Real> rows, const Real* row_sum, MatrixView p,
                                        MatrixView ds) {
  Rows<R, V> weights = attention_rows::product<R, V>(group, of.q, of.k, scale_of_scores);
  attention_rows::hide(group, weights);
  group.each_row([&](auto i, std::size_t row) {
    const auto weight = weight_of(rows, row);
    attention_rows::each<V>([&](auto v) { weights.at[i][v] = weight(weights.at[i][v]); });
  });
  attention_rows::store_rows(group, weights, p);
  Rows<R, V> slopes = attention_rows::product<R, V>(group, of.dz, of.v, 1);
  group.each_row([&](auto i, std::size_t row) {
    const Real* weight = p.data + row * p.stride;
    attention_rows::each<V>([&](auto v) {
      slopes.at[i][v] = load<kAlong>(weight + v * kAlong) * (slopes.at[i][v] - row_sum[row]);
    });
  });
  attention_rows::store_rows(group, slopes, ds);
}

void softmax_vjp_in_registers(const AttentionSizes& s, const Block& block, Keys keys, const Factors& of,
                              SoftmaxRows<const Real> rows, const Real* row_sum, MatrixView p,
                              MatrixView ds) {
  if constexpr (attention_rows::kFit) {
    const auto vjp = [&]<std::size_t R, std::size_t V>(const Group<R>& group) {
      softmax_vjp_group<R, V>(group, of, s.scale, rows, row_sum, p, ds);
    };
    attention_rows::each_group(s, block, keys, vjp, p, ds);
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

void attention_vjp(const AttentionSizes& s, const AttentionInputs& in, Heads<const Real> out,
                   SoftmaxRows<const Real> rows, Heads<const Real> dout, const AttentionCotangents& to) {
  BackwardTiles tiles(s, in);
  Columns k(s, in, s.d_k), v(s, in, s.d_v);
  zero_heads(s, to.k, s.keys, s.d_k);
  zero_heads(s, to.v, s.keys, s.d_v);
  each_head(s, [&](std::size_t b, std::size_t h) {
    k.pack(in.k, s, b, h);
    v.pack(in.v, s, b, h);
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
        if (k.used()) {
          softmax_vjp_in_registers(s, block, keys, {q, k.of(keys), dz, v.of(keys)},
                                   {rows.max + row, rows.scale + row}, row_sum, p, ds);
          gemm(p.t(), dz, rows_of(to.v, block, keys, s.d_v), 1, 1, {.a = band.t()});
        } else {
          pattern_again(s, in, block, keys, rows, p, tiles.slopes);
          const bool drops = in.dropout.p > 0;  // P ⊙ D then stands in the place of S̄, until that is computed
          if (drops) drop(s, in, block, keys, p, ds, tile(tiles.factors, block, keys));
          gemm((drops ? ds : p).t(), dz, rows_of(to.v, block, keys, s.d_v), 1, 1, {.a = band.t()});
          gemm(dz, rows_of(in.v, block, keys, s.d_v).t(), ds, 1, 0,
               {.c = band_of(s, block, keys, kAlong - 1)});
          softmax_vjp(s, to, block, keys, row_sum, tiles);
        }
        gemm(ds, rows_of(in.k, block, keys, s.d_k), dq, s.scale, keys.first == block.first_key ? 0 : 1,
             {.a = band});
        gemm(ds.t(), q, rows_of(to.k, block, keys, s.d_k), s.scale, 1, {.a = band.t()});
      });
    });
  });
}

}  // namespace headlight::kernels::this_level
