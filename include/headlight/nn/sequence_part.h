// One part of a sequence that several threads or processes read together, each some of its positions.
#pragma once

#include <cstddef>
#include <vector>

#include "headlight/ops/attention.h"

namespace headlight::nn {

// Where the parts of one sequence meet. Every part makes the same calls in the same order, on a thread of its
// own, and a call returns when all parts have made it.
class PartExchange {
 public:
  virtual ~PartExchange() = default;

  // Rows of this part, (1,n/P,w) in each tensor → those of all P parts in the order of positions, (1,n,w).
  // All parts get the same leaves, which require a gradient.
  virtual std::vector<Tensor> gather(std::size_t part, const std::vector<Tensor>& rows) = 0;

  // The other way: (1,n,w) of every part → Σ over the parts, of which each part gets its rows (1,n/P,w). The
  // order of additions depends on the number of parts only.
  virtual std::vector<Tensor> sum(std::size_t part, std::vector<Tensor> of_all) = 0;
};

// Part `number` of `parts`, each a block of n/parts neighbouring positions. Under a causal mask the last
// block costs about twice the mean. So part 2i is block i, and part 2i+1 the i-th block from the end: the two
// together cost as much as any other such pair.
struct SequencePart {
  std::size_t number = 0, parts = 1;
  PartExchange* exchange = nullptr;

  std::size_t block() const { return number % 2 == 0 ? number / 2 : parts - 1 - number / 2; }
};

// Attention of a part's queries to the keys and values of all parts: q, k, v (1,n/P,…) hold the part's own
// rows, and options.first_query is their first position. Differentiable once.
Tensor attention_over_parts(const Tensor& q, const Tensor& k, const Tensor& v, AttentionOptions options,
                            const SequencePart& part);

// smear(k, alpha) for the keys of a part (1,n/P,H·d): the first takes its share of the last key of the block
// before. Differentiable once.
Tensor smear_over_parts(const Tensor& k, const Tensor& alpha, const SequencePart& part);

}  // namespace headlight::nn
