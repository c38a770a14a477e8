// Patching: activations of one run put into another, whole or along chosen paths only.
#pragma once

#include <string>
#include <vector>

#include "headlight/interpret/ablation.h"

namespace headlight::interpret {

// Hooks that replace the activation of this name by that of the cache, at the given positions (all, if
// empty). Both are (B,n,…). `from` must outlive the hooks. Throws Error for a name that is not in the cache.
// (Activation patching; Meng et al. 2022, Heimersheim and Nanda 2024.)
nn::Hooks patch_activation(const std::string& name, const ActivationCache& from,
                           const std::vector<std::size_t>& positions = {});

// What a path ends in: an input of a head, or the logits.
enum class HeadInput { queries, keys, values };

// "queries", "keys", "values".
const Registry<HeadInput>& head_inputs();

struct Receiver {
  HeadAt head;
  HeadInput input = HeadInput::keys;

  bool operator==(const Receiver&) const = default;
};

// "L1H0.k"
std::string receiver_code(const Receiver& receiver);

// What a path starts with: heads, and MLPs by their layer.
struct Senders {
  HeadSet heads;
  std::vector<std::size_t> mlps = {};
};

// What the other components do while the senders' change travels.
enum class Through {
  residual_stream,  // all hold their outputs: only the direct path carries the change (Wang et al. 2022)
  mlps,             // heads hold theirs; MLPs between sender and receiver are computed anew
};

// Path patching (Wang et al. 2022, section 3.1; Goldowsky-Dill et al. 2023). The senders write what they
// write in another run; the change reaches only the receivers' inputs, in the receivers' own positions, and
// from there everything follows. All other paths keep the numbers of the clean run.
//
//   PathPatching paths(model, clean, outputs_of(model, other));
//   const CachedRun run = paths.run({{{0, 3}}}, {{{1, 0}, HeadInput::keys}});
//
// A decoder or encoder of one stack. Heads of keys and values that several query heads share have one input.
// The path from a sender to a receiver of its own or an earlier layer does not exist and changes nothing.
// Besides heads' inputs, a path may end in the logits.
class PathPatching {
 public:
  // `clean` are the sequences; `other` has the replaced outputs, from outputs_of(), mean_outputs() or
  // no_outputs(), with those of MLPs ("blocks.0.hook_mlp_out") if MLPs shall send. Model, batch and outputs
  // must outlive it. Throws Error for an encoder–decoder.
  PathPatching(const nn::Transformer& model, const tasks::Batch& clean, const ActivationCache& other,
               Through through = Through::residual_stream);

  // Of the clean run: every z, every MLP's output, and every residual stream.
  const ActivationCache& clean() const { return clean_; }

  // The patched run with the activations for which `wanted` is true. `to_logits`: the change also reaches the
  // last residual stream directly.
  CachedRun run(const Senders& senders, const std::vector<Receiver>& receivers, bool to_logits = false,
                const WantedHooks& wanted = is_nothing) const;

  // The residual streams that receivers see: of each layer, by the name of hook_resid_pre, and of the last
  // block's output by the name of its last hook. Everything but the senders is held.
  ActivationCache streams(const Senders& senders) const;

  // The hooks that put streams into the receivers' inputs; `streams` must outlive them.
  nn::Hooks into(const std::vector<Receiver>& receivers, bool to_logits,
                 const ActivationCache& streams) const;

  static bool is_nothing(const std::string&) { return false; }

 private:
  nn::Hooks holding(const Senders& senders) const;
  std::string last_stream() const;

  const nn::Transformer& model_;
  const tasks::Batch& batch_;
  const ActivationCache& other_;
  Through through_;
  ActivationCache clean_;
};

// The effect of each path from one sender to one receiver: the rise of the loss on predictable tokens, nats.
struct PathMatrix {
  HeadSet senders;
  std::vector<Receiver> receivers;  // in the order of layers and heads, queries, keys and values of each
  std::vector<std::vector<double>> rises;  // [sender][receiver]; 0 where the path does not exist
  std::vector<double> to_logits;           // [sender]
};

// The effects of all paths from a head to an input of a later one, or to the logits.
PathMatrix path_matrix(const PathPatching& paths, const nn::Transformer& model, const tasks::Batch& clean,
                       ThreadPool& pool);

// Clean into corrupted: how much of the clean run's logit difference an activation restores when it is put
// into the run on `corrupted`, of each hook and position. The difference is that between the clean run's
// targets and the corrupted run's, averaged over the predictable positions of both; 1 restores all of it, 0
// nothing. Back, with the two batches exchanged: how much of the difference is lost. The batches must have
// one shape.
struct PatchMatrix {
  std::vector<std::string> hooks;             // "blocks.0.hook_resid_pre", or head codes "L0H1"
  std::vector<std::size_t> positions;         // empty: all positions at once
  std::vector<std::vector<double>> restored;  // [hook][position], or [hook][0]
};

// Of the residual stream before each layer, at each position.
PatchMatrix patch_streams(const nn::Transformer& model, const tasks::Batch& clean,
                          const tasks::Batch& corrupted, ThreadPool& pool);

// Of the output of each head, at all positions.
PatchMatrix patch_heads(const nn::Transformer& model, const tasks::Batch& clean,
                        const tasks::Batch& corrupted, ThreadPool& pool);

// The same sequences with every token exchanged for another: token v becomes f(v), a random one-to-one map
// without fixed points among the tokens that are not `special`. What repeats in the batch repeats at the same
// places in the result. Throws Error as tasks::check_batch() does.
tasks::Batch renamed(const tasks::Batch& batch, std::size_t d_vocab, const std::vector<std::int32_t>& special,
                     Rng rng);

}  // namespace headlight::interpret
