#include "certificate_claims.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <tuple>

#include "circuit_search.h"
#include "claim_words.h"

namespace headlight::interpret {
namespace {

constexpr double kMatched = 0.3;    // weight on followers
constexpr double kPreferred = 0.9;  // cases in which the token looked at gains

// The part of the intact accuracy that may be left without any head.
constexpr double kWithoutHeads = 0.5;

// The weight without repeats may be at most a third of that with them.
constexpr double kControlPart = 1.0 / 3;

void judge(Claim& claim) { claim.standing = standing_of(claim); }

Claim claim_of(const char* key, const char* name) {
  Claim claim;
  claim.key = key;
  claim.name = name;
  return claim;
}

Claim not_asked(const char* key, const char* name, std::string why) {
  Claim claim = claim_of(key, name);
  claim.says = std::move(why);
  return claim;
}

// The last `count` of these heads, the last first; all of them if they are fewer.
HeadSet last_heads(const HeadSet& heads, std::size_t count) {
  HeadSet some(heads.rbegin(), heads.rend());
  if (some.size() > count) some.resize(count);
  return some;
}

// The measurements of the test draw.
class Examiner {
 public:
  Examiner(Certificate& certificate, const CertificateMeasurements& measured)
      : c_(certificate), measured_(measured) {
    others_ = without(measured.heads(), c_.circuit());
    core_ = without(c_.circuit(), c_.helpers);
    solved_ = measured.accuracy() >= kSolves;
  }

  void examine() {
    c_.accuracy = measured_.accuracy();
    distances();
    matching();
    copying();
    composition();
    necessity();
    sufficiency();
  }

 private:
  void add(Claim claim) {
    if (claim.number) judge(claim);
    c_.claims.push_back(std::move(claim));
  }
  bool holds(const char* key) const { return c_.claim(key).standing == Standing::holds; }

  // From answers back to the nearest copies that they follow: the shortest and the longest.
  static std::optional<std::pair<std::size_t, std::size_t>> distances_of(const RepeatedSequences& repeats) {
    std::vector<Follower> answering;
    std::copy_if(repeats.followers.begin(), repeats.followers.end(), std::back_inserter(answering),
                 [](const Follower& f) { return f.answers; });
    std::optional<std::pair<std::size_t, std::size_t>> distances;
    for (const Follower& f : nearest_followers(answering)) {
      const std::size_t distance = f.query + 1 - f.key;
      if (!distances) distances.emplace(distance, distance);
      distances->first = std::min(distances->first, distance);
      distances->second = std::max(distances->second, distance);
    }
    return distances;
  }

  void distances() {
    if (!measured_.asks_the_task() || !measured_.answers_follow()) return;
    c_.distances = distances_of(measured_.own());
    c_.accuracy_at_random = measured_.accuracy_at_random();
    c_.random_distances = distances_of(measured_.random());
  }

  // On random repeats; on the task's own sequences if these are so different that only there the heads look.
  void matching() {
    const Looks random = measured_.looks_at_random(c_.induction_heads),
                own = measured_.looks_at_own(c_.induction_heads);
    const bool by_random = matched(look_of(random)) || !matched(look_of(own));
    const Looks &looks = by_random ? random : own, &elsewhere = by_random ? own : random;
    const Look look = judged_look(looks, by_random);
    c_.several_tokens = look.over == Over::after_one;
    Claim claim = matching_by(look);
    std::tie(claim.says, claim.more) =
        matching_words(c_.induction_heads, best_look(looks), look, looks, elsewhere, by_random);
    add(std::move(claim));
    if (!holds(kMatching)) return;
    for (std::size_t i = 0; i < c_.induction_heads.size(); ++i)
      if (looks.weight(i) < kMatched) c_.weak.push_back(c_.induction_heads[i]);
  }

  std::size_t best_look(const Looks& looks) const {
    std::size_t best = 0;
    for (std::size_t i = 0; i < c_.induction_heads.size(); ++i)
      if (looks.lift(i) > looks.lift(best)) best = i;
    return best;
  }

  Look look_of(const Looks& looks) const {
    const std::size_t best = best_look(looks);
    return {looks.weight(best), looks.control[best]};
  }

  // What the head that looks best is judged by: its weight over all queries, or over those of a kind where it
  // looks less.
  Look judged_look(const Looks& looks, bool random) const {
    const std::size_t best = best_look(looks);
    const HeadAt& head = c_.induction_heads[best];
    Look look{looks.followers[best], looks.control[best]};
    if (looks.lower_beside(best))
      if (const Look beside = measured_.look_over(Over::beside, head, random); beside.weight < look.weight)
        look = beside;
    if (matched(look) && looks.several(best))
      if (const Look one = measured_.look_over(Over::after_one, head, random); one.weight < look.weight / 3)
        look = one;
    return look;
  }

  static Claim matching_by(const Look& look) {
    Claim claim = claim_of(kMatching, "looks at what followed the same token before");
    claim.number = look.weight;
    claim.control = look.control;
    claim.threshold = kMatched;
    claim.control_limit = *claim.number * kControlPart;
    return claim;
  }

  static bool matched(const Look& look) { return standing_of(matching_by(look)) == Standing::holds; }

  void copying() {
    const Preference preference = measured_.preference_of(c_.induction_heads);
    c_.interchange = preference.answered;
    Claim claim = claim_of(kCopying, "raises the logit of the token it looks at");
    claim.number = preference.seen;
    claim.threshold = kPreferred;
    claim.control = preference.unseen;
    claim.control_limit = kByChance;
    std::tie(claim.says, claim.more) = copying_words(c_.induction_heads, preference);
    add(std::move(claim));
  }

