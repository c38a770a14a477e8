#include "kernels.h"
#include "pack.h"
#include "scratch.h"
#include "vectors.h"

// C is computed in blocks that stay in registers: R rows of V vectors. For each p, one row of B is loaded,
// and each of R numbers of A is multiplied with the whole row. A may have any strides. A panel of B as wide
// as the block is copied first if its rows are not close together in memory.
namespace headlight::kernels::this_level {
namespace {

// The block that fits into the registers: 32 of 16 numbers, 16 of 8, 32 of 4, or 16 of 4.
#if defined(__AVX512F__)
constexpr std::size_t kRows = 8, kWide = 2;
#elif defined(__AVX__)
constexpr std::size_t kRows = 6, kWide = 2;
#elif defined(__aarch64__)
constexpr std::size_t kRows = 6, kWide = 4;
#else
constexpr std::size_t kRows = 4, kWide = 2;
#endif
// A panel of kDepth rows, two vectors wide, takes at most 32 KB. It is the same on every machine, because
// sums are added slice by slice.
constexpr std::size_t kDepth = 256;
constexpr std::size_t kFar = 1024;  // rows of at least a page: the numbers of a column share a cache set
constexpr std::size_t kNarrow =
    min_of<std::size_t>(kRows * kWide, kBandEdge + 1);  // rows of a block one vector wide
constexpr std::size_t kTall = 256;  // rows of A copied at a time, which fit into the second cache
constexpr std::size_t kDeep = 192;  // with so many terms a block takes longer than to fetch what comes next

struct Left {
  const Real* data;
  std::size_t row, col;  // strides

