#include "attention_rows.h"
#include "attention_scores.h"
#include "attention_tiles.h"
#include "headlight/core/gemm.h"
#include "vector_math.h"
#include "vectors.h"

namespace headlight::kernels::this_level {
namespace {

using namespace attention_tiles;
using attention_rows::Columns, attention_rows::Group, attention_rows::Numbers, attention_rows::Rows;

// For each row of a block.
using PerRow = Real[kQueries];

// The online softmax of the rows of a block: their largest scores so far, and relative to these the sums of
// weights, and of weights times values.
struct OnlineSoftmax {
  Real* max;
  PerRow sum;
  MatrixView z;
  bool begun = false;  // whether z has been written

  // Takes the largest scores of a tile into account. Returns in `shift` what to subtract from its scores.
  void raise(const PerRow& largest, PerRow& shift) {
    PerRow shrink;
    const std::size_t rows = z.rows;
    const auto larger = [](auto a, auto b) { return a < b ? b : a; };
    const Vector<kLanes> hidden = broadcast<kLanes>(kHidden);
    vector_math::map(
        rows, shift,
        [=](auto before, auto tile) {
          const auto both = larger(before, tile);
          return both == hidden ? Vector<kLanes>{} : both;
        },
        max, largest);
    vector_math::map(
        rows, shrink, [](auto before, auto now) { return vector_math::exp(before - now); }, max, shift);
    vector_math::map(rows, max, larger, max, largest);
    vector_math::map(
        rows, sum, [](auto a, auto factor) { return a * factor; }, sum, shrink);
    for (std::size_t i = 0; begun && i < rows; ++i) {
      Real* row = z.data + i * z.stride;
      vector_math::map(
          z.cols, row, [factor = shrink[i]](auto a) { return a * factor; }, row);
    }
  }
};

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

// The scores of a tile in p, and the largest of each row.
void score_rows(const AttentionSizes& s, const AttentionInputs& in, const Block& block, Keys keys,
                MatrixView p, PerRow& largest) {
  score(s, in, block, keys, p);
  for (std::size_t i = 0; i < block.rows; ++i) {
    Real* row = p.data + i * p.stride;
    const Span seen = seen_by(s, block.first + i, keys), lanes = in_lanes(seen);
    complete_scores(s, in, block, keys, block.first + i, seen, row);
    largest[i] = max_row(row + lanes.first, lanes.end - lanes.first);
  }
}

// e^(S - shift) in place of the scores, with dropout, and the sums of the weights without it.
void weigh_rows(const AttentionSizes& s, const AttentionInputs& in, const Block& block, Keys keys,
                MatrixView p, const PerRow& shift, PerRow& sum) {
  for (std::size_t i = 0; i < block.rows; ++i) {
    Real* row = p.data + i * p.stride;
    const Span lanes = in_lanes(seen_by(s, block.first + i, keys));
    sum[i] += exponentiate(row, lanes, shift[i]);
    if (in.dropout.p > 0) {
      Real factors[kTileStride];
      dropout_lanes(s, in, block, keys, block.first + i, lanes, factors);
      multiply_lanes(row, lanes, factors);
    }
    end_row(row, lanes);
  }
}

// score_rows and weigh_rows for R queries in registers.
template <std::size_t R, std::size_t V>
[[gnu::flatten]] void score_group(const AttentionSizes& s, const Group<R>& group, ConstMatrixView q,
                                  const Real* k, MatrixView p, PerRow& largest) {
  Rows<R, V> scores = attention_rows::product<R, V>(group, q, k, s.scale);
  attention_rows::hide(group, scores);
  Real max[R];
  attention_rows::max_each(scores, max);
  attention_rows::store_rows(group, scores, p);
  for (std::size_t i = 0; i < R; ++i) largest[group.row(i)] = max[i];
}

template <std::size_t R, std::size_t V>
[[gnu::flatten]] void weigh_group(const Group<R>& group, MatrixView p, const PerRow& shift, PerRow& sum) {
  Rows<R, V> weights = attention_rows::load_rows<R, V>(group, p);
  Numbers sums[R];
  group.each_row([&](auto i, std::size_t row) {
    sums[i] = Numbers{};
    attention_rows::each<V>([&](auto v) {
      weights.at[i][v] = vector_math::exp_of_negative(weights.at[i][v] - shift[row]);
      sums[i] += weights.at[i][v];
    });
  });
  attention_rows::store_rows(group, weights, p);
  Real of_rows[R];
  attention_rows::across_each(
      sums, [](const Numbers& a, const Numbers& b) { return a + b; }, of_rows);
  for (std::size_t i = 0; i < R && group.first + i <= group.last; ++i) sum[group.first + i] += of_rows[i];
}

void weigh_in_registers(const AttentionSizes& s, const Block& block, Keys keys, ConstMatrixView q,
                        const Real* k, MatrixView p, OnlineSoftmax& softmax) {
  if constexpr (attention_rows::kFit) {
    PerRow largest, shift;
    fill_n(largest, block.rows, kHidden);
    const auto score = [&]<std::size_t R, std::size_t V>(const Group<R>& group) {
      score_group<R, V>(s, group, q, k, p, largest);
    };
    const auto weigh = [&]<std::size_t R, std::size_t V>(const Group<R>& group) {
      weigh_group<R, V>(group, p, shift, softmax.sum);
    };
    attention_rows::each_group(s, block, keys, score, p);
    softmax.raise(largest, shift);
    attention_rows::each_group(s, block, keys, weigh, p);
  }
}

// One tile of the forward pass: adds the weights of its keys to the sums of the rows and to z.
void attend(const AttentionSizes& s, const AttentionInputs& in, const Block& block, Keys keys, MatrixView p,
            const Columns& k, OnlineSoftmax& softmax) {
  if (k.used()) {
    weigh_in_registers(s, block, keys, rows_of(in.q, block, s.d_k), k.of(keys), p, softmax);
  } else {
    PerRow largest, shift;
    score_rows(s, in, block, keys, p, largest);
    softmax.raise(largest, shift);
    weigh_rows(s, in, block, keys, p, shift, softmax.sum);
  }
  gemm(p, rows_of(in.v, block, keys, s.d_v), softmax.z, 1, softmax.begun ? 1 : 0,
       {.a = band_of(s, block, keys)});
  softmax.begun = true;
}

}  // namespace

void attention(const AttentionSizes& s, const AttentionInputs& in, Heads<Real> out, SoftmaxRows<Real> rows) {
  Scratch scratch(kTile);
  Columns k(s, in, s.d_k);
  each_head(s, [&](std::size_t b, std::size_t h) {
    k.pack(in.k, s, b, h);
    const Real sink = in.sinks != nullptr ? in.sinks[h] : kHidden;
    each_block(s, b, h, [&](const Block& block) {
      OnlineSoftmax softmax{rows.max + block.row_at(s), {}, rows_of(out, block, s.d_v)};
      fill_n(softmax.max, block.rows, sink);
      fill_n(softmax.sum, block.rows, sink == kHidden ? Real(0) : Real(1));  // e^(sink - max)
      if (block.first_key >= block.end_key) zero_rows(softmax.z);
      each_tile(block,
                [&](Keys keys) { attend(s, in, block, keys, tile(scratch, block, keys), k, softmax); });
      Real* scale = rows.scale + block.row_at(s);
      for (std::size_t i = 0; i < block.rows; ++i) {
        if (softmax.max[i] == kHidden) softmax.max[i] = 0;  // sees no key: P = 0·e^(-∞ - 0) = 0
        scale[i] = softmax.sum[i] == 0 ? 0 : 1 / softmax.sum[i];
        Real* row = softmax.z.data + i * softmax.z.stride;
        vector_math::map(
            s.d_v, row, [factor = scale[i]](auto a) { return a * factor; }, row);
      }
    });
  });
}

}  // namespace headlight::kernels::this_level
