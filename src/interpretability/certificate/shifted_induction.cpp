#include "shifted_induction.h"

#include <algorithm>

namespace headlight::interpret {
namespace {

// The best induction head's weight above its control.
constexpr double kShiftedLift = 0.4;

// The place after the followers that some head looks at most, and the lifts of all heads there.
struct Place {
  std::size_t by = 0;
  std::vector<double> lifts;

  double best() const { return lifts.empty() ? 0 : *std::max_element(lifts.begin(), lifts.end()); }
};

Place most_looked_at(const CertificateMeasurements& measured) {
  Place most;
  for (std::size_t by = 1; by <= measured.own().repeated.tokens.shape()[1] / 4; ++by) {
    Place place{by, measured.lifts_after(by)};
    if (place.best() > most.best()) most = std::move(place);
  }
  return most;
}

// Heads are added until the accuracy is at chance when they write to the values what they write of other
// tokens.
void add_value_heads(ShiftedInduction& found, const CertificateMeasurements& measured, ThreadPool& pool) {
  HeadSet rest = earlier_heads(measured.heads(), found.induction_heads);
  const auto left = [&](const HeadSet& heads) {
    return measured.accuracy_with_paths(heads, found.induction_heads, HeadInput::values);
  };
  while (!rest.empty() &&
         (found.value_heads.empty() || found.accuracy_without_values > kAtChance * measured.accuracy())) {
    found.value_heads.push_back(best_of(rest, pool, [&](const HeadAt& head) {
      HeadSet more = found.value_heads;
      more.push_back(head);
      return -left(more);
    }));
    found.accuracy_without_values = left(found.value_heads);
    rest = without(rest, found.value_heads);
  }
}

}  // namespace

std::optional<ShiftedInduction> find_shifted_induction(
    const CertificateMeasurements& choice,
    const std::function<std::unique_ptr<CertificateMeasurements>(std::size_t by)>& test, ThreadPool& pool) {
  const Place place = most_looked_at(choice);
  if (place.best() < kShiftedLift) return {};
  ShiftedInduction found;
  found.by = place.by;
  for (std::size_t i = 0; i < place.lifts.size(); ++i)
    if (place.lifts[i] >= kInductionLift) found.induction_heads.push_back(choice.heads()[i]);
  const std::unique_ptr<CertificateMeasurements> made = test(found.by);
  const CertificateMeasurements& measured = *made;
  found.key_heads = senders_to({HeadInput::keys}, Written::on_renamed, found.induction_heads, measured, pool);
  if (found.key_heads.empty()) return {};
  add_value_heads(found, measured, pool);
  const Looks looks = measured.looks_at_own(found.induction_heads);
  std::size_t best = 0;
  for (std::size_t i = 0; i < found.induction_heads.size(); ++i)
    if (looks.lift(i) > looks.lift(best)) best = i;
  found.weight = looks.followers[best];
  found.control = looks.control[best];
  found.lost_by_keys =
      measured.lost(found.key_heads, found.induction_heads, {HeadInput::keys}, Written::on_renamed);
  return found;
}

}  // namespace headlight::interpret
