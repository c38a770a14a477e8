// What people write in the place of part 4.
#pragma once

#include "mistakes_running.h"
#include "slips_of_blocks.h"

namespace mistakes {

using Windowed = std::function<InBlocks(const Tensor&, const Tensor&, const Tensor&, std::size_t, std::size_t,
                                        std::size_t)>;

// Queries i … end-1 and keys j … last-1, with the position of query 0.
struct TileAt {
  std::size_t i, end, j, last, shift, window;
};

inline bool sees(const Made& made, const TileAt& t, std::size_t query, std::size_t key) {
  const std::size_t shift = made("queries-from-the-start-in-the-mask") ? 0 : t.shift,
                    p = (made("position-in-the-tile") ? query - t.i : query) + shift,
                    j = made("key-position-in-the-tile") ? key - t.j : key;
  const bool wide = made("window-too-wide") || made("window-too-wide-in-both"),
             narrow = made("window-too-narrow") || made("window-too-narrow-in-both");
  const bool early = made("window-below-0")          ? j <= p - t.window  // wraps around
                     : made("window-below-0-by-one") ? j < p + 1 - t.window
                     : made("window-ignored")        ? false
                     : wide                          ? j + t.window < p
                     : narrow                        ? j + t.window <= p + 1
                                                     : j + t.window <= p;
  const bool late = made("looks-ahead")      ? false
                    : made("one-ahead")      ? j > p + 1
                    : made("without-itself") ? j >= p
                                             : j > p;
  return !early && !late;
}

inline bool skips(const Made& made, const TileAt& t) {
  if (made("nothing-skipped")) return false;
  const std::size_t shift = made("queries-from-the-start-in-the-skip") ? 0 : t.shift;
  const std::size_t first = t.i + shift, final = t.end - 1 + shift;  // positions of queries
  if (made("whole-tiles-only")) return t.last - 1 > first || t.j + t.window <= final;
  const bool late = made("later-not-skipped")          ? false
                    : made("one-late-tile-too-few")    ? t.j >= final
                    : made("one-late-tile-too-many")   ? t.j > final + 1
                    : made("late-for-the-first-query") ? t.j > first
                                                       : t.j > final;
  const bool few = made("one-early-tile-too-few") || made("window-too-narrow-in-both"),
             many = made("one-early-tile-too-many") || made("window-too-wide-in-both");
  const std::size_t begin = first + 1 - t.window;  // may wrap around
  const bool early = made("window-below-0-in-the-skip")          ? t.last - 1 <= first - t.window
                     : made("window-below-0-by-one-in-the-skip") ? (many ? t.last < begin : t.last <= begin)
                     : made("earlier-not-skipped")               ? false
                     : few                                       ? t.last - 1 + t.window <= first + 1
                     : many                                      ? t.last - 1 + t.window < first
                     : made("early-for-the-last-query")          ? t.last - 1 + t.window <= final
                                                                 : t.last - 1 + t.window <= first;
  return late || early;
}

inline double scale_of(const Made& made, const Tensor& Q, const Tensor& V) {
  const auto d_k = static_cast<double>(Q.length(1)), d_v = static_cast<double>(V.length(1));
  return made("unscaled")             ? 1
         : made("divided-by-d_k")     ? 1 / d_k
         : made("root-of-d_v")        ? 1 / std::sqrt(d_v)
         : made("root-of-n")          ? 1 / std::sqrt(static_cast<double>(Q.length(0)))
         : made("multiplied-by-root") ? std::sqrt(d_k)
                                      : 1 / std::sqrt(d_k);
}

// add_block of the learner's own with mistakes of its own, or the one of part 2.
inline Running step(const Made& made, const Running& before, std::vector<double> scores,
                    const Array& values) {
  std::vector<std::string> names;
  for (const auto& [here, there] :
       std::vector<std::pair<std::string, std::string>>{{"not-rescaled", "not-rescaled"},
                                                        {"hidden-as-0", "hidden-as-0"},
                                                        {"hidden-row", "hidden-block"},
                                                        {"divided-at-each-tile", "divided-by-l"}})
    if (made(here)) names.push_back(there);
  if (made("no-maximum")) {
    Running after = before;
    after.m = 0;
    for (std::size_t j = 0; j < scores.size(); ++j) {
      const double power = std::exp(scores[j]);
      after.l += power;
      for (std::size_t c = 0; c < after.o.size(); ++c) after.o[c] += power * values(j, c);
    }
    return after;
  }
  if (made("last-tile-only") || made("softmax-of-each-tile")) {
    Running alone =
        added(Made{names}, {-INFINITY, 0, std::vector<double>(before.o.size(), 0)}, scores, values);
    if (alone.m == -INFINITY) return before;
    if (made("last-tile-only")) return alone;
    for (std::size_t c = 0; c < alone.o.size(); ++c) alone.o[c] = before.o[c] + alone.o[c] / alone.l;
    alone.l = 1;
    return alone;
  }
  return added(Made{names}, before, std::move(scores), values);
}

inline double log_sum_of(const Made& made, const Running& at) {
  return made("log-of-the-sum")      ? std::log(at.m + at.l)
         : made("log-of-l")          ? std::log(at.l)
         : made("maximum-only")      ? at.m
         : made("l-itself")          ? at.l
         : made("m-plus-l")          ? at.m + at.l
         : made("log-subtracted")    ? at.m - std::log(at.l)
         : made("sum-not-logarithm") ? std::exp(at.m) * at.l
                                     : at.m + std::log(at.l);
}

inline std::size_t count_of(const Made& made, const TileAt& t) {
  if (made("scores-counted")) return (t.end - t.i) * (t.last - t.j);
  std::size_t seen = 0;
  for (std::size_t query = t.i; query < t.end; ++query)
    for (std::size_t key = t.j; key < t.last; ++key) seen += sees(made, t, query, key) ? 1 : 0;
  return made("visible-counted") ? seen : 1;
}

inline InBlocks windowed(const Made& made, const Tensor& Q, const Tensor& K, const Tensor& V,
                         std::size_t window, std::size_t rows, std::size_t columns) {
  if (made("rows-and-columns-exchanged")) std::swap(rows, columns);
  const std::size_t n = Q.length(0), m = K.length(0), width = V.length(1);
  const std::size_t shift = made("queries-from-the-start") ? 0 : m - n;
  const auto part = [](const Tensor& x, std::size_t first, std::size_t end) {
    return slice(x, 0, static_cast<int>(first), static_cast<int>(end));
  };
  const Running nothing{-INFINITY, 0, std::vector<double>(width, 0)};
  std::vector<Running> known(rows, nothing);
  Array O = zeros({n, width}).array(), log_sums = zeros({n, 1}).array();
  std::size_t tiles = 0, skipped = 0;
  for (std::size_t i = 0; i < n; i += rows) {
    const std::size_t end = std::min(i + rows, n);
    if (made("short-queries-dropped") && end - i < rows) continue;
    if (!made("state-not-reset")) known.assign(rows, nothing);
    for (std::size_t j = 0; j < m; j += columns) {
      const TileAt t{i, end, j, std::min(j + columns, m), shift, window};
      if (made("short-keys-dropped") && t.last - j < columns) continue;
      if (skips(made, t)) {
        ++skipped;
        continue;
      }
      tiles += count_of(made, t);
      const Array S = (matmul(part(Q, i, end), transpose(part(K, j, t.last))) * scale_of(made, Q, V)).array(),
                  values = part(V, j, t.last).array();
      for (std::size_t query = i; query < end; ++query) {
        std::vector<double> scores;
        for (std::size_t key = j; key < t.last; ++key) {
          const bool visible = sees(made, t, query, key);
          if (visible || !made("hidden-left-out"))
            scores.push_back(visible ? S(query - i, key - j) : -INFINITY);
        }
        known[query - i] = step(made, known[query - i], std::move(scores), values);
      }
    }
    for (std::size_t query = i; query < end; ++query) {
      const Running& at = known[query - i];
      const bool undivided = made("not-divided") || made("divided-at-each-tile");
      for (std::size_t c = 0; c < width; ++c) O(query, c) = undivided ? at.o[c] : at.o[c] / at.l;
      log_sums(query, 0) = log_sum_of(made, at);
    }
  }
  if (made("skipped-counted")) tiles = skipped;
  const Tensor sums(log_sums);
  return {Tensor(O), made("log-sums-lie-down") ? reshape(sums, {-1}) : sums, tiles};
}

inline std::vector<Mistake<Windowed>> of_windowed_attention() {
  return slips_of<Windowed>(windowed, kSlipsOfWindowed);
}

}  // namespace mistakes
