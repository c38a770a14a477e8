// All subsets of a model's heads: which are enough, which cannot be missed, and what each head is worth.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "headlight/interpret/ablation.h"

namespace headlight::interpret {

inline constexpr std::size_t kMostSubsetHeads = 14;  // 16,384 subsets

// A set of heads as bits: bit i stands for heads[i].
using HeadBits = std::uint32_t;

// What a model does with each subset of its heads: those of the subset write as they do, the others write
// `outputs` instead. Accuracy and loss (nats) are means over predictable tokens, or over all if none is.
struct Subsets {
  HeadSet heads;                       // all_heads()
  std::vector<double> loss, accuracy;  // (2ⁿ), by the bits of what is kept
  bool predictable = true;             // false: no token is, and only losses are compared

  std::size_t size() const { return loss.size(); }
  HeadBits all() const { return static_cast<HeadBits>(size() - 1); }
  HeadSet set(HeadBits bits) const;
  HeadBits bits(const HeadSet& set) const;  // throws Error for a head that is not in `heads`

  // What the heads add to a model without any: the accuracy, or minus the loss.
  double value(HeadBits kept) const { return predictable ? accuracy[kept] : -loss[kept]; }

  // The value that is enough: value(none) + share · (value(all) - value(none)).
  double enough(double share) const { return value(0) + share * (value(all()) - value(0)); }
};

// The model is computed once for each subset of its heads; where the last layer adds its heads to the stream
// and nothing else reads them (pre-norm), once for each subset of the earlier ones. The numbers do not depend
// on the pool's threads. Throws Error for more than kMostSubsetHeads heads, and for a loss that is not
// finite.
Subsets all_subsets(const nn::Transformer& model, const tasks::Batch& batch, const ActivationCache& outputs,
                    ThreadPool& pool);

// Of one share of the value, such as 0.9.
struct SufficientSets {
  std::vector<HeadBits> minimal;     // enough, and no part of them is; the smallest first
  std::vector<HeadBits> destroying;  // the rest has no set that is enough, and no part of them does so
  std::size_t sufficient = 0;        // how many of the 2ⁿ sets are enough
  HeadBits in_every = 0;             // the heads that all of `minimal` have
};
SufficientSets sufficient_sets(const Subsets& subsets, double share);

// The Shapley values (1953) of the heads: what a head adds to v, averaged over all orders in which heads can
// come,
//   φ_i = Σ_S |S|! (n - |S| - 1)! / n! · (v(S ∪ {i}) - v(S)),   S without i.
// They sum to v(all) - v(none). v (2ⁿ) is accuracy, or loss: then a head that helps has a negative value.
std::vector<double> shapley_values(const std::vector<double>& v);

}  // namespace headlight::interpret
