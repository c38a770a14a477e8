// Gradients of the heads of a saved run, as tables and JSON.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "headlight/experiment/run_folder.h"
#include "headlight/interpret/attribution_patching.h"
#include "headlight/interpret/gradient_norms.h"
#include "headlight/interpret/head_gradients.h"
#include "headlight/interpret/head_hessian.h"
#include "headlight/report/table.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

// Which sequences the gradients are of. The loss is over predictable targets if the task has any, else over
// all: interpret::natural_loss().
struct GradientSequences {
  std::size_t count = 32;
  int threads = 0;  // 0: all cores. Changes no bit
};

// Sequences of the kind used in training that training did not see: the first of those that the run's results
// are measured on. Throws Error for a count of 0.
tasks::Batch gradient_batch(const SavedRun& run, std::size_t count);

// Gradient norms at each snapshot of a run.
struct NormsOfRun {
  interpret::LossOver over;
  std::size_t sequences = 0;
  std::vector<interpret::NormsAtStep> moments;
};

// Reads a run folder. Throws Error as load_run and load_history do.
NormsOfRun gradient_norms_of_run(const std::filesystem::path& folder, const GradientSequences& with = {});

// One row for each step and head: step, loss, layer, head, stack, and the norms of kNormKeys. All digits.
report::Table norms_table(const NormsOfRun& norms);

// One row for each head, those that start first at the front: head, when it starts ("never"), its largest
// norm, and when. With six digits, for people.
report::Table starts_table(const std::vector<interpret::LearningStart>& starts);

// {"loss_over", "sequences", "fraction", "moments": [{"step", "loss", "heads": [{"layer", "head", …norms}]}],
//  "starts": [{"layer", "head", "first_step" or null, "largest", "largest_step"}]}, the starts in the order
// of heads_of(); a head has a "stack" unless it is "self".
std::string norms_json(const NormsOfRun& norms, double fraction = 0.5);

// What replaces a head's output in attribution patching.
enum class Replacement { zero, mean, resample };

// "zero", "mean" (over sequences, at each position), "resample" (of another sequence, drawn from the seed).
const Registry<Replacement>& replacements();

struct PatchesOfRun {
  interpret::LossOver over;
  std::size_t sequences = 0;
  std::string replacement;
  interpret::PatchComparison both;
};

// First-order and true effects of replacing each head of the trained model. Throws Error as load_run does,
// for an unknown replacement, and for "resample" of one sequence.
PatchesOfRun patches_of_run(const std::filesystem::path& folder, const std::string& replacement = "mean",
                            bool positions = false, const GradientSequences& with = {});

// One row for each head: layer, head, stack, the estimated and the true effect in nats. With positions a row
// for each head and position more, whose "position" is not empty. All digits.
report::Table patches_table(const PatchesOfRun& patches);

// {"loss_over", "sequences", "replacement", "loss", "correlation", "position_correlation", "heads":
// [{"layer",
//  "head", "estimated", "true", "estimated_at": […], "true_at": […]}]}; a correlation is null where there is
// none, and "true_at" is missing without positions.
std::string patches_json(const PatchesOfRun& patches);

// A head's curvature in the trained model.
struct CurvatureOfHead {
  interpret::HeadAt head;
  interpret::HeadEigenvalue largest, smallest;
};

// Of every head, in the order of heads_of(): the largest and the smallest eigenvalue of its Hessian block.
// It takes up to 4·max_iterations double backward passes for each head. Throws Error as load_run does.
std::vector<CurvatureOfHead> curvature_of_run(const std::filesystem::path& folder,
                                              const interpret::PowerOptions& options = {},
                                              const GradientSequences& with = {});

// One row for each head: layer, head, stack, both eigenvalues, their residuals, and whether both converged.
// All digits.
report::Table curvature_table(const std::vector<CurvatureOfHead>& heads);

// {"heads": [{"layer", "head", "largest", "largest_residual", "smallest", "smallest_residual", "converged"}]}
std::string curvature_json(const std::vector<CurvatureOfHead>& heads);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
