#include "headlight/interpret/certificate.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "certificate_claims.h"
#include "circuit_search.h"
#include "formation.h"
#include "headlight/core/check.h"
#include "headlight/core/names.h"
#include "headlight/interpret/scores.h"
#include "shifted_induction.h"

namespace headlight::interpret {

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
  return config.architecture == nn::Architecture::decoder && has_room_for_repeats(task) &&
         task.config.n_ctx <= kLongestPattern;
}

namespace {

constexpr std::size_t kFewest = 32, kQuestions = 256;

// Enough sequences that another draw seldom gives another verdict. Their patterns take no more memory than
// those of the fewest sequences of the longest context.
std::size_t enough_sequences(const tasks::Task& task, const Rng& rng) {
  const std::optional<tasks::Batch> drawn = own_questions(task, kFewest, rng);
  if (!drawn) return kFewest;
  const auto questions = static_cast<std::size_t>(
      std::count(drawn->predictable.data(), drawn->predictable.data() + drawn->predictable.size(), true));
  const std::size_t room = kLongestPattern / std::min(task.config.n_ctx, kLongestPattern);
  return std::clamp(kFewest * kQuestions / questions, kFewest, kFewest * room * room);
}

AllSets all_sets(const Subsets& subsets, const HeadSet& named) {
  const SufficientSets found = sufficient_sets(subsets, kKept);
  AllSets all{.sets = subsets.size(), .enough = found.sufficient, .minimal = found.minimal.size()};
  for (HeadBits set = 0; set < subsets.size(); ++set)
    if (subsets.value(set) >= subsets.enough(kKept) &&
        static_cast<std::size_t>(std::popcount(set)) < named.size())
      ++all.smaller;
  all.smallest = subsets.set(found.minimal.front());
  return all;
}

}  // namespace

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
  const std::size_t sequences =
      options.sequences > 0 ? options.sequences : enough_sequences(task, rng.stream("certificate, size"));
  std::vector<std::optional<CertificateMeasurements>> draws(2);
  pool.run(2, [&](std::size_t i) {
    draws[i].emplace(model, task, sequences,
                     rng.stream(i == 0 ? "certificate, choice" : "certificate, test"));
  });
  if (draws[0]->asks_the_task()) certificate.predictable = task.kinds.predictable;
  choose_heads(certificate, *draws[0], pool);
  examine(certificate, *draws[1]);
  for (const Claim& claim : certificate.claims)
    check(std::isfinite(claim.number.value_or(0)) && std::isfinite(claim.control.value_or(0)),
          "the numbers of the claim '{}' are not finite: the model's parameters are too large.", claim.key);
  add_order(certificate, *draws[1], model, pool, options);
  certificate.verdict = verdict_of(certificate);
  if (options.all_sets && certificate.verdict != Verdict::unsolved &&
      draws[1]->heads().size() <= kMostCertifiedHeads)
    certificate.all_sets = all_sets(draws[1]->subsets(pool), certificate.circuit());
  if (certificate.verdict != Verdict::another_way) return certificate;
  certificate.needed = needed_heads(certificate.circuit(), *draws[1], model);
  if (certificate.claim(kMatching).standing == Standing::fails)
    certificate.shifted_induction = find_shifted_induction(
        *draws[0],
        [&](std::size_t by) {
          // Another name of the stream would draw other sequences, and so change the numbers of old runs.
          return std::make_unique<CertificateMeasurements>(model, task, sequences,
                                                           rng.stream("certificate, displaced"), by);
        },
        pool);
  return certificate;
}

}  // namespace headlight::interpret
