#include "headlight/core/attention_kernels.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "headlight/core/buffer_pool.h"
#include "headlight/core/gemm.h"
#include "headlight/core/row_kernels.h"

namespace headlight::kernels {
namespace {

// Queries are taken a block at a time, so that a causal block skips the keys that none of it can see.
constexpr std::size_t kBlock = 64;

// Queries first … last-1 of one head. Keys from `keys` on are hidden from all of them.
struct Block {
  std::size_t first, last, keys;

  std::size_t rows() const { return last - first; }
};

template <class Body>
void each_block(const AttentionSizes& s, Body body) {
  for (std::size_t first = 0; first < s.queries; first += kBlock) {
    const std::size_t last = std::min(first + kBlock, s.queries);
    body(Block{first, last, s.causal ? std::min(last, s.keys) : s.keys});
  }
}

template <class Body>
void each_head(const AttentionSizes& s, Body body) {
  for (std::size_t b = 0; b < s.batch; ++b)
    for (std::size_t h = 0; h < s.heads; ++h) body(b, h);
}

ConstMatrix rows_of(const Heads<const Real>& x, std::size_t b, std::size_t h, std::size_t first,
                    std::size_t count, std::size_t width) {
  return {x.at(b, h) + first * x.row, count, width, x.row};
}
Matrix rows_of(const Heads<Real>& x, std::size_t b, std::size_t h, std::size_t first, std::size_t count,
               std::size_t width) {
  return {x.at(b, h) + first * x.row, count, width, x.row};
}

void fill_rows(Matrix m, Real value) {
  for (std::size_t i = 0; i < m.rows; ++i) std::fill_n(m.data + i * m.stride, m.cols, value);
}

}  // namespace

void attention(const AttentionSizes& s, Heads<const Real> q, Heads<const Real> k, Heads<const Real> v,
               ScoreTerm<const bool> visible, ScoreTerm<const Real> bias, Real* pattern, Heads<Real> out) {
  constexpr Real kHidden = -std::numeric_limits<Real>::infinity();
  each_head(s, [&](std::size_t b, std::size_t h) {
    Real* head_pattern = pattern + (b * s.heads + h) * s.queries * s.keys;
    each_block(s, [&](const Block& block) {
      const Matrix p{head_pattern + block.first * s.keys, block.rows(), block.keys, s.keys};
      gemm(rows_of(q, b, h, block.first, block.rows(), s.d_k), rows_of(k, b, h, 0, block.keys, s.d_k).t(), p,
           s.scale);
      for (std::size_t i = block.first; i < block.last; ++i) {
        Real* row = head_pattern + i * s.keys;
        const std::size_t seen = s.causal ? std::min(i + 1, s.keys) : s.keys;
        if (bias.data != nullptr) {
          const Real* term = bias.at(b, h, i);
          for (std::size_t j = 0; j < seen; ++j) row[j] += term[j * bias.key];
        }
        if (visible.data != nullptr) {
          const bool* term = visible.at(b, h, i);
          for (std::size_t j = 0; j < seen; ++j) row[j] = term[j * visible.key] ? row[j] : kHidden;
        }
        softmax_row(row, row, seen);
        std::fill(row + seen, row + s.keys, Real(0));
      }
      gemm(p, rows_of(v, b, h, 0, block.keys, s.d_v), rows_of(out, b, h, block.first, block.rows(), s.d_v));
    });
  });
}

void attention_vjp(const AttentionSizes& s, Heads<const Real> q, Heads<const Real> k, Heads<const Real> v,
                   const Real* pattern, Heads<const Real> dout, Heads<Real> dq, Heads<Real> dk,
                   Heads<Real> dv, ScoreTerm<Real> dbias) {
  std::vector<Real, PoolAllocator<Real>> scratch(std::min(kBlock, s.queries) * s.keys);
  each_head(s, [&](std::size_t b, std::size_t h) {
    const Real* head_pattern = pattern + (b * s.heads + h) * s.queries * s.keys;
    fill_rows(rows_of(dk, b, h, 0, s.keys, s.d_k), 0);
    fill_rows(rows_of(dv, b, h, 0, s.keys, s.d_v), 0);
    each_block(s, [&](const Block& block) {
      const ConstMatrix p{head_pattern + block.first * s.keys, block.rows(), block.keys, s.keys};
      const ConstMatrix block_dout = rows_of(dout, b, h, block.first, block.rows(), s.d_v);
      const Matrix ds{scratch.data(), block.rows(), block.keys, s.keys};
      gemm(p.t(), block_dout, rows_of(dv, b, h, 0, block.keys, s.d_v), 1, 1);
      gemm(block_dout, rows_of(v, b, h, 0, block.keys, s.d_v).t(), ds);
      for (std::size_t i = 0; i < block.rows(); ++i) {
        Real* row = ds.data + i * s.keys;
        softmax_row_vjp(p.data + i * s.keys, row, row, block.keys);
        if (dbias.data == nullptr) continue;
        Real* term = dbias.at(b, h, block.first + i);
        for (std::size_t j = 0; j < block.keys; ++j) term[j * dbias.key] += row[j];
      }
      gemm(ds, rows_of(k, b, h, 0, block.keys, s.d_k), rows_of(dq, b, h, block.first, block.rows(), s.d_k),
           s.scale);
      gemm(ds.t(), rows_of(q, b, h, block.first, block.rows(), s.d_k),
           rows_of(dk, b, h, 0, block.keys, s.d_k), s.scale, 1);
    });
  });
}

}  // namespace headlight::kernels
