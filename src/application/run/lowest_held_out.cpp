#include "lowest_held_out.h"

#include <algorithm>

namespace headlight::run {

std::vector<std::size_t> snapshots_to_measure(std::size_t snapshots) {
  constexpr std::size_t kMeasured = 10;
  const std::size_t every = std::max<std::size_t>(1, snapshots / kMeasured);
  std::vector<std::size_t> indices;
  for (std::size_t i = every; i < snapshots; i += every) indices.push_back(i);
  return indices;
}

std::optional<LowestHeldOut> lowest_before(const std::vector<LowestHeldOut>& along_training,
                                           const LowestHeldOut& at_the_end,
                                           const std::vector<Metrics>& metrics, double loss_now) {
  constexpr double kRisen = 0.02;  // nats
  LowestHeldOut lowest = at_the_end;
  for (const LowestHeldOut& measured : along_training)
    if (measured.loss < lowest.loss) lowest = measured;
  const auto then =
      std::find_if(metrics.begin(), metrics.end(), [&](const Metrics& m) { return m.step >= lowest.step; });
  const bool learns_on = then != metrics.end() && then->evaluation.loss > loss_now;
  return learns_on && at_the_end.loss - lowest.loss > kRisen ? std::optional(lowest) : std::nullopt;
}

}  // namespace headlight::run
