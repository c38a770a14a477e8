// Ablation: takes the output of heads away, and measures what breaks.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "headlight/core/registry.h"
#include "headlight/interpret/hooks.h"
#include "headlight/train/evaluate.h"

namespace headlight::interpret {

// What takes the place of a head's output z (B,n,d_value), and so of its part z W_O of the residual stream:
//   zero      0
//   mean      the mean of z over the sequences of a batch, position by position (Wang et al. 2022)
//   resample  the z of the same sequence of another batch (causal scrubbing, Chan et al. 2022)
// Zero takes away what all sequences have in common too; the mean leaves it, and only what differs is lost.
enum class Ablation { zero, mean, resample };

// "zero", "mean", "resample".
const Registry<Ablation>& ablations();

// "L1H0, L1H3"; "none" for an empty set.
std::string codes_of(const HeadSet& heads);

// "1.0,1.3" → heads 0 and 3 of layer 1; "C1.0" and "E1.0" are heads of cross-attention and of an encoder.
// Throws Error for other texts, for heads that the model lacks, and for one named twice.
HeadSet read_heads(const std::string& text, const nn::TransformerConfig& config);

// The heads of `all` that are not in `some`, in the order of `all`.
HeadSet without(const HeadSet& all, const HeadSet& some);

// The z of all heads, by the names of hook_z; each array has B and n, or 1 where all sequences or all
// positions have the same.
ActivationCache outputs_of(const nn::Transformer& model, const tasks::Batch& batch);    // (B,n,H,d_value)
ActivationCache mean_outputs(const nn::Transformer& model, const tasks::Batch& batch);  // (1,n,H,d_value)
ActivationCache no_outputs(const nn::Transformer& model);                               // (1,1,H,d_value)
ActivationCache outputs_for(Ablation ablation, const nn::Transformer& model, const tasks::Batch& batch);

// Hooks that replace the z of these heads by those of `outputs`, at the given positions (all, if empty).
// `outputs` must outlive the hooks. A forward pass with the hooks throws Error when their shapes do not fit:
// only what all sequences have, (1,n,H,d_value), may have more positions.
nn::Hooks replace_outputs(const nn::TransformerConfig& config, const HeadSet& heads,
                          const ActivationCache& outputs, const std::vector<std::size_t>& positions = {});

// Hooks that set the weights of these heads to 0 at the edges (query, key) of which `cut` is true. The other
// weights of the row stay as they are.
nn::Hooks cut_edges(const nn::TransformerConfig& config, const HeadSet& heads,
                    const std::function<bool(std::size_t query, std::size_t key)>& cut);

// A batch and a model's numbers on it without and with ablations.
struct Damage {
  HeadSet heads;
  train::Evaluation after;
  double loss_rise = 0;      // of the mean loss on predictable tokens, or on all if none is; nats
  double accuracy_drop = 0;  // of the accuracy on predictable tokens; 0 if there are none
};

// Ablates sets of heads on one batch, each set in a forward pass of its own, on the pool's threads.
// The batch, the model and the outputs must outlive it.
class AblationStudy {
 public:
  AblationStudy(const nn::Transformer& model, const tasks::Batch& batch, const ActivationCache& outputs,
                ThreadPool& pool);

  const train::Evaluation& intact() const { return intact_; }

  Damage of(const HeadSet& heads) const;
  std::vector<Damage> of_each(const std::vector<HeadSet>& sets) const;

  // Each head alone, in the order of all_heads().
  std::vector<Damage> singles() const;

  // Each pair of heads. Where the damage of a pair exceeds the sum of the two single ones, the heads stand in
  // for each other: a single ablation shows less than the pair does (backup; Wang et al. 2022, section 3.3).
  std::vector<Damage> pairs() const;

  // A set that grows by the head whose loss adds the most damage, until accuracy on predictable tokens is at
  // most `accuracy`, or no head is left: a Damage for each size.
  std::vector<Damage> greedy(double accuracy) const;

 private:
  Damage damage(const HeadSet& heads, const train::Evaluation& after) const;

  const nn::Transformer& model_;
  const tasks::Batch& batch_;
  const ActivationCache& outputs_;
  ThreadPool& pool_;
  train::Evaluation intact_;
};

}  // namespace headlight::interpret
