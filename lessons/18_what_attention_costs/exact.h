// Attention with more digits than a double has, to see how far other ways of computing it are off.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight::lesson {

// The largest difference between O (n,d_v) and attention of Q (n,d_k), K (m,d_k) and V (m,d_v) in long
// double.
inline double difference_from_exact(const Tensor& Q, const Tensor& K, const Tensor& V, const Tensor& O) {
  const Array &q = Q.array(), &k = K.array(), &v = V.array(), &o = O.array();
  long double largest = 0;
  for (std::size_t i = 0; i < Q.length(0); ++i) {
    std::vector<long double> powers(K.length(0), 0);
    long double top = -INFINITY, all = 0;
    for (std::size_t j = 0; j < powers.size(); ++j) {
      for (std::size_t c = 0; c < Q.length(1); ++c)
        powers[j] += static_cast<long double>(q(i, c)) * static_cast<long double>(k(j, c));
      powers[j] /= std::sqrt(static_cast<long double>(Q.length(1)));
      top = std::max(top, powers[j]);
    }
    for (long double& power : powers) all += power = std::exp(power - top);
    for (std::size_t c = 0; c < V.length(1); ++c) {
      long double mean = 0;
      for (std::size_t j = 0; j < powers.size(); ++j)
        mean += powers[j] * static_cast<long double>(v(j, c)) / all;
      largest = std::max(largest, std::abs(mean - static_cast<long double>(o(i, c))));
    }
  }
  return static_cast<double>(largest);
}

}  // namespace headlight::lesson
