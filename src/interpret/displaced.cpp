#include "displaced.h"

#include <algorithm>

namespace headlight::interpret {
namespace {

// The best matcher's weight above its control.
constexpr double kDisplacedLift = 0.4;

// The place after the followers that some head looks at most, and the lifts of all heads there.
struct Place {
  std::size_t by = 0;
  std::vector<double> lifts;

  double best() const { return lifts.empty() ? 0 : *std::max_element(lifts.begin(), lifts.end()); }
};

Place most_looked_at(const Lab& lab) {
  Place most;
  for (std::size_t by = 1; by <= lab.own().repeated.tokens.shape()[1] / 4; ++by) {
    Place place{by, lab.lifts_after(by)};
    if (place.best() > most.best()) most = std::move(place);
  }
  return most;
}

// Heads are added until the accuracy is at chance when they write to the values what they write of other
// tokens.
HeadSet value_senders(const HeadSet& matchers, const Lab& lab, ThreadPool& pool) {
  HeadSet rest = earlier_heads(lab.heads(), matchers), senders;
  const auto left = [&](const HeadSet& heads) {
    return lab.accuracy_with_paths(heads, matchers, HeadInput::values);
  };
  while (!rest.empty() && (senders.empty() || left(senders) > kAtChance * lab.accuracy())) {
    senders.push_back(best_of(rest, pool, [&](const HeadAt& head) {
      HeadSet more = senders;
      more.push_back(head);
      return -left(more);
    }));
    rest = without(rest, senders);
  }
  return senders;
}

}  // namespace

std::optional<Displaced> find_displaced(const Lab& choice,
                                        const std::function<std::unique_ptr<Lab>(std::size_t by)>& test,
                                        ThreadPool& pool) {
  const Place place = most_looked_at(choice);
  if (place.best() < kDisplacedLift) return {};
  Displaced d;
  d.by = place.by;
  for (std::size_t i = 0; i < place.lifts.size(); ++i)
    if (place.lifts[i] >= kMatcherLift) d.matchers.push_back(choice.heads()[i]);
  const std::unique_ptr<Lab> made = test(d.by);
  const Lab& lab = *made;
  d.key_senders = senders_to(HeadInput::keys, Others::renamed, d.matchers, lab, pool);
  if (d.key_senders.empty()) return {};
  d.value_senders = value_senders(d.matchers, lab, pool);
  const Looks looks = lab.looks_at_own(d.matchers);
  std::size_t best = 0;
  for (std::size_t i = 0; i < d.matchers.size(); ++i)
    if (looks.lift(i) > looks.lift(best)) best = i;
  d.weight = looks.followers[best];
  d.control = looks.control[best];
  d.lost_by_keys = lab.lost(d.key_senders, d.matchers, HeadInput::keys, Others::renamed);
  d.accuracy_without_values = lab.accuracy_with_paths(d.value_senders, d.matchers, HeadInput::values);
  return d;
}

}  // namespace headlight::interpret
