// What lesson 14 and its exercise build from: a residual stream of subspaces, heads whose matrices begin as
// zeros, and `put`, which writes a factor along a diagonal.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "headlight/core/array.h"
#include "headlight/core/check.h"
#include "headlight/core/math.h"

namespace headlight {

// The length of all segments in part 5 of the exercise.
inline constexpr std::size_t kPeriod = 9;

// Coordinates first … first+size-1 of a vector.
struct Subspace {
  std::size_t first = 0, size = 0;

  // `count` of them, without the first `skip`.
  Subspace part(std::size_t skip, std::size_t count) const {
    check(skip + count <= size, "a subspace of {} coordinates has no part of {} after the first {}.", size,
          count, skip);
    return {first + skip, count};
  }
};

// The residual stream. Each subspace holds one row, mostly one-hot. The last two are used by the exercise.
struct Stream {
  Subspace token;       // V  the token
  Subspace before;      // V  the token before
  Subspace output;      // V  what the model says next
  Subspace position;    // T  the position
  Subspace two_before;  // V  the token before the token before
  Subspace pointer;     // T  for other positions than one's own

  Stream(std::size_t V, std::size_t T, bool of_exercise = false)
      : token{0, V},
        before{V, V},
        output{2 * V, V},
        position{3 * V, T},
        two_before{3 * V + T, of_exercise ? V : 0},
        pointer{two_before.first + two_before.size, of_exercise ? T : 0} {}

  std::size_t width() const { return pointer.first + pointer.size; }
};

// The four matrices of a head, all 0 at first. Its d_head = V + T coordinates are V for tokens, then T for
// positions.
struct Head {
  Subspace tokens, positions;
  Array W_Q, W_K, W_V, W_O;  // (width,d_head) three times, (d_head,width)

  explicit Head(const Stream& s)
      : tokens{0, s.token.size},
        positions{s.token.size, s.position.size},
        W_Q(full_array({s.width(), d_head()}, 0)),
        W_K(W_Q),
        W_V(W_Q),
        W_O(full_array({d_head(), s.width()}, 0)) {}

  std::size_t d_head() const { return tokens.size + positions.size; }
};

// A model of two layers with two heads each, without norms and biases.
struct Weights {
  Stream stream;
  Array W_E, W_pos, W_U;  // (V,width), (T,width), (width,V)
  std::array<Head, 2> layer_0, layer_1;

  explicit Weights(const Stream& s)
      : stream(s),
        W_E(full_array({s.token.size, s.width()}, 0)),
        W_pos(full_array({s.position.size, s.width()}, 0)),
        W_U(full_array({s.width(), s.token.size}, 0)),
        layer_0{Head(s), Head(s)},
        layer_1{Head(s), Head(s)} {}
};

// x W takes the coordinates `from` of x, times the factor, into the coordinates `to` of the result:
// W(from.first + i, to.first + i) = factor. Throws Error when the sizes differ, and outside W.
inline void put(Array& W, const Subspace& from, const Subspace& to, double factor) {
  check(from.size == to.size, "put: {} coordinates cannot go into {}.", from.size, to.size);
  check(from.first + from.size <= W.shape()[0] && to.first + to.size <= W.shape()[1],
        "put: rows {} … {} and columns {} … {} do not all exist in a matrix of {} rows and {} columns.",
        from.first, from.first + from.size - 1, to.first, to.first + to.size - 1, W.shape()[0], W.shape()[1]);
  for (std::size_t i = 0; i < from.size; ++i) W(from.first + i, to.first + i) = static_cast<Real>(factor);
}

// ---- What these heads do ----

// x (n,a) times W (a,b).
inline Array product(const Array& x, const Array& W) {
  Array y = full_array({x.shape()[0], W.shape()[1]}, 0);
  for (std::size_t i = 0; i < y.shape()[0]; ++i)
    for (std::size_t k = 0; k < W.shape()[0]; ++k)
      if (x(i, k) != 0)
        for (std::size_t j = 0; j < y.shape()[1]; ++j) y(i, j) += x(i, k) * W(k, j);
  return y;
}

// x W_Q (x W_K)ᵀ/√d_head of a stream x (n,width) → (n,n).
inline Array scores(const Head& head, const Array& x) {
  const Array q = product(x, head.W_Q), k = product(x, head.W_K);
  Array s = full_array({x.shape()[0], x.shape()[0]}, 0);
  for (std::size_t i = 0; i < s.shape()[0]; ++i)
    for (std::size_t j = 0; j < s.shape()[1]; ++j) {
      for (std::size_t c = 0; c < head.d_head(); ++c) s(i, j) += q(i, c) * k(j, c);
      s(i, j) /= std::sqrt(static_cast<double>(head.d_head()));
    }
  return s;
}

// The softmax of each row of the scores under the causal mask.
inline Array pattern(const Head& head, const Array& x) {
  Array p = scores(head, x);
  for (std::size_t i = 0; i < p.shape()[0]; ++i) {
    Real largest = p(i, 0), sum = 0;
    for (std::size_t j = 1; j <= i; ++j) largest = p(i, j) > largest ? p(i, j) : largest;
    for (std::size_t j = 0; j < p.shape()[1]; ++j) {
      p(i, j) = j > i ? 0 : static_cast<Real>(math::exp(p(i, j) - largest));
      sum += p(i, j);
    }
    for (std::size_t j = 0; j <= i; ++j) p(i, j) /= sum;
  }
  return p;
}

// What the head adds to the stream: pattern · x W_V W_O.
inline Array written_by(const Head& head, const Array& x) {
  return product(pattern(head, x), product(product(x, head.W_V), head.W_O));
}

// The stream in front of layer 0: row i has the token and the position i.
inline Array embedded(const Weights& w, const std::vector<std::int32_t>& tokens) {
  Array x = full_array({tokens.size(), w.stream.width()}, 0);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    for (std::size_t c = 0; c < w.stream.width(); ++c)
      x(i, c) = w.W_E(static_cast<std::size_t>(tokens[i]), c) + w.W_pos(i, c);
  return x;
}

// The stream behind a layer.
inline Array behind(const std::array<Head, 2>& layer, const Array& x) {
  Array y = x;
  for (const Head& head : layer) y += written_by(head, x);
  return y;
}

// ---- Part 6 of the exercise ----

// The weight on the follower, of the last of T tokens: T/2 different tokens that come twice. Both heads have
// the score S. This is the model of the lesson, computed without its matrices, so that T may be large.
inline double follower_weight(std::size_t T, double S) {
  const std::size_t period = T / 2, query = T - 1;
  double all = 0, follower = 0;
  for (std::size_t key = 1; key <= query; ++key) {  // position 0 is hidden
    double noted = 0;                               // of the query's token in `before` of the key
    for (std::size_t place = period - 1; place <= key; place += period)
      noted += place + 1 == key ? math::exp(S) : 1;
    noted /= math::exp(S) + static_cast<double>(key);
    const double weight = math::exp(S * noted);
    all += weight;
    if (key == period) follower = weight;
  }
  return follower / all;
}

}  // namespace headlight
