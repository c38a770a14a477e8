#include "run_formation.h"

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/interpret/ablation.h"
#include "headlight/interpret/circuits.h"
#include "headlight/run/run_files.h"
#include "page/page_cost.h"

namespace headlight::page {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kFormationSequences = 16;
constexpr std::size_t kFewestPeriods = 8;

// The mean over heads; absent where it is defined for none.
std::optional<double> copying_of(const nn::Transformer& model, const interpret::HeadSet& heads) {
  double sum = 0;
  std::size_t count = 0;
  for (const interpret::HeadAt& head : heads)
    if (const auto score =
            interpret::eigenvalue_score(interpret::eigenvalues(interpret::full_ov(model, head)))) {
      sum += *score;
      ++count;
    }
  return count == 0 ? std::nullopt : std::optional<double>(sum / static_cast<double>(count));
}

}  // namespace

ordered_json formation_json(const interpret::Certificate& certificate, const run::Run& run,
                            nn::Transformer& model, std::vector<train::Snapshot> snapshots,
                            ThreadPool& pool) {
  ordered_json formation = ordered_json::array();
  for (const interpret::Formation& at : certificate.formation)
    formation.push_back(
        {{"step", at.step}, {"matching", at.matching}, {"previous", at.previous}, {"accuracy", at.accuracy}});
  if (certificate.induction_heads.empty() || formation.empty()) return formation;
  const Rng rng(run.config.train.seed);
  const auto draw = [&](const char* name) {
    return tasks::draw_batch(run.task, run.task.training, kFormationSequences, rng.stream(name));
  };
  const tasks::Batch others = draw("page, formation means"), batch = draw("page, formation");
  const double cost = operations_of(model, batch.tokens.shape()[1]) * 4 * kFormationSequences;
  if (cost * static_cast<double>(snapshots.size()) > kPageOperations) return formation;
  const interpret::HeadSet rest =
      interpret::without(interpret::all_heads(model.config()), certificate.circuit());
  const NoGrad no_grad;
  for (train::Snapshot& snapshot : snapshots) {
    train::set_weights(model, std::move(snapshot.weights), run::files::kHistory);
    const auto at = std::find_if(formation.begin(), formation.end(),
                                 [&](const ordered_json& known) { return known["step"] == snapshot.step; });
    if (at == formation.end()) continue;
    const interpret::ActivationCache outputs = interpret::mean_outputs(model, others);
    const interpret::AblationStudy study(model, batch, outputs, pool);
    const auto add = [&](const char* key, const std::optional<double>& number) {
      if (number) (*at)[key] = *number;
    };
    add("without", study.of(certificate.induction_heads).after.accuracy_predictable);
    add("alone", study.of(rest).after.accuracy_predictable);
    add("copying", copying_of(model, certificate.induction_heads));
  }
  return formation;
}

std::vector<studies::PeriodAccuracy> page_periods(const run::Run& run, ThreadPool& pool) {
  if (!run.task.with_segment) return {};
  const double cost = operations_of(*run.model, run.task.config.n_ctx) * studies::kSequencesPerPeriod;
  const auto most = static_cast<std::size_t>(kPageOperations / cost);
  try {
    if (most < std::min(kFewestPeriods, studies::measured_periods(run.task).size())) return {};
    return studies::accuracy_by_period(run, pool, most);
  } catch (const Error&) {  // of a context too short for segments
    return {};
  }
}

}  // namespace headlight::page
