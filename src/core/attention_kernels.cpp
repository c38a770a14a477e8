#include "headlight/core/attention_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "headlight/core/buffer_pool.h"
#include "headlight/core/gemm.h"
#include "headlight/core/row_kernels.h"

namespace headlight::inline HEADLIGHT_PRECISION::kernels {
namespace {

// Scores exist for so many queries and keys at a time: 16 KB of floats. Fewer queries than keys, so that a
// causal tile on the diagonal computes less in vain.
constexpr std::size_t kQueries = 32, kKeys = 128;

// The score of a key that is hidden, and the maximum of a query that has seen none.
constexpr Real kHidden = -std::numeric_limits<Real>::infinity();

using Scratch = std::vector<Real, PoolAllocator<Real>>;

// Some queries of one head, and the keys that any of them sees: first_key … end_key-1.
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

// Rows of one head, as a matrix that may be written if they may.
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

// S = scale·q kᵀ + bias + relative, and -∞ where a key is hidden.
void score(const AttentionSizes& s, const AttentionInputs& in, const Block& block, Keys keys,
           MatrixView scores) {
  gemm(rows_of(in.q, block, s.d_k), rows_of(in.k, block, keys, s.d_k).t(), scores, s.scale);
  for (std::size_t i = 0; i < block.rows; ++i) {
    Real* row = scores.data + i * scores.stride;
    const std::size_t query = block.first + i;
    if (in.bias.data != nullptr) {
      const Real* term = in.bias.at(block.batch, block.head, query) + keys.first * in.bias.key;
      for (std::size_t j = 0; j < keys.count; ++j) row[j] += term[j * in.bias.key];
    }
    if (in.relative.data != nullptr)
      for (std::size_t j = 0; j < keys.count; ++j)
        row[j] += in.relative.at(block.head, query, keys.first + j);
    if (in.visible.data != nullptr) {
      const bool* term = in.visible.at(block.batch, block.head, query) + keys.first * in.visible.key;
      for (std::size_t j = 0; j < keys.count; ++j) row[j] = term[j * in.visible.key] ? row[j] : kHidden;
    }
    const auto place = [&](std::size_t key) {
      return row + (std::clamp(key, keys.first, keys.first + keys.count) - keys.first);
    };
    std::fill(row, place(s.first_seen(query)), kHidden);
    std::fill(place(s.end_seen(query)), row + keys.count, kHidden);
  }
}

void zero_rows(const MatrixView& x) {
  for (std::size_t i = 0; i < x.rows; ++i) std::fill_n(x.data + i * x.stride, x.cols, Real(0));
}

// Adds S̄ to the cotangents of the biases.
void add_to_biases(const AttentionCotangents& to, const Block& block, Keys keys, const MatrixView& ds) {
  for (std::size_t i = 0; i < block.rows; ++i) {
    const Real* ds_row = ds.data + i * ds.stride;
    const std::size_t query = block.first + i;
    if (to.bias.data != nullptr) {
      Real* term = to.bias.at(block.batch, block.head, query) + keys.first * to.bias.key;
      for (std::size_t j = 0; j < keys.count; ++j) term[j * to.bias.key] += ds_row[j];
    }
    if (to.relative.data != nullptr)
      for (std::size_t j = 0; j < keys.count; ++j)
        to.relative.at(block.head, query, keys.first + j) += ds_row[j];
  }
}

void zero_heads(const AttentionSizes& s, Heads<Real> x, std::size_t rows, std::size_t width) {
  each_head(s, [&](std::size_t b, std::size_t h) { zero_rows({x.at(b, h), rows, width, x.row}); });
}

}  // namespace

void attention(const AttentionSizes& s, const AttentionInputs& in, Heads<Real> out, SoftmaxRows<Real> rows) {
  Scratch scratch(kQueries * kKeys);
  each_head(s, [&](std::size_t b, std::size_t h) {
    each_block(s, b, h, [&](const Block& block) {
      Real* max = rows.max + block.row_at(s);
      Real* scale = rows.scale + block.row_at(s);
      const MatrixView z = rows_of(out, block, s.d_v);
      std::array<Real, kQueries> sum{};
      std::fill_n(max, block.rows, kHidden);
      if (block.first_key >= block.end_key) zero_rows(z);
      each_tile(block, [&](Keys keys) {
        const MatrixView p{scratch.data(), block.rows, keys.count, keys.count};
        score(s, in, block, keys, p);
        for (std::size_t i = 0; i < block.rows; ++i) {
          Real* row = p.data + i * p.stride;
          const Real largest = std::max(max[i], max_row(row, keys.count));
          if (largest > max[i] && max[i] != kHidden) {  // all so far was relative to a smaller maximum
            const Real shrink = std::exp(max[i] - largest);
            sum[i] *= shrink;
            for (std::size_t j = 0; j < s.d_v; ++j) z.data[i * z.stride + j] *= shrink;
          }
          max[i] = largest;
          sum[i] += exp_sum_row(row, largest == kHidden ? 0 : largest, row, keys.count);
        }
        gemm(p, rows_of(in.v, block, keys, s.d_v), z, 1, keys.first == block.first_key ? 0 : 1);
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
  Scratch p_scratch(kQueries * kKeys), ds_scratch(kQueries * kKeys);
  zero_heads(s, to.k, s.keys, s.d_k);
  zero_heads(s, to.v, s.keys, s.d_v);
  each_head(s, [&](std::size_t b, std::size_t h) {
    each_block(s, b, h, [&](const Block& block) {
      const Real* max = rows.max + block.row_at(s);
      const Real* scale = rows.scale + block.row_at(s);
      const ConstMatrixView q = rows_of(in.q, block, s.d_k), z = rows_of(out, block, s.d_v),
                            dz = rows_of(dout, block, s.d_v);
      const MatrixView dq = rows_of(to.q, block, s.d_k);
      if (block.first_key >= block.end_key) zero_rows(dq);
      std::array<Real, kQueries> row_sum;  // rowsum(P ⊙ dP) = rowsum(z ⊙ dz), since dP = dz vᵀ and z = P v
      for (std::size_t i = 0; i < block.rows; ++i)
        row_sum[i] = dot_row(z.data + i * z.stride, dz.data + i * dz.stride, s.d_v);
      each_tile(block, [&](Keys keys) {
        const MatrixView p{p_scratch.data(), block.rows, keys.count, keys.count};
        const MatrixView ds{ds_scratch.data(), block.rows, keys.count, keys.count};
        score(s, in, block, keys, p);
        for (std::size_t i = 0; i < block.rows; ++i)
          exp_row(p.data + i * p.stride, max[i], scale[i], p.data + i * p.stride, keys.count);
        gemm(p.t(), dz, rows_of(to.v, block, keys, s.d_v), 1, 1);
        gemm(dz, rows_of(in.v, block, keys, s.d_v).t(), ds);
        for (std::size_t i = 0; i < block.rows; ++i) {
          const Real* p_row = p.data + i * p.stride;
          Real* ds_row = ds.data + i * ds.stride;
          for (std::size_t j = 0; j < keys.count; ++j) ds_row[j] = p_row[j] * (ds_row[j] - row_sum[i]);
        }
        add_to_biases(to, block, keys, ds);
        gemm(ds, rows_of(in.k, block, keys, s.d_k), dq, s.scale, keys.first == block.first_key ? 0 : 1);
        gemm(ds.t(), q, rows_of(to.k, block, keys, s.d_k), s.scale, 1);
      });
    });
  });
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::kernels
