#include "headlight/interpret/certificate.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "formation.h"
#include "headlight/core/check.h"
#include "headlight/core/names.h"
#include "shifted_induction.h"

namespace headlight::interpret {
namespace {

constexpr double kMatched = 0.3;    // weight on followers
constexpr double kPreferred = 0.9;  // cases in which the token looked at gains
constexpr double kSolves = 0.9;     // accuracy on predictable tokens

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
    add(at_random.standing == Standing::holds || at_own.standing == Standing::fails ? at_random : at_own);
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
    const char* const kinds[] = {"on the task's own sequences",
                                 "in random segments that come back at random distances"};
    claim.says = fmt::format(
        "{} gives the follower an attention weight of {:.2f} {}; the same place without repeats gets {:.2f}. "
        "It gives "
        "{:.2f} {}; "
        "without repeats {:.2f}.",
        head_code(c_.induction_heads[best]), looks.followers[best], kinds[random], looks.control[best],
        elsewhere.followers[best], kinds[!random], elsewhere.control[best]);
    return claim;
  }

  void copying() {
    const Preference preference = measured_.preference_of(c_.induction_heads);
    Claim claim = claim_of(kCopying, "copies the token that it looks at");
    claim.number = preference.seen;
    claim.threshold = kPreferred;
    claim.control = preference.unseen;
    claim.control_limit = kByChance;
    claim.says = fmt::format(
        "Made to look at one random token instead of another, {} raise{} the first against the second in "
        "{:.0f} % of "
        "cases; tokens that are not looked at, in {:.0f} %.",
        codes_of(c_.induction_heads), c_.induction_heads.size() == 1 ? "s" : "", 100 * preference.seen,
        100 * preference.unseen);
    add(std::move(claim));
  }

