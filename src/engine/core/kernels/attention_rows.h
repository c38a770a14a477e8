// Scores of a few queries and the keys of a tile, which are computed, and later turned into weights, while
// they stand in registers. For levels with 32 registers of sixteen numbers, and scores to which nothing is
// added.
#pragma once

#include "attention_tiles.h"
#include "pack.h"
#include "vector_math.h"

namespace headlight::kernels::this_level::attention_rows {

using namespace attention_tiles;

// Whether a group's scores fit into the registers.
inline constexpr bool kFit = !kDouble && kLanes == kAlong;
// In registers, or where it must be on the stack at an address that suits them: not a Vector, which may stand
// anywhere.
typedef Real Numbers __attribute__((vector_size(kAlong * sizeof(Real))));

// f(0), …, f(N-1), where each argument is a constant: arrays of vectors then stay in registers.
template <class F, std::size_t... I>
[[gnu::always_inline]] inline void each_of(F f, std::index_sequence<I...>) {
  (f(std::integral_constant<std::size_t, I>{}), ...);
}
template <std::size_t N, class F>
[[gnu::always_inline]] inline void each(F f) {
  each_of(f, std::make_index_sequence<N>{});
}

// The keys (or values) of one head as columns, tile by tile: (tile, width, kKeys). Used where a score is
// scale·q·k alone, and each query sees all keys from the first to a last one.
class Columns {
 public:
  Columns(const AttentionSizes& s, const AttentionInputs& in, std::size_t width)
      : width_(width),
        data_(kFit && s.cap == 0 && in.bias.data == nullptr && in.relative.data == nullptr &&
                      in.visible.data == nullptr && in.dropout.p == 0 && s.queries > 0 &&
                      s.first_seen(s.queries - 1) == 0
                  ? (s.keys + kKeys - 1) / kKeys * kKeys * width
                  : 0) {}

  bool used() const { return kFit && !data_.empty(); }

  void pack(const Heads<const Real>& x, const AttentionSizes& s, std::size_t b, std::size_t h) {
    if (!used()) return;
    const std::size_t end = s.end_seen(s.queries - 1);
    for (std::size_t first = 0; first < end; first += kKeys) {
      const std::size_t count = min_of(kKeys, end - first);
      const ConstMatrixView rows{x.at(b, h) + first * x.row, count, width_, x.row};
      this_level::pack(rows.t(), data_.data() + first * width_, kKeys);
    }
  }

  const Real* of(Keys keys) const { return data_.data() + keys.first * width_; }

 private:
  std::size_t width_;
  Scratch data_;
};

// R queries from row `first` of a block on, and the end of the keys of a tile that each sees. A group that
// would go beyond the block's last row repeats that.
template <std::size_t R>
struct Group {
  std::size_t first, last;
  std::int32_t end[R];

  std::size_t row(std::size_t i) const { return min_of(first + i, last); }

