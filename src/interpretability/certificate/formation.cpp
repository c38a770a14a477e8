#include "formation.h"

#include <fmt/core.h>

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/core/finite.h"

namespace headlight::interpret {
namespace {

constexpr std::size_t kSequencesAlongTheWay = 8;

// Previous-token heads that have made this part of their way have begun.
constexpr double kBegun = 0.1;

// A smaller change of the weight on the token before is no rise.
constexpr double kLeastRise = 0.1;

// The first rows of the sequences with repeats.
RepeatedSequences first_rows(const RepeatedSequences& repeats, std::size_t rows) {
  rows = std::min(rows, repeats.repeated.tokens.shape()[0]);
  RepeatedSequences part{
      tasks::batch_rows(repeats.repeated, 0, rows), tasks::batch_rows(repeats.control, 0, rows), {}};
  for (const Follower& f : repeats.followers) {
    if (f.sequence >= rows) break;
    const bool same = !part.followers.empty() && part.followers.back().sequence == f.sequence &&
                      part.followers.back().query == f.query;
    part.queries += same ? 0 : 1;
    part.followers.push_back(f);
  }
  return part;
}

// The mean weight of a head's queries on the token before.
double previous_token_weight(const Array& pattern, std::size_t head) {
  const std::size_t rows = pattern.shape()[0], n = pattern.shape()[2];
  double sum = 0;
  for (std::size_t b = 0; b < rows; ++b)
    for (std::size_t i = 1; i < n; ++i) sum += static_cast<double>(pattern(b, head, i, i - 1));
  return sum / static_cast<double>(rows * (n - 1));
}

Formation formed_at(const train::Snapshot& snapshot, const nn::Transformer& like,
                    const RepeatedSequences& repeats, const Certificate& c) {
  nn::Transformer model = nn::clone(like);
  train::set_weights(model, snapshot.weights, "the snapshots along training");
  const WantedHooks patterns = hooks_named("attn.hook_pattern");
  const CachedRun run = run_with_cache(model, repeats.repeated.tokens, patterns);
  const CachedRun control = run_with_cache(model, repeats.control.tokens, patterns);
  check(all_finite(run.logits) && all_finite(control.logits),
        "the parameters of step {} are too large: the model's logits are not finite.", snapshot.step);
  Formation at{snapshot.step};
  const auto on = weight_on_followers(repeats, run.cache, model.config(), c.induction_heads);
  const auto off = weight_on_followers(repeats, control.cache, model.config(), c.induction_heads);
  for (std::size_t i = 0; i < on.size(); ++i) at.matching = std::max(at.matching, on[i] - off[i]);
  for (const HeadAt& head : c.previous_token_heads)
    at.previous = std::max(
        at.previous, previous_token_weight(run.cache[layer_of(model.config(), head).pattern], head.head));
  at.accuracy = train::evaluate(run.logits, repeats.repeated).accuracy_predictable.value_or(0);
  return at;
}

// The first step at which a value has made this part of its way from the first to the last.
std::int64_t step_at(double part, const std::vector<Formation>& formation, double Formation::*value) {
  const double first = formation.front().*value, last = formation.back().*value;
  for (const Formation& at : formation)
    if (at.*value >= first + part * (last - first)) return at.step;
  return formation.back().step;
}

std::string reason_not_to_ask(const Certificate& c, const CertifyOptions& options) {
  if (options.snapshots == nullptr || options.snapshots->size() < 2)
    return "Nothing was kept along training.";
  if (const std::int64_t first = options.snapshots->front().step; first > 0)
    return fmt::format("The first weights that were kept are of step {}.", first);
  if (c.by_smear) return "No earlier head has to form first.";
  if (c.claim(kComposition).standing != Standing::holds)
    return "No composition was found whose parts could form.";
  if (c.through == HeadInputs{HeadInput::queries})
    return "The earlier heads of the circuit tell positions, not the token before.";
  return "";
}

}  // namespace

void add_order(Certificate& c, const CertificateMeasurements& measured, const nn::Transformer& model,
               ThreadPool& pool, const CertifyOptions& options) {
  Claim claim;
  claim.key = kOrder;
  claim.name = "earlier heads had begun when half matched";
  claim.says = reason_not_to_ask(c, options);
  if (claim.says.empty()) {
    const RepeatedSequences repeats = first_rows(measured.own(), kSequencesAlongTheWay);
    c.formation.resize(options.snapshots->size());
    pool.run(c.formation.size(),
             [&](std::size_t i) { c.formation[i] = formed_at((*options.snapshots)[i], model, repeats, c); });
    const std::string weight =
        fmt::format("the {}attention weight of {} on the token before",
                    c.previous_token_heads.size() > 1 ? "largest " : "", codes_of(c.previous_token_heads));
    const double rise = c.formation.back().previous - c.formation.front().previous;
    if (rise < kLeastRise) {
      claim.says = fmt::format("From the first step to the last, {} changed by {:+.2f} only.", weight, rise);
    } else {
      const std::int64_t previous = step_at(kBegun, c.formation, &Formation::previous),
                         matching = step_at(0.5, c.formation, &Formation::matching);
      claim.number_at_most = true;
      claim.number = static_cast<double>(previous);
      claim.threshold = static_cast<double>(matching);
      claim.standing = standing_of(claim);
      claim.says = fmt::format(
          "At step {}, {} had made a tenth of its rise: it had begun. By step {}, half of the matching's rise "
          "was made. (Weights were kept of {} steps.)",
          previous, weight, matching, c.formation.size());
    }
  }
  c.claims.push_back(std::move(claim));
}

}  // namespace headlight::interpret
