// The tables that lesson 13 prints.
#pragma once

#include <string>
#include <vector>

#include "headlight/interpret/attribution.h"
#include "headlight/interpret/certificate.h"
#include "headlight/interpret/scores.h"
#include "lesson_program.h"
#include "models.h"
#include "progress.h"

namespace headlight::lesson {

inline Trained trained(const Recipe& r, ThreadPool& pool) {
  Progress progress("training a model", static_cast<std::size_t>(r.steps));
  return trained(r, pool, [&] { progress.step(); });
}

// The numbers of a line, with so many decimals.
template <class T, class F>
std::string row_of(const std::vector<T>& places, const F& number, int decimals) {
  std::string line;
  for (const T& place : places) line += fmt::format("{:6.{}f}", static_cast<double>(number(place)), decimals);
  return line;
}

inline void print_scores(const std::vector<interpret::HeadScores>& heads) {
  say("  head   previous-token score   induction score");
  for (const interpret::HeadScores& s : heads)
    say("  {:<4}   {:20.2f}   {:15.2f}", head_code(s.at()), s[interpret::kPreviousToken],
        s[interpret::kInduction]);
}

inline void print_paths(const std::vector<Patched>& rows) {
  say("  sender           everywhere   into queries   into keys   into values");
  for (const Patched& row : rows)
    say("  {:<14}   {:10.2f}   {:12.2f}   {:9.2f}   {:11.2f}",
        row.sender.size() > 1 ? "all of layer 0" : codes_of(row.sender), row.everywhere, row.queries,
        row.keys, row.values);
}

// The parts of a logit in the sequence `one` at a position, and the logit itself.
inline void print_attribution(const tasks::Batch& one, const interpret::DirectAttribution& parts,
                              std::size_t at, double logit) {
  std::string read;
  for (std::size_t i = 0; i <= at; ++i) read += fmt::format(" {}", one.tokens(0, i));
  say("The model reads\n {}\nand must say {}. Its logit above the mean of all logits:", read,
      one.targets(0, at));
  double sum = 0;
  for (std::size_t s = 0; s < parts.sources.size(); ++s) {
    const std::string& source = parts.sources[s].name;
    const double value = parts.values(s, 0, at);
    say("  {:<12} {:6.2f}",
        source == "embed"        ? "embedding"
        : source == "ln_final.b" ? "final norm"
                                 : source,
        value);
    sum += value;
  }
  say("  {:<12} {:6.2f}", "their sum", sum);
  say("  {:<12} {:6.2f}", "the model's", logit);
}

inline void print_claims(const std::vector<interpret::Claim>& claims) {
  say("  claim         number   needed    control   allowed   verdict");
  for (const interpret::Claim& claim : claims) {
    if (!claim.number) {
      say("  {:<12}       -   -               -   -         not asked", claim.key);
      continue;
    }
    const int decimals = claim.key == interpret::kOrder ? 0 : 2;
    const auto limit = [](bool at_most, double x, int d) {
      return fmt::format("{} {:.{}f}", at_most ? "≤" : "≥", x, d);
    };
    say("  {:<12}  {:>6}   {:<6}    {:>7}   {:<7}   {}", claim.key,
        fmt::format("{:.{}f}", *claim.number, decimals),
        limit(claim.number_at_most, claim.threshold, decimals),
        claim.control ? fmt::format("{:.2f}", *claim.control) : "-",
        claim.control ? limit(claim.control_at_most, claim.control_limit, 2) : "-",
        to_string(claim.standing));
  }
}

// Of both models, the weights at 0, 1, … places after the follower.
inline void print_places(const std::vector<double>& first, const std::vector<double>& second) {
  const auto itself = [](double x) { return x; };
  say("\nThe weight on the token so many places after the follower, the best head of layer 1:");
  say("  places        {}", row_of(std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7}, itself, 0));
  say("  first model   {}", row_of(first, itself, 2));
  say("  second model  {}", row_of(second, itself, 2));
}

}  // namespace headlight::lesson