  // f(i, row of the block) for i < R, a constant.
  template <class F>
  [[gnu::always_inline]] void each_row(F f) const {
    each<R>([&](auto i) { f(i, row(i)); });
  }
};

template <std::size_t R, std::size_t V>
struct Rows {
  Numbers at[R][V];
};

// alpha·x c for the rows of a group: x (rows, width) and V vectors of the columns c.
template <std::size_t R, std::size_t V>
[[gnu::always_inline]] inline Rows<R, V> product(const Group<R>& group, ConstMatrixView x,
                                                 const Real* columns, Real alpha) {
  Rows<R, V> sum{};
  const Real* rows[R];
  group.each_row([&](auto i, std::size_t row) { rows[i] = x.data + row * x.stride; });
  for (std::size_t p = 0; p < x.cols; ++p, columns += kKeys) {
    Numbers column[V];
    each<V>([&](auto v) { column[v] = load<kAlong>(columns + v * kAlong); });
    each<R>([&](auto i) {
      const Numbers of_row = broadcast<kAlong>(rows[i][p]);
      each<V>([&](auto v) { sum.at[i][v] = multiply_add(of_row, column[v], sum.at[i][v]); });
    });
  }
  each<R>([&](auto i) { each<V>([&](auto v) { sum.at[i][v] = broadcast<kAlong>(alpha) * sum.at[i][v]; }); });
  return sum;
}

// -∞ for the keys that a query does not see. A later query sees no fewer keys.
template <std::size_t R, std::size_t V>
[[gnu::always_inline]] inline void hide(const Group<R>& group, Rows<R, V>& scores) {
  using Places = Vector<kAlong, std::int32_t>;
  each<V>([&](auto v) {
    constexpr std::int32_t kPlace = v * kAlong;
    if (kPlace + static_cast<std::int32_t>(kAlong) <= group.end[0]) return;
    const Places places = Places{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15} + kPlace;
    each<R>([&](auto i) {
      scores.at[i][v] = places < group.end[i] ? scores.at[i][v] : broadcast<kAlong>(kHidden);
    });
  });
}

// Combines the lanes of four vectors by join(…), each in the order of `across`. The result of x[i] stands in
// lanes 4i … 4i+3.
template <class Join>
[[gnu::always_inline]] inline Numbers across_four(const Numbers* x, Join join) {
  const auto halves = [&](const Numbers& a, const Numbers& b) {
    return join(__builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),
                __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
  };
  const Numbers ab = halves(x[0], x[1]), cd = halves(x[2], x[3]);
  const Numbers quarters =
      join(__builtin_shufflevector(ab, cd, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27),
           __builtin_shufflevector(ab, cd, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31));
  const Numbers pairs = join(quarters, __builtin_shufflevector(quarters, quarters, 2, 3, 0, 1, 6, 7, 4, 5, 10,
                                                               11, 8, 9, 14, 15, 12, 13));
  return join(pairs,
              __builtin_shufflevector(pairs, pairs, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
}

// Row by row, the lanes of x[0] … x[R-1] combined by join(…).
template <std::size_t R, class Join>
[[gnu::always_inline]] inline void across_each(const Numbers (&x)[R], Join join, Real (&results)[R]) {
  each<R / 4>([&](auto four) {
    const Numbers result = across_four(x + 4 * four, join);
    each<4>([&](auto i) { results[4 * four + i] = result[4 * i]; });
  });
}

// The largest score of each row.
template <std::size_t R, std::size_t V>
[[gnu::always_inline]] inline void max_each(const Rows<R, V>& scores, Real (&results)[R]) {
  const auto larger = [](const Numbers& a, const Numbers& b) { return a > b ? a : b; };
  Numbers max[R];
  each<R>([&](auto i) {
    max[i] = scores.at[i][0];
    each<V>([&](auto v) {
      if constexpr (v > 0) max[i] = larger(max[i], scores.at[i][v]);
    });
  });
  across_each(max, larger, results);
}

// Writes the group's rows to a tile, and zeros behind them, see end_row.
template <std::size_t R, std::size_t V>
[[gnu::always_inline]] inline void store_rows(const Group<R>& group, const Rows<R, V>& rows,
                                              const MatrixView& tile) {
  group.each_row([&](auto i, std::size_t at) {
    Real* row = tile.data + at * tile.stride;
    each<V>([&](auto v) { store<kAlong>(row + v * kAlong, rows.at[i][v]); });
    store<kAlong>(row + V * kAlong, Numbers{});
  });
}

template <std::size_t R, std::size_t V>
[[gnu::always_inline]] inline Rows<R, V> load_rows(const Group<R>& group, const MatrixView& tile) {
  Rows<R, V> rows;
  group.each_row([&](auto i, std::size_t at) {
    each<V>([&](auto v) { rows.at[i][v] = load<kAlong>(tile.data + at * tile.stride + v * kAlong); });
  });
  return rows;
}

// f.operator()<R, V>(group) for all queries of a block that see a key of a tile: R of them at a time, which
// see V vectors of keys at most. The rows of other queries begin with zeros in the tiles.
template <class F, class... Tile>
void each_group(const AttentionSizes& s, const Block& block, Keys keys, F f, const Tile&... tiles) {
  std::size_t first = 0;
  const auto end_of = [&](std::size_t row) {
    return seen_by(s, block.first + min_of(row, block.rows - 1), keys).end;
  };
  const auto take = [&]<std::size_t R, std::size_t V>() {
    Group<R> group{first, block.rows - 1, {}};
    each<R>([&](auto i) { group.end[i] = static_cast<std::int32_t>(end_of(first + i)); });
    f.template operator()<R, V>(group);
    first += R;
  };
  while (first < block.rows) {
    const auto vectors = [&](std::size_t rows) { return (end_of(first + rows - 1) + kAlong - 1) / kAlong; };
    switch (vectors(8)) {
      case 1:
        take.template operator()<8, 1>();
        continue;
      case 2:
        take.template operator()<8, 2>();
        continue;
      case 3:
        take.template operator()<8, 3>();
        continue;
    }
    switch (vectors(4)) {
      case 3:
        take.template operator()<4, 3>();
        continue;
      case 4:
        take.template operator()<4, 4>();
        continue;
      case 5:
        take.template operator()<4, 5>();
        continue;
      case 6:
        take.template operator()<4, 6>();
        continue;
    }
    (store<kAlong>(tiles.data + first * tiles.stride, Numbers{}), ...);
    ++first;
  }
}

}  // namespace headlight::kernels::this_level::attention_rows
