#include "headlight/studies/all_inputs.h"

#include <fmt/core.h>

#include <cmath>

#include "headlight/core/numbers.h"
#include "headlight/draw/table.h"
#include "headlight/system/text.h"

namespace headlight::studies {
namespace {

std::string tokens_text(const std::vector<std::int32_t>& tokens, const tasks::Vocabulary& vocabulary) {
  std::string text;
  for (const std::int32_t token : tokens)
    text += (text.empty() ? "" : " ") + printable_token(vocabulary.text(token));
  return text;
}

// In percent; 100 is all of them.
double rounded_down(double share) { return std::floor(1e6 * share) / 1e4; }

constexpr const char* kProved = "This is proved, not seen on some inputs (docs/evidence.md).";

}  // namespace

std::string all_inputs_text(const interpret::AllInputs& all, const tasks::Vocabulary& vocabulary,
                            std::size_t columns) {
  std::string text;
  const auto add = [&](const std::string& paragraph) {
    for (const std::string& line : wrapped(paragraph, columns)) text += line + "\n";
  };
  add(
      fmt::format("Every input of {} tokens was tried: the first {} are all different, and the last is one "
                  "of the first {} again. Of {} tokens there are {}. The right answer is the token that "
                  "followed before.",
                  all.length, all.length - 1, all.length - 2, all.tokens, with_commas(all.inputs)));
  add(kProved);
  text += "\n";
  const std::size_t width = with_commas(all.inputs).size();
  const auto row = [&](const char* name, std::uint64_t count) {
    const double share = static_cast<double>(count) / static_cast<double>(all.inputs);
    text += fmt::format("{:<9}  {:>{}}  {:>8.4f} %\n", name, with_commas(count), width, rounded_down(share));
  };
  row("right", all.right), row("wrong", all.wrong), row("undecided", all.undecided);
  text += "\n";
  add(fmt::format(
      "Logits were computed in double precision, and the rounding was bounded: no logit is off by more than "
      "{:.1e}. An input is undecided where this could change the answer.",
      all.largest_radius));
  if (!all.closest.empty())
    add(fmt::format("The least margin of a right answer is {:.4g}, at {} → {}.", all.least_margin,
                    tokens_text(all.closest, vocabulary),
                    tokens_text({all.answer(all.closest)}, vocabulary)));
  if (!all.first_wrong.empty())
    add(fmt::format("The first that is not right: {} → {}.", tokens_text(all.first_wrong, vocabulary),
                    tokens_text({all.answer(all.first_wrong)}, vocabulary)));
  return text;
}

std::string weights_bound_text(const interpret::WeightsBound& bound, std::size_t columns) {
  std::string text;
  const auto add = [&](const std::string& paragraph) {
    for (const std::string& line : wrapped(paragraph, columns)) text += line + "\n";
  };
  const bool all = bound.proven() == bound.inputs;
  add(fmt::format(
      "Of the {} inputs … A B … A of {} tokens, {} right. This follows from the weights, for many "
      "inputs at once: a case fixes some tokens, and the others may be any.",
      with_commas(bound.inputs), bound.length,
      all ? "all are" : fmt::format("at least {:.4f} % are", rounded_down(bound.accuracy()))));
  add(kProved);
  draw::Table levels{{"tokens fixed", "cases", "inputs proven right", "so far (%)"}, {}};
  std::uint64_t proven = 0;
  for (const interpret::BoundLevel& level : bound.levels) {
    proven += level.proven;
    const double share = static_cast<double>(proven) / static_cast<double>(bound.inputs);
    levels.rows.push_back({fmt::format("{}{}", level.known, level.known == 2 ? " (A and B)" : ""),
                           with_commas(level.cases), with_commas(level.proven),
                           fmt::format("{:.4f}", rounded_down(share))});
  }
  text += "\n" + draw::terminal_table(levels, columns) + "\n";
  add(fmt::format("What the bound leaves of each step, in the {} cases that fix A, B and their place only:",
                  with_commas(bound.levels[0].cases)));
  draw::Table steps{{"step", "at least", "mean"}, {}};
  const auto step = [&](const char* name, const interpret::BoundTerm& term) {
    steps.rows.push_back({name, fmt::format("{:.3f}", term.least), fmt::format("{:.3f}", term.mean)});
  };
  step("from B, layer 0 gives A the weight", bound.previous);
  step("in layer 1, B's score leads by", bound.lead);
  step("so layer 1 gives B the weight", bound.weight);
  step("B's logit leads by", bound.margin);
  text += "\n" + draw::terminal_table(steps, columns);
  return text;
}

}  // namespace headlight::studies
