// Studies of a run's heads: what breaks without them, along which paths they act, what their weights say, and
// how they make one number, and how the loss pulls at them. The commands ablate, patch, circuits, attribute
// and sensitivity print them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headlight/interpret/patching.h"
#include "headlight/run/run.h"
#include "headlight/studies/study.h"

namespace headlight::studies {

// The sequences that ablation and patching measure on: of the kind used in training, drawn from the run's
// seed by streams of their own. (A task of finitely many sequences draws those that it was trained on.)
tasks::Batch study_batch(const run::Run& run, std::size_t sequences = 32);

// The same sequences with every token exchanged for another: what paths and edges carry instead.
tasks::Batch renamed_batch(const run::Run& run, const tasks::Batch& batch);

// A second draw, of a stream of its own.
tasks::Batch second_batch(const run::Run& run, std::size_t sequences);

// What replaces the heads' outputs, from the second draw like it: of so many sequences, or the mean over
// 1,024 at least, or over as many as have 65,536 tokens. (The mean over few would still hold a part of what
// each of them says.)
interpret::ActivationCache study_outputs(const run::Run& run, interpret::Ablation ablation,
                                         std::size_t sequences = 32);

// ---- Ablation

// "mean: the heads write their mean over the sequences, position by position"
std::string ablation_words(interpret::Ablation ablation);

struct AblationRequest {
  interpret::Ablation ablation = interpret::Ablation::mean;
  std::string heads = {};              // "1.0,1.3": this set beside as many other heads; empty: all heads
  bool pairs = false, greedy = false;  // these tables; without both, each head alone and the greedy set
  std::size_t sequences = 32;          // in each of the two draws
};

// The greedy set ends where accuracy is at most this part of the intact one.
inline constexpr double kAtChanceOfIntact = 0.25;

// At most so many sets of other heads are measured beside --heads: all of them, or so many at random.
inline constexpr std::size_t kMostControls = 24;

// Tables "sets" (with heads named), or "singles", "pairs", "greedy". Losses in nats, on predictable tokens,
// or on all tokens if the task has no predictable ones; then accuracy is absent and there is no greedy set.
// Throws Error for heads that the model lacks.
Study ablation_study(const run::Run& run, const AblationRequest& request, ThreadPool& pool);

struct SubsetRequest {
  interpret::Ablation ablation = interpret::Ablation::mean;
  double share = 0.9;           // of what all heads add: a set that keeps it is enough
  std::size_t sequences = 256;  // in each of the two draws
};

// Tables "heads" (Shapley values), "sufficient" and "destroying" (interpret::sufficient_sets); the latter two
// are left out where all heads add less than 0.05 to the accuracy (or take less from the loss). Throws Error
// for a share outside 0 … 1, and as interpret::all_subsets does.
Study subset_study(const run::Run& run, const SubsetRequest& request, ThreadPool& pool);

// ---- Patching

struct PathRequest {
  std::optional<interpret::HeadInput> to = {};  // absent: all three inputs
  interpret::Through through = interpret::Through::residual_stream;
  std::size_t sequences = 32;
};

// Table "paths": the rise of the loss on predictable tokens when a sender writes to a receiver what it writes
// on renamed sequences, of each path that exists (interpret::path_matrix). Throws Error as PathPatching does.
Study path_study(const run::Run& run, const PathRequest& request, ThreadPool& pool);

enum class Restored { streams, heads };

// Table "restored": the part of the clean logit difference that an activation restores when it is put into
// the run on renamed sequences (interpret::PatchMatrix). Throws Error as patch_streams does.
Study restoration_study(const run::Run& run, Restored what, ThreadPool& pool, std::size_t sequences = 32);

// ---- Circuits

// Tables "heads" and "compositions", from the weights alone. Throws Error as circuits_of does.
Study circuit_study(const run::Run& run);

enum class FullCircuit { ov, qk };

// Table "circuit": W_E·OV·W_U or W_E·QK·W_Eᵀ of one head, (V,V), token by token. `distance`: how far the key
// is behind the query, for positions that rotate. Throws Error for a distance of the OV circuit, of other
// positions, and as full_ov and full_qk do.
Study full_circuit_study(const run::Run& run, const interpret::HeadAt& head, FullCircuit circuit,
                         std::optional<int> distance = {});

// ---- Attribution

// The sequence and the place.
struct AttributionRequest {
  std::string tokens = {}, source = {};  // as of `plot`; empty: the run's first example
  std::size_t position = 0;
  std::string token = {};   // whose logit; empty: the target, or the predicted one where there is no target
  std::string minus = {};   // the logit less that of this token
  bool minus_mean = false;  // the logit less the mean over the vocabulary
};

// Tables "paths" (by sequences of heads) and "parts" (these and what the first head reads), largest first.
// Throws Error for a text that is not one token, and as logit_attribution does.
Study logit_study(const run::Run& run, const AttributionRequest& request);

// Table "terms": the score of the head for the query at `position` and a key (absent: where it looks most),
// as sources of the query × sources of the key, largest first. Throws Error as score_attribution does.
Study score_study(const run::Run& run, const AttributionRequest& request, const interpret::HeadAt& head,
                  std::optional<std::size_t> key = {});

// ---- The logit lens

struct LensRequest {
  std::string tokens = {}, source = {};  // as of `plot`; empty: the run's first example
  std::size_t sequences = 32;
};

// Table "layers": loss and accuracy of what would be predicted after each layer (interpret::logit_lens).
// Table "sequence": the guess and its probability after each layer, along one sequence.
Study lens_study(const run::Run& run, const LensRequest& request);

// ---- Gradients

struct SensitivityRequest {
  interpret::Ablation replacement = interpret::Ablation::mean;  // z' of attribution patching
  bool curvature = false;      // also the extreme eigenvalues of each head's Hessian, which takes seconds
  std::size_t sequences = 32;  // in each of the two draws
};

// Table "heads": ‖dL/dz‖, ‖dL/dP‖, and what replacing the head's output costs, to first order and truly
// (interpret::compare_with_true); with curvature the extreme eigenvalues. Of a run with snapshots
// along training, also "starts" (the first step kept with each head's gradient above half of its largest) and
// "norms" (at each snapshot). L is over predictable targets, or over all if there are none.
Study sensitivity_study(const run::Run& run, const SensitivityRequest& request, ThreadPool& pool);

// A model of more edges is refused: each costs a forward pass.
inline constexpr std::size_t kMostEdges = 1000;

struct EdgeRequest {
  bool resample = false;  // a replaced edge carries what is written on other sequences, not on renamed ones
  std::size_t sequences = 32;
};

// Table "edges": the rise of the loss without each edge (interpret::EdgeGraph), estimated by the gradient and
// by integrated gradients, and measured as `patch` does. Table "pruning": the accuracy and loss with the
// first edges alone, in the order of the integrated gradient and in that of the measured rise. Throws Error
// as edge_graph() does, and for more than kMostEdges.
Study edge_study(const run::Run& run, const EdgeRequest& request, ThreadPool& pool);

}  // namespace headlight::studies
