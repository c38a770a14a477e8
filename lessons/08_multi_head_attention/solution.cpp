// Lesson 8, solved: multi-head attention.
#include "07_scaled_dot_product_attention/kept.h"
#include "crowd.h"
#include "exercise.h"
#include "multi_head.h"

Tensor split_heads(const Tensor& x, std::size_t n_heads) {
  const int batch = static_cast<int>(x.length(0)), n = static_cast<int>(x.length(1));
  const Tensor apart = reshape(x, {batch, n, static_cast<int>(n_heads), -1});  // (B,n,h,d_head)
  return permute(apart, {0, 2, 1, 3});                                         // (B,h,n,d_head)
}

Tensor merge_heads(const Tensor& z) {
  const int batch = static_cast<int>(z.length(0)), n = static_cast<int>(z.length(2));
  return reshape(permute(z, {0, 2, 1, 3}), {batch, n, -1});  // (B,n,h,w) → (B,n,h·w)
}

Tensor multi_head_attention(const Tensor& x, const Tensor& source, const MultiHeadWeights& w,
                            std::size_t n_heads, const Tensor& mask) {
  const Tensor q = split_heads(matmul(x, w.W_Q), n_heads);  // (B,h,n,d_head)
  const Tensor k = split_heads(matmul(source, w.W_K), n_heads);
  const Tensor v = split_heads(matmul(source, w.W_V), n_heads);
  return matmul(merge_heads(lesson_07::attention(q, k, v, mask)), w.W_O);
}

std::size_t parameters_of(std::size_t d, std::size_t n_heads, std::size_t n_kv_heads, std::size_t d_k,
                          std::size_t d_v) {
  return d * n_heads * d_k + d * n_kv_heads * d_k + d * n_kv_heads * d_v + n_heads * d_v * d;
}

Tensor repeat_kv(const Tensor& k, std::size_t n_heads) {
  const int n_kv_heads = static_cast<int>(k.length(1));
  const int group = static_cast<int>(n_heads) / n_kv_heads;
  std::vector<Tensor> heads;
  for (int head = 0; head < n_kv_heads; ++head)
    for (int copy = 0; copy < group; ++copy) heads.push_back(slice(k, 1, head, head + 1));
  return concat(heads, 1);
}

Tensor grouped_attention(const Tensor& x, const Tensor& W_QKV, const Tensor& W_O, std::size_t n_heads,
                         std::size_t n_kv_heads, const Tensor& mask) {
  const int d = static_cast<int>(x.length(-1)), d_head = d / static_cast<int>(n_heads);
  const int d_kv = d_head * static_cast<int>(n_kv_heads);
  const Tensor all = matmul(x, W_QKV);
  const Tensor q = split_heads(slice(all, -1, 0, d), n_heads);
  const Tensor k = split_heads(slice(all, -1, d, d + d_kv), n_kv_heads);
  const Tensor v = split_heads(slice(all, -1, d + d_kv, d + 2 * d_kv), n_kv_heads);
  const Tensor z = lesson_07::attention(q, repeat_kv(k, n_heads), repeat_kv(v, n_heads), mask);
  return matmul(merge_heads(z), W_O);
}

double keys_reached(std::size_t d_head) {
  const Array scores = matmul(queries_of(d_head), transpose(keys_of(d_head))).array();
  std::vector<bool> reached(64, false);
  for (std::size_t i = 0; i < 4096; ++i) {
    std::size_t largest = 0;
    for (std::size_t j = 1; j < 64; ++j)
      if (scores(i, j) > scores(i, largest)) largest = j;
    reached[largest] = true;
  }
  double count = 0;
  for (const bool each : reached) count += each;
  return count;
}

// The predictions: each direction has two ends, so d_head directions reach 2·d_head keys.
std::vector<Trial> width_trials() {
  return {{1, 2, keys_reached(1)}, {4, 8, keys_reached(4)}, {16, 32, keys_reached(16)}};
}