  void composition() {
    const char* name =
        c_.by_smear ? "finds it by the share of the key before" : "finds it by what earlier heads wrote";
    if (!holds(kMatching))
      return add(not_asked(kComposition, name, "The matching is too small to be traced back."));
    if (!measured_.matches_repeats(c_.induction_heads))
      return add(
          not_asked(kComposition, name,
                    "The heads look at the same places without repeats, so no part of the matching can "
                    "be lost."));
    Claim claim = claim_of(kComposition, name);
    claim.threshold = kCarried;
    claim.control_limit = kOthersCarry;
    if (c_.by_smear) {
      claim.number = c_.by_keys = measured_.lost_without_smear(c_.induction_heads);
      claim.says = fmt::format("Each key holds a share of the key before it: without this {}.",
                               lost_of_matching(*claim.number));
      return add(std::move(claim));
    }
    const HeadSet earlier = earlier_heads(measured_.heads(), c_.induction_heads);
    if (earlier.empty()) {
      claim.number = 0;
      claim.says = "No earlier head could tell where the followers are.";
      return add(std::move(claim));
    }
    const PathLosses paths =
        lost_by_paths(c_.previous_token_heads.empty() ? earlier : c_.previous_token_heads, earlier);
    claim.number = paths.lost;
    claim.control = paths.control;
    std::tie(claim.says, claim.more) = composition_words(c_, paths);
    add(std::move(claim));
  }

  PathLosses lost_by_paths(const HeadSet& senders, const HeadSet& earlier) {
    const Written instead =
        c_.through == HeadInputs{HeadInput::keys} ? Written::on_renamed : Written::on_unrelated;
    const auto lost = [&](const HeadSet& heads, const HeadInputs& inputs) {
      return measured_.lost(heads, c_.induction_heads, inputs, instead);
    };
    c_.by_keys = lost(senders, {HeadInput::keys});
    c_.by_queries = lost(senders, {HeadInput::queries});
    c_.by_removal = measured_.lost(senders, c_.induction_heads, c_.through, Written::mean);
    PathLosses paths{senders, without(earlier, senders), lost(senders, c_.through)};
    if (!paths.rest.empty()) paths.control = lost(paths.rest, c_.through);
    for (const HeadAt& head : senders)
      if (senders.size() > 1) paths.each.push_back(lost({head}, c_.through));
    return paths;
  }

  void necessity() {
    const char* name = "without these heads most accuracy is gone";
    if (!solved_) return add(not_asked(kNecessity, name, unsolved_words(c_)));
    Claim claim = claim_of(kNecessity, name);
    claim.number_at_most = true;
    claim.control_at_most = false;
    claim.number = measured_.accuracy_without(c_.induction_heads);
    const double chance = measured_.accuracy_with_only({});
    claim.threshold = chance + kAtChance * (measured_.accuracy() - chance);
    const HeadSet others = last_heads(others_, c_.induction_heads.size());
    if (!others.empty()) {
      claim.control = measured_.accuracy_without(others);
      claim.control_limit = chance + 2 * kAtChance * (measured_.accuracy() - chance);
    }
    if (!c_.previous_token_heads.empty())
      c_.accuracy_without_previous_token_heads = measured_.accuracy_without(c_.previous_token_heads);
    std::tie(claim.says, claim.more) = necessity_words(c_, others, claim);
    add(std::move(claim));
  }

  void sufficiency() {
    const char* name = c_.helpers.empty() ? "these heads alone keep the accuracy"
                                          : "these heads and helpers keep the accuracy";
    if (!solved_) return add(not_asked(kSufficiency, name, unsolved_words(c_)));
    Claim claim = claim_of(kSufficiency, name);
    claim.number = measured_.accuracy_with_only(c_.circuit());
    claim.control = measured_.accuracy_with_only({});
    claim.threshold = *claim.control + kKept * (measured_.accuracy() - *claim.control);
    claim.control_limit = kWithoutHeads * measured_.accuracy();
    c_.whole = others_.empty();
    if (*claim.number >= claim.threshold)
      stand_ins(std::min(*claim.number, enough_accuracy(*claim.control, measured_.accuracy())));
    std::tie(claim.says, claim.more) = sufficiency_words(
        c_, core_, others_, claim, c_.helpers.empty() ? 0 : measured_.accuracy_with_only(core_));
    add(std::move(claim));
  }

  void stand_ins(double enough) {
    for (const HeadAt& other : others_) {
      StandIn found{other, {}, 1};
      for (const HeadAt& helper : c_.helpers) {
        HeadSet heads = without(c_.circuit(), {helper});
        heads.push_back(other);
        const double accuracy = measured_.accuracy_with_only(heads);
        if (accuracy < enough) continue;
        found.replaces.push_back(helper);
        found.accuracy = std::min(found.accuracy, accuracy);
      }
      if (!found.replaces.empty()) c_.stand_ins.push_back(std::move(found));
    }
  }

  Certificate& c_;
  const CertificateMeasurements& measured_;
  HeadSet others_, core_;  // outside the circuit; its induction heads and previous-token heads
  bool solved_ = false;
};

}  // namespace

void examine(Certificate& certificate, const CertificateMeasurements& measured) {
  Examiner(certificate, measured).examine();
}

}  // namespace headlight::interpret
