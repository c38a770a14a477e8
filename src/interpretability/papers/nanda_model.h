// The model of Nanda et al. 2023, and what is measured of it.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "headlight/autograd/tensor.h"
#include "headlight/core/array.h"
#include "headlight/core/rng.h"
#include "headlight/core/thread_pool.h"
#include "measures.h"

namespace headlight::papers::nanda {

constexpr std::size_t kPrime = 113, kPairs = kPrime * kPrime;

// A pair (a, b) is the number a·p + b.
using Pairs = std::vector<std::size_t>;

IntArray rows_of(const Pairs& pairs);  // (B,3): where the tokens of "a b =" stand in Model::tokens()
IntArray sums_of(const Pairs& pairs);  // (B): a + b modulo p

constexpr std::size_t kTrained = kPairs * 3 / 10;  // 3,830 pairs
struct Split {
  Pairs trained, held_out;
};
Split split();

// One layer without norms. It is read at "=" only, so there is one query, and a number has one key and one
// value at each place.
struct Model {
  Tensor E, P, Q, K, V, O, W_in, b_in, W_out, b_out, U;

  explicit Model(Rng& rng);

  Tensor tokens() const;                          // (2p+1,d): all numbers first, all second, and "=" third
  Tensor operator()(const IntArray& rows) const;  // (B,3) to logits (B,p+1)

  void visit(auto&& v) const {
    v("E", E), v("P", P), v("Q", Q), v("K", K), v("V", V), v("O", O), v("U", U);
    v("W_in", W_in), v("b_in", b_in), v("W_out", W_out), v("b_out", b_out);
  }
};

// Pairs to measure a model on.
class Measurement {
 public:
  explicit Measurement(const Pairs& pairs);
  Score of(const Model& model, ThreadPool& pool) const;

 private:
  double count_;
  std::vector<IntArray> rows_, sums_;  // in parts that threads share
};

// The shares of the frequencies 1 … (p-1)/2 in Σ |DFT of E|², the largest first. The transform is over the
// numbers, and the sum leaves out their mean.
std::vector<double> shares_of_frequencies(const Model& model);

}  // namespace headlight::papers::nanda
