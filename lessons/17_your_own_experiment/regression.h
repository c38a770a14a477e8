// The task, the layer and the gradient step of von Oswald et al. 2022, as lesson 17 reproduces them.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "headlight/core/rng.h"
#include "headlight/nn/nn.h"
#include "headlight/ops/ops.h"

namespace headlight::lesson {

inline constexpr std::size_t kInputs = 10, kExamples = 10, kToken = kInputs + 1;  // a token is (x, y)

// What a task tells of its function: the truth, nothing (y is drawn from another function for each example),
// or the truth on inputs twice as large.
enum class Told { truth, nothing, twice_as_large };

struct Regressions {
  Tensor context;  // (B,N,d+1): tokens (x, w·x)
  Tensor query;    // (B,1,d+1): (x, 0)
  Tensor answer;   // (B,1): w·x
};

// Each has a w of its own, standard normal. Inputs are uniform on [-1, 1].
inline Regressions regressions(std::size_t count, Rng rng, Told told = Told::truth) {
  const double scale = told == Told::twice_as_large ? 2 : 1;
  Array context = Array::from_shape({count, kExamples, kToken});
  Array query = Array::from_shape({count, 1, kToken}), answer = Array::from_shape({count, 1});
  for (std::size_t b = 0; b < count; ++b) {
    Array w = rng.normal_array({kInputs});
    for (std::size_t i = 0; i <= kExamples; ++i) {
      Real* token = i < kExamples ? &context(b, i, 0) : &query(b, 0, 0);
      if (told == Told::nothing) w = rng.normal_array({kInputs});
      Real y = 0;
      for (std::size_t j = 0; j < kInputs; ++j) {
        token[j] = scale * (2 * rng.uniform() - 1);
        y += w(j) * token[j];
      }
      token[kInputs] = i < kExamples ? y : 0;
      if (i == kExamples) answer(b, 0) = y;
    }
  }
  return {Tensor(std::move(context)), Tensor(std::move(query)), Tensor(std::move(answer))};
}

// One attention layer without softmax: the query e becomes e + Σᵢ (eᵢ W_V P) (e W_Q · eᵢ W_K), and -y of the
// new e is the prediction.
struct LinearAttention {
  Tensor W_Q, W_K, W_V, P;  // (d+1,d+1)

  explicit LinearAttention(Rng rng) {
    for (Tensor* W : {&W_Q, &W_K, &W_V, &P}) *W = parameter(rng.normal_array({kToken, kToken}, 0, 0.05));
  }

  Tensor operator()(const Tensor& context, const Tensor& query) const {                             // (B,1)
    const Tensor scores = matmul(linear(query, W_Q), linear(context, W_K), {.transpose_y = true});  // (B,1,N)
    const Tensor update = linear(matmul(scores, linear(context, W_V)), P);  // (B,1,d+1)
    return -squeeze(slice(update, -1, static_cast<int>(kInputs)), -1);
  }
  void visit(auto&& v) const { v("W_Q", W_Q), v("W_K", W_K), v("W_V", W_V), v("P", P); }
};

}  // namespace headlight::lesson
