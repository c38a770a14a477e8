#include "certificate_claims.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <tuple>

#include "circuit_search.h"

namespace headlight::interpret {
namespace {

constexpr double kMatched = 0.3;    // weight on followers
constexpr double kPreferred = 0.9;  // cases in which the token looked at gains

constexpr double kByChance = 0.75;  // cases in which a token that is not looked at may gain: half, by chance

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

// "95", "−3".
std::string percent(double share) {
  const long rounded = std::lround(100 * share);
  return fmt::format("{}{}", rounded < 0 ? "−" : "", std::abs(rounded));
}

// Less than nothing can be lost where the patched heads match a little better.
std::string lost_words(double share) {
  return std::lround(100 * share) > 0 ? fmt::format("{} %", percent(share)) : "nothing";
}

// As many of these heads as there are in `like`, at most all, the last layers first.
HeadSet as_many(const HeadSet& heads, std::size_t count) {
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

  // On random repeats; on the task's own sequences if these are so different that only there the heads look.
  void matching() {
    const Looks random = measured_.looks_at_random(c_.induction_heads),
                own = measured_.looks_at_own(c_.induction_heads);
    Claim at_random = matching_on(random, own, true);
    Claim at_own = matching_on(own, random, false);
    judge(at_random);
    judge(at_own);
    const bool by_random = at_random.standing == Standing::holds || at_own.standing == Standing::fails;
    add(by_random ? at_random : at_own);
    if (!holds(kMatching)) return;
    for (std::size_t i = 0; i < c_.induction_heads.size(); ++i)
      if ((by_random ? random : own).followers[i] < kMatched) c_.weak.push_back(c_.induction_heads[i]);
  }

  bool look_at_followers() const {
    const Looks random = measured_.looks_at_random(c_.induction_heads),
                own = measured_.looks_at_own(c_.induction_heads);
    for (std::size_t i = 0; i < c_.induction_heads.size(); ++i)
      if (std::max(random.lift(i), own.lift(i)) >= kInductionLift) return true;
    return false;
  }

  // Of the induction head that looks best.
  Claim matching_on(const Looks& looks, const Looks& elsewhere, bool random) const {
    std::size_t best = 0;
    for (std::size_t i = 0; i < c_.induction_heads.size(); ++i)
      if (looks.lift(i) > looks.lift(best)) best = i;
    Claim claim = claim_of(kMatching, "looks at what followed the same token before");
    claim.number = looks.followers[best];
    claim.control = looks.control[best];
    claim.threshold = kMatched;
    claim.control_limit = *claim.number * kControlPart;
    std::tie(claim.says, claim.more) = matching_words(c_.induction_heads, best, looks, elsewhere, random);
    return claim;
  }

  void copying() {
    const Preference preference = measured_.preference_of(c_.induction_heads);
    Claim claim = claim_of(kCopying, "raises the logit of the token that it looks at");
    claim.number = preference.seen;
    claim.threshold = kPreferred;
    claim.control = preference.unseen;
    claim.control_limit = kByChance;
    claim.says = fmt::format(
        "Made to look at a token A instead of a token B, {} raise{} A against B in {:.0f} % of cases. The "
        "control counts the same for two tokens looked at neither time: {:.0f} %, where chance gives 50 %.",
        codes_of(c_.induction_heads), c_.induction_heads.size() == 1 ? "s" : "", 100 * preference.seen,
        100 * preference.unseen);
    claim.more =
        "The tokens are drawn at random. A is raised against B when its logit, less that of B, is higher.";
    add(std::move(claim));
  }

  void composition() {
    const char* name = "finds it by what earlier heads wrote";
    if (!holds(kMatching)) return add(not_asked(kComposition, name, "There is no matching to trace back."));
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
      claim.says = fmt::format(
          "Each key holds a share of the key before it: without this {:.0f} % of the matching is lost.",
          100 * *claim.number);
      return add(std::move(claim));
    }
    const HeadSet earlier = earlier_heads(measured_.heads(), c_.induction_heads);
    if (earlier.empty()) {
      claim.number = 0;
      claim.says = "No earlier head could tell where the followers are.";
      return add(std::move(claim));
    }
    by_paths(claim, c_.previous_token_heads.empty() ? earlier : c_.previous_token_heads, earlier);
    add(std::move(claim));
  }

  void by_paths(Claim& claim, const HeadSet& senders, const HeadSet& earlier) {
    const bool keys = c_.through == HeadInputs{HeadInput::keys};
    const Written instead = keys ? Written::on_renamed : Written::on_unrelated;
    const auto lost = [&](const HeadSet& heads, const HeadInputs& inputs) {
      return measured_.lost(heads, c_.induction_heads, inputs, instead);
    };
    c_.by_keys = lost(senders, {HeadInput::keys});
    c_.by_queries = lost(senders, {HeadInput::queries});
    c_.by_removal = measured_.lost(senders, c_.induction_heads, c_.through, Written::mean);
    claim.number = lost(senders, c_.through);
    const bool one = senders.size() == 1;
    claim.says = fmt::format(
        "A test exchanges what {} write{} into {} of {} for what {} write{} on {}: {} % of the matching is "
        "lost.",
        codes_of(senders), one ? "s" : "", words_of(c_.through), codes_of(c_.induction_heads),
        one ? "it" : "they", one ? "s" : "", keys ? "other tokens" : "sequences without repeats",
        percent(*claim.number));
    if (const HeadSet rest = without(earlier, senders); !rest.empty()) {
      claim.control = lost(rest, c_.through);
      claim.says += fmt::format(" The control does this with the other earlier heads, {}: it loses {}.",
                                codes_of(rest), lost_words(*claim.control));
    }
    if (!one) claim.more = each_alone(senders, lost);
    for (const auto& [input, share] :
         {std::pair{HeadInput::keys, c_.by_keys}, {HeadInput::queries, c_.by_queries}})
      if (c_.through != HeadInputs{input})
        claim.more += fmt::format("The test in {}{} loses {}. ", words_of({input}),
                                  c_.through.size() > 1 ? " alone" : " instead", lost_words(share));
    claim.more += fmt::format(
        "Removing what {} write{}, so that only its mean is left, loses {}: it does not mislead, as the "
        "exchange does.",
        one ? "it" : "they", one ? "s" : "", lost_words(c_.by_removal));
  }