  Left from_row(std::size_t i) const { return {data + i * row, row, col}; }
  Left from_col(std::size_t p) const { return {data + p * col, row, col}; }
};

struct Scales {
  Real alpha, beta;
};

// `Row` is a.row where that is a constant, and 0 elsewhere. A constant leaves one address instead of R: with
// sixteen addresses a block one vector wide, as in attention, takes 1.4 times as long.
template <std::size_t R, std::size_t V, std::size_t Row>
void multiply_block(Left a, ConstMatrixView b, Real* c, std::size_t c_stride, Scales scales) {
  Vector<kLanes> sum[R][V] = {};
  for (std::size_t p = 0; p < b.rows; ++p) {
    Vector<kLanes> row[V];
    for (std::size_t j = 0; j < V; ++j) row[j] = load<kLanes>(b.data + p * b.stride + j * kLanes);
    for (std::size_t i = 0; i < R; ++i) {
      const Vector<kLanes> x = broadcast<kLanes>(a.data[i * (Row > 0 ? Row : a.row) + p * a.col]);
      for (std::size_t j = 0; j < V; ++j) sum[i][j] = multiply_add(x, row[j], sum[i][j]);
    }
  }
  const Vector<kLanes> alpha = broadcast<kLanes>(scales.alpha), beta = broadcast<kLanes>(scales.beta);
  for (std::size_t i = 0; i < R; ++i)
    for (std::size_t j = 0; j < V; ++j) {
      Real* out = c + i * c_stride + j * kLanes;
      Vector<kLanes> result = alpha * sum[i][j];
      if (scales.beta != 0) result = multiply_add(beta, load<kLanes>(out), result);
      store<kLanes>(out, result);
    }
}

// multiply_block for a height of at most R.
template <std::size_t R, std::size_t V>
void multiply_block_of(std::size_t height, Left a, ConstMatrixView b, Real* c, std::size_t c_stride,
                       Scales scales) {
  if constexpr (R > 1)
    if (height < R) return multiply_block_of<R - 1, V>(height, a, b, c, c_stride, scales);
  if (a.row == 1) return multiply_block<R, V, 1>(a, b, c, c_stride, scales);
  if constexpr (V == 1)
    if (a.row == kTileStride) return multiply_block<R, V, kTileStride>(a, b, c, c_stride, scales);
  multiply_block<R, V, 0>(a, b, c, c_stride, scales);
}

// first … end-1
struct Range {
  std::size_t first, end;
};

// The part of 0 … size-1 that is between `first` and `last`.
[[gnu::always_inline]] inline Range within(std::size_t size, std::ptrdiff_t first, std::ptrdiff_t last) {
  const auto place = [size](std::ptrdiff_t x) {
    return static_cast<std::size_t>(clamp<std::ptrdiff_t>(x, 0, static_cast<std::ptrdiff_t>(size)));
  };
  return {place(first), max_of(place(first), place(last + 1))};
}

// Some rows of C for one panel of B, in blocks of at most R rows and of nearly equal height, because a block
// of one row would wait for its own sums. A block skips the terms p where A is 0 in all its rows.
template <std::size_t R, std::size_t V>
void multiply_rows(Left a, ConstMatrixView panel, MatrixView c, Scales scales, Range rows, Band of_a) {
  std::size_t blocks = (rows.end - rows.first + R - 1) / R;
  for (std::size_t i = rows.first; i < rows.end; --blocks) {
    const std::size_t height = (rows.end - i + blocks - 1) / blocks;
    const auto top = static_cast<std::ptrdiff_t>(i), bottom = static_cast<std::ptrdiff_t>(i + height - 1);
    const Range p = within(panel.rows, top + of_a.first, bottom + of_a.last);
    const ConstMatrixView part{panel.data + p.first * panel.stride, p.end - p.first, panel.cols,
                               panel.stride};
    multiply_block_of<R, V>(height, a.from_row(i).from_col(p.first), part, c.data + i * c.stride, c.stride,
                            scales);
    i += height;
  }
}

// Columns first … first+count-1, or rows from `first`, of a matrix after transposition.
ConstMatrixView columns(ConstMatrixView m, std::size_t first, std::size_t count) {
  m.data += first * (m.transposed ? m.stride : 1);
  (m.transposed ? m.rows : m.cols) = count;
  return m;
}
ConstMatrixView rows(ConstMatrixView m, std::size_t first, std::size_t count) {
  m.data += first * (m.transposed ? 1 : m.stride);
  (m.transposed ? m.cols : m.rows) = count;
  return m;
}

// The columns of C that do not fill a vector: computed in a separate block, padded with zeros.
void multiply_last_columns(Left a, ConstMatrixView b, MatrixView c, Scales scales, Band of_a) {
  constexpr std::size_t kHeight = kNarrow;
  alignas(64) Real panel[kDepth * kLanes], block[kHeight * kLanes];
  const std::size_t k = b.height();
  for (std::size_t p = 0; p < k; ++p) store<kLanes>(panel + p * kLanes, Vector<kLanes>{});
  pack(b, panel, kLanes);
  for (std::size_t first = 0; first < c.rows; first += kHeight) {
    const std::size_t height = min_of(kHeight, c.rows - first);
    const auto down = static_cast<std::ptrdiff_t>(first);
    multiply_rows<kHeight, 1>(a.from_row(first), {panel, k, kLanes, kLanes}, {block, height, kLanes, kLanes},
                              {scales.alpha, 0}, {0, height}, {of_a.first + down, of_a.last + down});
    for (std::size_t i = 0; i < height; ++i)
      for (std::size_t j = 0; j < c.cols; ++j) {
        Real& out = c.data[(first + i) * c.stride + j];
        const Real product = block[i * kLanes + j];
        out = scales.beta == 0 ? product : multiply_add(scales.beta, out, product);
      }
  }
}

// Asks for rows of a matrix, as they lie in memory, to come into the second cache.
void fetch(ConstMatrixView m, Range rows) {
  constexpr std::size_t kLine = 64 / sizeof(Real);
  for (std::size_t i = rows.first; i < min_of(rows.end, m.rows); ++i)
    for (std::size_t j = 0; j < m.cols; j += kLine) __builtin_prefetch(m.data + i * m.stride + j, 0, 2);
}

// One slice of k: the columns of C in panels as wide as a block, then in narrower panels, then the remainder.
void multiply_slice(Left a, ConstMatrixView b, MatrixView c, Scales scales, Bands bands) {
  alignas(64) Real copy[kDepth * kWide * kLanes];
  std::size_t j = 0;
  const auto next_panel = [&]<std::size_t R, std::size_t V>() {
    constexpr std::size_t kWidth = V * kLanes;
    const auto left = static_cast<std::ptrdiff_t>(j), right = static_cast<std::ptrdiff_t>(j + kWidth - 1);
    const Range rows = within(c.rows, left - bands.c.last, right - bands.c.first);
    const std::size_t at = j;
    j += kWidth;
    if (rows.first == rows.end) return;
    ConstMatrixView panel = columns(b, at, kWidth);
    // Rows far apart share few cache sets. Copying pays when enough rows of A use the copy.
    if (b.transposed || (rows.end - rows.first >= 32 && b.stride > 64)) {
      pack(panel, copy, kWidth);
      panel = {copy, b.height(), kWidth, kWidth};
    }
    const MatrixView part{c.data + at, c.rows, kWidth, c.stride};
    const bool deep = b.height() >= kDeep;
    // Beside a deep block its own rows of C and a share of the next panel come from the third cache.
    const std::size_t step = deep ? R : rows.end - rows.first;
    const ConstMatrixView next = j + kWidth <= c.cols ? columns(b, j, kWidth) : ConstMatrixView{};
    const std::size_t share = next.rows * step / (rows.end - rows.first) + 1;
    for (std::size_t i = rows.first, fetched = 0; i < rows.end; i += step, fetched += share) {
      const Range block{i, min_of(i + step, rows.end)};
      if (deep) {
        fetch(part, block);
        fetch(next, {fetched, fetched + share});
      }
      multiply_rows<R, V>(a, panel, part, scales, block, bands.a);
    }
  };
  while (j + kWide * kLanes <= c.cols) next_panel.template operator()<kRows, kWide>();
  if constexpr (kWide > 2)
    if (j + 2 * kLanes <= c.cols) next_panel.template operator()<kRows * kWide / 2, 2>();
  if (j + kLanes <= c.cols) next_panel.template operator()<kNarrow, 1>();
  if (j == c.cols) return;
  multiply_last_columns(a, columns(b, j, c.cols - j), {c.data + j, c.rows, c.cols - j, c.stride}, scales,
                        bands.a);
}

}  // namespace

void vector_gemm(ConstMatrixView a, ConstMatrixView b, MatrixView c, Real alpha, Real beta, Bands bands) {
  const std::size_t k = b.height();
  const bool far_apart = a.transposed && a.stride >= kFar;
  const std::size_t tall = far_apart ? min_of(c.rows, kTall) : c.rows;
  Scratch copy(far_apart ? tall * min_of(k, kDepth) : 0);
  for (std::size_t p = 0; p < k; p += kDepth)
    for (std::size_t i = 0; i < c.rows; i += tall) {
      const std::size_t depth = min_of(kDepth, k - p), height = min_of(tall, c.rows - i);
      Left left{a.data, a.transposed ? 1 : a.stride, a.transposed ? a.stride : 1};
      left = left.from_row(i).from_col(p);
      if (far_apart) {
        pack(rows(columns(a, p, depth), i, height), copy.data(), depth);
        left = {copy.data(), depth, 1};
      }
      const auto down = static_cast<std::ptrdiff_t>(i), right = static_cast<std::ptrdiff_t>(p);
      multiply_slice(left, rows(b, p, depth), {c.data + i * c.stride, height, c.cols, c.stride},
                     {alpha, p == 0 ? beta : 1},
                     {{bands.a.first + down - right, bands.a.last + down - right},
                      {bands.c.first + down, bands.c.last + down}});
    }
}

}  // namespace headlight::kernels::this_level
