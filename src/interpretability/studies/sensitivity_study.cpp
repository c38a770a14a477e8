#include <fmt/core.h>

#include <algorithm>

#include "headlight/interpret/attribution_patching.h"
#include "headlight/interpret/gradient_norms.h"
#include "headlight/interpret/head_gradients.h"
#include "headlight/interpret/head_hessian.h"
#include "headlight/studies/head_studies.h"

namespace headlight::studies {
namespace {

using interpret::LearningStart;
using interpret::LossOver;
using interpret::NormsAtStep;

// A head learns from the first step at which its gradient passes this part of its own largest.
constexpr double kStart = 0.5;

// Below this correlation with the true rises the estimate is not to be gone by.
constexpr double kTrusted = 0.8;

struct Curvature {
  interpret::HeadEigenvalue largest, smallest;
};

Curvature curvature_of(const nn::Transformer& model, const tasks::Batch& batch, const interpret::HeadAt& head,
                       LossOver over, ThreadPool& pool) {
  interpret::PowerOptions options{.over = over, .which = interpret::Extreme::largest};
  Curvature both{interpret::extreme_eigenvalue(model, batch, head, pool, options), {}};
  options.which = interpret::Extreme::smallest;
  both.smallest = interpret::extreme_eigenvalue(model, batch, head, pool, options);
  return both;
}

StudyCell cell_of(const interpret::HeadEigenvalue& eigenvalue) {
  return eigenvalue.converged ? StudyCell(eigenvalue.value) : StudyCell();
}

std::string correlation_sentence(const interpret::PatchComparison& both) {
  if (!both.correlation)
    return "Estimated and true rises have no correlation: there is one head, or one of them does not vary.";
  const std::string trust = *both.correlation < kTrusted
                                ? " Replacing a whole head is no small change here: go by the true rise."
                                : "";
  return fmt::format(
      "Estimated: gradient times difference, for all heads from one backward pass. Its correlation with the "
      "true rise is {:.3f} over {} heads.{}",
      *both.correlation, both.actual.heads.size(), trust);
}

StudyTable heads_table(const nn::Transformer& model, const tasks::Batch& batch, LossOver over,
                       const interpret::ActivationCache& replacement, bool curvature, ThreadPool& pool) {
  StudyTable table{"heads",
                   "The loss and each head's output z and pattern:",
                   {{"head", "head"},
                    {"gradient_z", "|dL/dz|", 4},
                    {"gradient_pattern", "|dL/dpattern|", 4},
                    {"rise_estimated", "rise, estimated", 3, true},
                    {"rise_true", "rise, true", 3, true}}};
  if (curvature) {
    table.columns.push_back({"curvature_largest", "curvature, largest", 4, true});
    table.columns.push_back({"curvature_smallest", "smallest", 4, true});
  }
  const auto gradients = interpret::head_gradients(model, batch, pool, {.over = over, .patterns = true});
  const auto both = interpret::compare_with_true(model, batch, replacement, pool, {.over = over});
  bool all_converged = true;
  for (std::size_t h = 0; h < gradients.heads.size(); ++h) {
    const interpret::HeadGradient& head = gradients.heads[h];
    std::vector<StudyCell>& row = table.rows.emplace_back();
    row = {interpret::head_code(head.at), head.z_norm, *head.pattern_norm, both.estimated.heads[h].effect,
           both.actual.heads[h].effect};
    if (!curvature) continue;
    const Curvature c = curvature_of(model, batch, head.at, over, pool);
    row.insert(row.end(), {cell_of(c.largest), cell_of(c.smallest)});
    all_converged = all_converged && c.largest.converged && c.smallest.converged;
  }
  table.sentences.push_back(correlation_sentence(both));
  if (curvature)
    table.sentences.push_back(
        "Curvature: the largest and smallest eigenvalue of the Hessian in the head's own parameters.");
  if (!all_converged)
    table.sentences.push_back("A curvature is missing where the power iteration did not converge.");
  return table;
}

StudyTable starts_table(const std::vector<LearningStart>& starts) {
  StudyTable table{
      "starts",
      "Each head's first gradient above half of its largest, the earliest head first:",
      {{"head", "head"}, {"first_step", "at step"}, {"largest", "largest", 4}, {"largest_step", "at step"}}};
  for (const LearningStart& start : interpret::by_start(starts))
    table.rows.push_back({interpret::head_code(start.at),
                          start.first_step ? StudyCell(*start.first_step) : StudyCell(), start.largest,
                          start.largest_step});
  table.sentences = {"A step is only as exact as the snapshots that training kept."};
  return table;
}

draw::SignedMap norms_map(const std::vector<NormsAtStep>& snapshots) {
  draw::SignedMap map;
  map.title = "Norm of the gradient in each head's parameters, along training";
  map.row_name = "head";
  map.column_name = "step";
  map.unit = "norm";
  map.numbers = false;
  map.magnitudes = true;
  for (const NormsAtStep& snapshot : snapshots) map.columns.push_back(fmt::format("{}", snapshot.step));
  for (std::size_t h = 0; h < snapshots.front().heads.size(); ++h) {
    map.rows.push_back(interpret::head_code(snapshots.front().heads[h].at));
    map.values.emplace_back();
    for (const NormsAtStep& snapshot : snapshots)
      map.values.back().emplace_back(snapshot.heads[h].parameters);
  }
  return map;
}

StudyTable norms_table(const std::vector<NormsAtStep>& snapshots) {
  StudyTable table{"norms",
                   "Norm of the gradient in each head's parameters along training, the largest first:",
                   {{"step", "step"}, {"loss", "loss", 3, false, false}, {"head", "head"}}};
  for (const interpret::NormKey& key : interpret::kNormKeys) table.columns.push_back({key.key, key.key, 4});
  for (const NormsAtStep& snapshot : snapshots)
    for (const interpret::HeadNorms& head : snapshot.heads) {
      std::vector<StudyCell>& row = table.rows.emplace_back();
      row = {snapshot.step, snapshot.loss, interpret::head_code(head.at)};
      for (const interpret::NormKey& key : interpret::kNormKeys) row.emplace_back(head.*key.value);
    }
  table.largest_first = true;
  return table;
}

draw::Bars rise_bars(const StudyTable& heads) {
  draw::Bars bars{"Rise of the loss without each head's own output", "nats", {}, {}, 3};
  for (const auto& row : heads.rows) {
    bars.labels.push_back(std::get<std::string>(row[0]));
    bars.values.push_back(std::get<double>(row[4]));
  }
  return bars;
}

}  // namespace

Study sensitivity_study(const run::Run& run, const SensitivityRequest& request, ThreadPool& pool) {
  const nn::Transformer& model = *run.model;
  const tasks::Batch batch = study_batch(run, request.sequences);
  const LossOver over = interpret::natural_loss(batch);
  const auto replacement = study_outputs(run, request.replacement, request.sequences);
  const bool predictable = over == LossOver::predictable;
  Study study{"sensitivity"};
  study.facts = {{"sequences", static_cast<std::int64_t>(request.sequences)},
                 {"loss_over", std::string(predictable ? "predictable" : "targets")}};
  study.sentences = {
      fmt::format("Measured on {} sequences as in training, drawn anew, on {} tokens. Replacement by {}.",
                  request.sequences, predictable ? run.task.kinds.predictable : std::string("all"),
                  ablation_words(request.replacement))};
  study.tables = {heads_table(model, batch, over, replacement, request.curvature, pool)};
  study.picture = rise_bars(study.tables[0]);
  if (!run.snapshots.empty()) {
    const std::vector<train::Snapshot> snapshots = all_snapshots(run);
    const auto norms = interpret::head_gradient_norms(model, snapshots, batch, pool, over);
    study.tables.push_back(starts_table(interpret::learning_starts(norms, kStart)));
    study.tables.push_back(norms_table(norms));
    study.picture = norms_map(norms);
  }
  return study;
}

}  // namespace headlight::studies
