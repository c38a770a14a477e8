// What lesson 9 computes with beside the backward pass: its example, a layer in steps that the tape sees,
// and measured cotangents.
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "headlight/core/math.h"
#include "headlight/core/rng.h"
#include "headlight/ops/ops.h"

namespace headlight::lesson {

using Named = std::map<std::string, Tensor>;

inline constexpr Real kNever = -std::numeric_limits<Real>::infinity();

inline double dot(const Tensor& a, const Tensor& b) { return sum(a * b).item(); }
inline Array zeros_like(const Array& x) { return full_array(x.shape(), 0); }
inline std::size_t rows(const Array& x) { return x.shape()[0]; }
inline std::size_t columns(const Array& x) { return x.shape()[1]; }

// Without what rounding leaves of a 0.
inline Tensor tidy(const Tensor& x) {
  Array numbers = x.array();
  for (double& number : numbers) number = std::round(number * 1e9) / 1e9 + 0.0;
  return Tensor(numbers);
}

// x with `by` added to one number.
inline Tensor raised(const Tensor& x, std::size_t number, double by) {
  Array numbers = x.array();
  numbers.data()[number] += by;
  return Tensor(numbers);
}

// The example that the text follows: two queries, three keys, and the third key is hidden from query 1.
struct Example {
  Tensor Q = tensor({{2 * math::log(2), 0, 1, 0}, {0, 2 * math::log(3), 1, 0}});
  Tensor K = tensor({{1, 0, 3, 1}, {0, 1, 3, -1}, {0, 0, 3, 2}});
  Tensor V = tensor({{8, 0}, {0, 8}, {4, 4}});
  Tensor dZ = tensor({{1, 2}, {3, 1}});
  BoolArray hidden{{false, false, false}, {false, false, true}};

  Tensor scores() const { return masked_fill(matmul(Q, transpose(K)) / 2, hidden, kNever); }
  Tensor pattern() const { return softmax(scores()); }
};

// What each step of the backward pass finds.
struct ValuesBack {
  Array dV, dP;
};
struct ScoresBack {
  Array dQ, dK;
};
struct HeadBack {
  Array dV, dP, dS, dQ, dK;
};
struct Tile {
  Array S, P;
  HeadBack back;
};
struct ProjectionBack {
  Tensor dX, dW;
};

// (B,n,H·c) → (B,H,n,c)
inline Tensor apart(const Tensor& x, std::size_t heads) {
  return permute(reshape_to(x, {x.length(0), x.length(1), heads, x.length(2) / heads}), {0, 2, 1, 3});
}

// (B,H,n,c) → (B,n,H·c)
inline Tensor together(const Tensor& x) {
  return reshape_to(permute(x, {0, 2, 1, 3}), {x.length(0), x.length(2), x.length(1) * x.length(3)});
}

// Matrix (b,h) of x (B,H,n,c).
inline Array matrix(const Tensor& x, int b, int h) {
  const Tensor part = slice(slice(x, 0, b, b + 1), 1, h, h + 1);
  return reshape_to(part, {x.length(2), x.length(3)}).array();
}

// back(dZ, P, Q, K, V) of each head of each sequence, as (B,H,n,n) for P and S and as (B,n,d) for the others.
template <class F>
Named for_each_head(const Named& pass, const Tensor& to_Z, const F& back) {
  const std::size_t batch = pass.at("P").length(0), n_heads = pass.at("P").length(1);
  const Tensor dZ = apart(to_Z, n_heads), Q = apart(pass.at("Q"), n_heads), K = apart(pass.at("K"), n_heads),
               V = apart(pass.at("V"), n_heads);
  std::map<std::string, std::vector<Tensor>> heads;
  for (int b = 0; b < static_cast<int>(batch); ++b)
    for (int h = 0; h < static_cast<int>(n_heads); ++h) {
      const HeadBack d = back(matrix(dZ, b, h), matrix(pass.at("P"), b, h), matrix(Q, b, h), matrix(K, b, h),
                              matrix(V, b, h));
      for (const auto& [name, x] : {std::pair{"V", d.dV}, {"P", d.dP}, {"S", d.dS}, {"Q", d.dQ}, {"K", d.dK}})
        heads[name].push_back(Tensor(x));
    }
  Named all;
  for (const auto& [name, x] : heads) {
    const Tensor in_order = reshape_to(stack(x), {batch, n_heads, x[0].length(0), x[0].length(1)});
    all[name] = name == "P" || name == "S" ? in_order : together(in_order);
  }
  return all;
}

// From X (B,n,d), W_Q, W_K, W_V and W_O to Y (B,n,d): all steps by name, S and P of shape (B,H,n,n).
// A name in `free` is not computed: its tensor takes the place of the step.
inline Named attend(const Named& in, std::size_t heads, const Named& free = {}) {
  Named steps;
  const auto step = [&](const std::string& name, const Tensor& computed) {
    return steps[name] = free.contains(name) ? free.at(name) : computed;
  };
  const Tensor X = step("X", in.at("X"));
  const Tensor Q = step("Q", matmul(X, step("W_Q", in.at("W_Q"))));
  const Tensor K = step("K", matmul(X, step("W_K", in.at("W_K"))));
  const Tensor V = step("V", matmul(X, step("W_V", in.at("W_V"))));
  const double scale = 1 / std::sqrt(static_cast<double>(Q.length(2) / heads));
  const Tensor S = step("S", matmul(apart(Q, heads), apart(K, heads), {.transpose_y = true}) * scale);
  const BoolArray seen = visible_keys(X.length(1), X.length(1), {.causal = true});
  const Tensor P = step("P", softmax(masked_fill(S, !seen, kNever)));
  const Tensor Z = step("Z", together(matmul(P, apart(V, heads))));
  step("Y", matmul(Z, step("W_O", in.at("W_O"))));
  return steps;
}

// The layer of sections 5 and 6: two sequences of three tokens, two heads of width 2.
struct Layer {
  Named in;
  Tensor dY;
  std::size_t heads = 2;
  Layer() {
    Rng rng(9);
    for (const char* name : {"X", "W_Q", "W_K", "W_V", "W_O"}) {
      const bool input = name[0] == 'X';
      in[name] = parameter(randn(input ? Shape{2, 3, 4} : Shape{4, 4}, rng, input ? 1 : 0.7));
    }
    dY = randn({2, 3, 4}, rng);
  }
};

// The largest difference, relative to the largest number.
inline double difference(const Tensor& a, const Tensor& b) {
  return max(abs(a - b)).item() / max(maximum(abs(a), abs(b))).item();
}

// The cotangent of a step, measured: the step is replaced by numbers of our choice.
inline Tensor measured(const Layer& layer, const Named& pass, const std::string& name) {
  constexpr double h = 1e-5;
  const auto loss = [&](const Tensor& free) {
    return dot(layer.dY, attend(layer.in, layer.heads, {{name, free}}).at("Y"));
  };
  Array slopes = pass.at(name).array();
  for (std::size_t i = 0; i < slopes.size(); ++i)
    slopes.data()[i] = (loss(raised(pass.at(name), i, h)) - loss(raised(pass.at(name), i, -h))) / (2 * h);
  return Tensor(slopes);
}

}  // namespace headlight::lesson
