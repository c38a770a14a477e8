#include "resumable.h"

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/experiment/examples.h"
#include "headlight/experiment/patterns.h"
#include "headlight/experiment/run_folder.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {
namespace {

using interpret::HeadScores;

std::size_t count_scores(const std::vector<HeadScores>& heads) {
  std::size_t count = 0;
  for (const HeadScores& head : heads)
    count += static_cast<std::size_t>(std::count_if(head.values.begin(), head.values.end(),
                                                    [](const auto& value) { return value.has_value(); }));
  return count;
}

// What the run measures next is added to these metrics. The snapshots are chosen by all scores together.
void check_metrics(const Experiment& run, const std::string& file) {
  if (run.metrics().empty()) return;
  const Metrics& last = run.metrics().back();
  check(last.step <= run.steps_done(), "'{}' has metrics of step {}, but the run was saved at step {}.", file,
        last.step, run.steps_done());
  const std::vector<HeadScores> heads = run.head_scores();
  const bool same_heads = std::equal(heads.begin(), heads.end(), last.heads.begin(), last.heads.end(),
                                     [](const auto& a, const auto& b) { return a.at() == b.at(); });
  const bool same_scores = run.config().train.history == 0 || count_scores(heads) == count_scores(last.heads);
  check(same_heads && same_scores, "'{}' has other scores of heads than this run measures.", file);
}

// A page that cannot be drawn would only be noticed at the end of the training.
void check_snapshots(const Experiment& run, const std::filesystem::path& folder) {
  const std::vector<train::Moment> moments = run.moments();
  if (moments.empty()) return;
  const std::unique_ptr<nn::Transformer> model = make_model(run.config(), run.task());
  const Example example = first_example(run.task(), run.config().train.seed);
  for (const train::Moment& moment : moments) {
    const bool now = moment.step == run.steps_done();
    const std::string file = (folder / (now ? files::kModel : files::kHistory)).string();
    train::set_weights(*model, moment.weights, file);
    check_patterns(patterns_of(*model, example), file, moment.step);
  }
}

}  // namespace

void check_resumable(const Experiment& run, const std::filesystem::path& folder) {
  check_metrics(run, (folder / files::kMetrics).string());
  check_snapshots(run, folder);
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