  void composition() {
    const char* name = "finds it by what earlier heads wrote";
    if (!holds(kMatching)) return add(not_asked(kComposition, name, "There is no matching to trace back."));
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

  // Through the keys; through the queries, if only these carry the matching.
  void by_paths(Claim& claim, const HeadSet& senders, const HeadSet& earlier) {
    const bool keys = c_.through == HeadInput::keys;
    const OtherSequences others = keys ? OtherSequences::renamed : OtherSequences::unrelated;
    const auto lost = [&](const HeadSet& heads, HeadInput input) {
      return measured_.lost(heads, c_.induction_heads, input, others);
    };
    c_.by_keys = lost(senders, HeadInput::keys);
    c_.by_queries = lost(senders, HeadInput::queries);
    claim.number = keys ? c_.by_keys : c_.by_queries;
    claim.says =
        fmt::format("When {} write{} to the {} of {} what {} on {}, {:.0f} % of the matching is lost",
                    codes_of(senders), senders.size() == 1 ? "s" : "", keys ? "keys" : "queries",
                    codes_of(c_.induction_heads), senders.size() == 1 ? "it writes" : "they write",
                    keys ? "other tokens" : "sequences without repeats", 100 * *claim.number);
    if (const HeadSet rest = without(earlier, senders); !rest.empty()) {
      claim.control = lost(rest, c_.through);
      claim.says += fmt::format("; when {} do{}, {:.0f} %", codes_of(rest), rest.size() == 1 ? "es" : "",
                                100 * *claim.control);
    }
    claim.says += fmt::format(". When {} write{} so to the {}, {:.0f} %.", codes_of(senders),
                              senders.size() == 1 ? "s" : "", keys ? "queries" : "keys",
                              100 * (keys ? c_.by_queries : c_.by_keys));
  }

  void necessity() {
    const char* name = "the task needs these heads";
    if (!solved_) return add(not_asked(kNecessity, name, unsolved()));
    Claim claim = claim_of(kNecessity, name);
    claim.number_at_most = true;
    claim.control_at_most = false;
    claim.number = measured_.accuracy_without(core_);
    claim.threshold = kAtChance * measured_.accuracy();
    claim.says = fmt::format("Without {} the accuracy on {} tokens is {:.2f} instead of {:.2f}",
                             codes_of(core_), c_.predictable, *claim.number, measured_.accuracy());
    if (const HeadSet others = as_many(others_, core_.size()); !others.empty()) {
      claim.control = measured_.accuracy_without(others);
      claim.control_limit = 2 * claim.threshold;
      claim.says += fmt::format("; without {} it is {:.2f}", codes_of(others), *claim.control);
    }
    claim.says += ".";
    add(std::move(claim));
  }

  void sufficiency() {
    const char* name = "the task needs no other heads";
    if (!solved_) return add(not_asked(kSufficiency, name, unsolved()));
    Claim claim = claim_of(kSufficiency, name);
    claim.number = measured_.accuracy_with_only(c_.circuit());
    claim.threshold = kKept * measured_.accuracy();
    claim.control = measured_.accuracy_with_only({});
    claim.control_limit = kAtChance * measured_.accuracy();
    claim.says = fmt::format("With only {} the accuracy is {:.2f}; with no head it is {:.2f}.",
                             codes_of(c_.circuit()), *claim.number, *claim.control);
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

Standing standing_of(const Claim& claim) {
  check(claim.number.has_value(), "[certificate] the claim '{}' has no number.", claim.key);
  const bool reached =
      claim.number_at_most ? *claim.number <= claim.threshold : *claim.number >= claim.threshold;
  const bool controlled = !claim.control || (claim.control_at_most ? *claim.control <= claim.control_limit
                                                                   : *claim.control >= claim.control_limit);
  return reached && controlled ? Standing::holds : Standing::fails;
}

Verdict verdict_of(const Certificate& c) {
  if (c.accuracy < kSolves) return Verdict::unsolved;
  const bool all = std::all_of(c.claims.begin(), c.claims.end(), [](const Claim& claim) {
    return claim.standing == Standing::holds ||
           (claim.key == kOrder && claim.standing == Standing::not_asked);
  });
  return all ? Verdict::circuit : Verdict::another_way;
}

HeadSet Certificate::circuit() const {
  HeadSet all = induction_heads;
  for (const HeadSet* more : {&previous_token_heads, &helpers})
    for (const HeadAt& head : *more)
      if (std::find(all.begin(), all.end(), head) == all.end()) all.push_back(head);
  return all;
}

const Claim& Certificate::claim(std::string_view key) const {
  std::vector<std::string> keys;
  for (const Claim& claim : claims) {
    if (claim.key == key) return claim;
    keys.push_back(claim.key);
  }
  fail("the certificate has no claim '{}'.{}", key, did_you_mean(std::string(key), keys));
}

bool can_be_certified(const nn::TransformerConfig& config, const tasks::Task& task) {
  return config.architecture == nn::Architecture::decoder && has_room_for_repeats(task);
}

Certificate certify(const nn::Transformer& model, const tasks::Task& task, const Rng& rng, ThreadPool& pool,
                    const CertifyOptions& options) {
  check(model.config().architecture == nn::Architecture::decoder,
        "[certify] expected a decoder, whose heads look back in one sequence, got the architecture '{}'.",
        nn::to_string(model.config().architecture));
  const nn::TransformerConfig& c = model.config();
  check(
      task.config.d_vocab <= c.d_vocab && task.config.n_ctx <= c.n_ctx,
      "[certify] expected a task of at most {} tokens and a context of at most {}, as the model has, got {} "
      "and {}.",
      c.d_vocab, c.n_ctx, task.config.d_vocab, task.config.n_ctx);
  Certificate certificate;
  std::vector<std::optional<CertificateMeasurements>> draws(2);
  pool.run(2, [&](std::size_t i) {
    draws[i].emplace(model, task, options.sequences,
                     rng.stream(i == 0 ? "certificate, choice" : "certificate, test"));
  });
  if (draws[0]->has_own()) certificate.predictable = task.kinds.predictable;
  choose_heads(certificate, *draws[0], pool);
  Examiner(certificate, *draws[1]).examine();
  for (const Claim& claim : certificate.claims)
    check(std::isfinite(claim.number.value_or(0)) && std::isfinite(claim.control.value_or(0)),
          "the numbers of the claim '{}' are not finite: the model's parameters are too large.", claim.key);
  add_order(certificate, *draws[1], model, pool, options);
  certificate.verdict = verdict_of(certificate);
  if (certificate.verdict != Verdict::another_way) return certificate;
  certificate.needed = needed_heads(certificate.circuit(), *draws[1], model);
  if (certificate.claim(kMatching).standing == Standing::fails)
    certificate.shifted_induction = find_shifted_induction(
        *draws[0],
        [&](std::size_t by) {
          // Another name of the stream would draw other sequences, and so change the numbers of old runs.
          return std::make_unique<CertificateMeasurements>(model, task, options.sequences,
                                                           rng.stream("certificate, displaced"), by);
        },
        pool);
  return certificate;
}

}  // namespace headlight::interpret