  template <class Lost>
  std::string each_alone(const HeadSet& heads, const Lost& lost) const {
    std::string each;
    for (const HeadAt& head : heads)
      each += fmt::format("{}{} {} %", each.empty() ? "" : ", ", head_code(head),
                          percent(lost({head}, c_.through)));
    return fmt::format("For one head at a time the losses are {}. ", each);
  }

  void necessity() {
    const char* name = "without these heads most of the accuracy is gone";
    if (!solved_) return add(not_asked(kNecessity, name, unsolved()));
    Claim claim = claim_of(kNecessity, name);
    claim.number_at_most = true;
    claim.control_at_most = false;
    claim.number = measured_.accuracy_without(core_);
    const double chance = measured_.accuracy_with_only({});
    claim.threshold = chance + kAtChance * (measured_.accuracy() - chance);
    claim.says = fmt::format("Without {} the accuracy on {} tokens is {:.2f} instead of {:.2f}.",
                             codes_of(core_), c_.predictable, *claim.number, measured_.accuracy());
    if (const HeadSet others = as_many(others_, core_.size()); !others.empty()) {
      claim.control = measured_.accuracy_without(others);
      claim.control_limit = chance + 2 * kAtChance * (measured_.accuracy() - chance);
      claim.says +=
          fmt::format(" The control, without {} instead, leaves {:.2f}.", codes_of(others), *claim.control);
    }
    if (look_at_followers())
      c_.accuracy_without_induction_heads = measured_.accuracy_without(c_.induction_heads);
    if (!c_.previous_token_heads.empty())
      claim.more =
          fmt::format("Ablating just {} leaves {:.2f}; ablating just {} leaves {:.2f}.",
                      codes_of(c_.previous_token_heads), measured_.accuracy_without(c_.previous_token_heads),
                      codes_of(c_.induction_heads), measured_.accuracy_without(c_.induction_heads));
    add(std::move(claim));
  }

  void sufficiency() {
    const char* name = c_.helpers.empty() ? "these heads alone keep the accuracy"
                                          : "these heads and their helpers keep the accuracy";
    if (!solved_) return add(not_asked(kSufficiency, name, unsolved()));
    Claim claim = claim_of(kSufficiency, name);
    claim.number = measured_.accuracy_with_only(c_.circuit());
    claim.threshold = kKept * measured_.accuracy();
    claim.control = measured_.accuracy_with_only({});
    claim.control_limit = kAtChance * measured_.accuracy();
    claim.says = c_.helpers.empty()
                     ? fmt::format("With only {} the accuracy is {:.2f}.", codes_of(core_), *claim.number)
                     : fmt::format("With only {} and the helpers {} the accuracy is {:.2f}.", codes_of(core_),
                                   codes_of(c_.helpers), *claim.number);
    if (others_.empty()) claim.says += " These are all heads of the model, so none was ablated.";
    claim.says += fmt::format(" The control, with no head, has {:.2f}.", *claim.control);
    if (!c_.helpers.empty())
      claim.more = fmt::format("Without the helpers it is {:.2f}. ", measured_.accuracy_with_only(core_));
    if (!others_.empty() && others_.size() <= core_.size())
      claim.more += "Here the same heads are ablated as in the control of necessity.";
    add(std::move(claim));
  }

  std::string unsolved() const {
    return fmt::format("The model does not solve the task: its accuracy on {} tokens is {:.2f}.",
                       c_.predictable, measured_.accuracy());
  }

  Certificate& c_;
  const CertificateMeasurements& measured_;
  HeadSet others_, core_;  // outside the circuit; its induction heads and previous-token heads
  bool solved_ = false;
};

}  // namespace

std::pair<std::string, std::string> matching_words(const HeadSet& heads, std::size_t best, const Looks& looks,
                                                   const Looks& elsewhere, bool random) {
  const char* const kinds[] = {"On the task's own sequences",
                               "In random segments that come back at random distances"};
  std::string says = fmt::format(
      "{}, {} gives the follower an attention weight of {:.2f}. The control, the same two positions in "
      "sequences without repeats, has {:.2f}.",
      kinds[random], head_code(heads[best]), looks.followers[best], looks.control[best]);
  std::string more = fmt::format("{} it gives {:.2f}, and {:.2f} without repeats.", kinds[!random],
                                 elsewhere.followers[best], elsewhere.control[best]);
  std::string others;
  for (std::size_t i = 0; i < heads.size(); ++i)
    if (i != best)
      others +=
          fmt::format("{}{} {:.2f}", others.empty() ? "" : ", ", head_code(heads[i]), looks.followers[i]);
  if (!others.empty())
    more += " The limits are for the best head. The others give the follower: " + others + ".";
  return {std::move(says), std::move(more)};
}

void examine(Certificate& certificate, const CertificateMeasurements& measured) {
  Examiner(certificate, measured).examine();
}

}  // namespace headlight::interpret
