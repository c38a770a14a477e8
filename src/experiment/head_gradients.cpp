#include "headlight/experiment/head_gradients.h"

#include "headlight/core/check.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {
namespace {

interpret::HeadOutputs replaced_outputs(const interpret::HeadOutputs& z, Replacement replacement,
                                        const SavedRun& run) {
  if (replacement == Replacement::zero) return interpret::zero_outputs(z);
  if (replacement == Replacement::mean) return interpret::mean_outputs(z);
  Rng rng = Rng(run.config.train.seed).stream("resampled heads");
  return interpret::resampled_outputs(z, interpret::other_rows(z.at(0).shape()[0], rng));
}

}  // namespace

tasks::Batch gradient_batch(const SavedRun& run, std::size_t count) {
  return tasks::draw_batch(run.task, run.task.training, count,
                           Rng(run.config.train.seed).stream("evaluation"));
}

NormsOfRun gradient_norms_of_run(const std::filesystem::path& folder, const GradientSequences& with) {
  const SavedRun run = load_run(folder);
  const tasks::Batch batch = gradient_batch(run, with.count);
  const interpret::LossOver over = interpret::natural_loss(batch);
  ThreadPool pool(with.threads);
  return {over, with.count,
          interpret::head_gradient_norms(*run.model, load_history(folder), batch, pool, over)};
}

const Registry<Replacement>& replacements() {
  static const Registry<Replacement> all(
      "replacement", {{"zero", "zeros", Replacement::zero},
                      {"mean", "the mean over sequences, at each position", Replacement::mean},
                      {"resample", "the head's output on another sequence", Replacement::resample}});
  return all;
}

PatchesOfRun patches_of_run(const std::filesystem::path& folder, const std::string& replacement,
                            bool positions, const GradientSequences& with) {
  const Replacement kind = replacements().find(replacement);
  const SavedRun run = load_run(folder);
  const tasks::Batch batch = gradient_batch(run, with.count);
  const interpret::LossOver over = interpret::natural_loss(batch);
  ThreadPool pool(with.threads);
  const interpret::HeadOutputs z = interpret::head_outputs(*run.model, batch, pool);
  return {over, with.count, replacement,
          interpret::compare_with_true(*run.model, batch, replaced_outputs(z, kind, run), pool,
                                       {.over = over, .positions = positions})};
}

std::vector<CurvatureOfHead> curvature_of_run(const std::filesystem::path& folder,
                                              const interpret::PowerOptions& options,
                                              const GradientSequences& with) {
  const SavedRun run = load_run(folder);
  const tasks::Batch batch = gradient_batch(run, with.count);
  interpret::PowerOptions power = options;
  power.over = interpret::natural_loss(batch);
  ThreadPool pool(with.threads);
  const auto extreme = [&](const interpret::HeadAt& head, interpret::Extreme which) {
    power.which = which;
    return interpret::extreme_eigenvalue(*run.model, batch, head, pool, power);
  };
  std::vector<CurvatureOfHead> all;
  for (const interpret::HeadAt& head : interpret::heads_of(run.model->config()))
    all.push_back(
        {head, extreme(head, interpret::Extreme::largest), extreme(head, interpret::Extreme::smallest)});
  return all;
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
