#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "headlight/core/check.h"
#include "headlight/interpret/subsets.h"
#include "headlight/studies/head_studies.h"

namespace headlight::studies {
namespace {

using interpret::codes_of;
using interpret::HeadBits;
using interpret::Subsets;
using interpret::SufficientSets;

// What all heads must add at least, to the accuracy or in nats, for its parts to be more than noise.
constexpr double kWorthSharing = 0.05;

StudyCell accuracy_cell(const Subsets& subsets, HeadBits kept) {
  return subsets.predictable ? StudyCell(subsets.accuracy[kept]) : StudyCell();
}

StudyTable heads_table(const Subsets& subsets, const SufficientSets& found) {
  StudyTable table{"heads",
                   "What each head is worth (its Shapley value), and how many minimal sets have it:",
                   {{"head", "head"},
                    {"shapley_accuracy", "accuracy", 3, true},
                    {"shapley_loss", "loss", 3, true},
                    {"minimal_sets", "minimal sets"}}};
  const std::vector<double> loss = interpret::shapley_values(subsets.loss),
                            accuracy = interpret::shapley_values(subsets.accuracy);
  for (std::size_t i = 0; i < subsets.heads.size(); ++i) {
    const auto has = [&](HeadBits set) { return (set >> i & 1) != 0; };
    table.rows.push_back(
        {interpret::head_code(subsets.heads[i]), subsets.predictable ? StudyCell(accuracy[i]) : StudyCell(),
         loss[i], static_cast<std::int64_t>(std::count_if(found.minimal.begin(), found.minimal.end(), has))});
  }
  table.sentences = {
      "The Shapley value of a head is what it adds to the accuracy, or to the loss, in the mean over all orders in "
      "which heads can be added to a model without any. The values sum to what all heads add."};
  return table;
}

// A row for each set; the numbers are those of the model with `kept(set)`.
template <class Kept>
StudyTable sets_table(std::string key, std::string title, const Subsets& subsets,
                      const std::vector<HeadBits>& sets, const Kept& kept) {
  StudyTable table{std::move(key),
                   std::move(title),
                   {{"size", "size"}, {"heads", "heads"}, {"accuracy", "accuracy"}, {"loss", "loss"}}};
  for (const HeadBits set : sets)
    table.rows.push_back({static_cast<std::int64_t>(std::popcount(set)), codes_of(subsets.set(set)),
                          accuracy_cell(subsets, kept(set)), subsets.loss[kept(set)]});
  table.most_rows = 20;
  return table;
}

std::string value_words(const Subsets& subsets, HeadBits kept) {
  return subsets.predictable
             ? fmt::format("accuracy {:.3f}, loss {:.3f}", subsets.accuracy[kept], subsets.loss[kept])
             : fmt::format("loss {:.3f}", subsets.loss[kept]);
}

std::vector<std::string> found_words(const Subsets& subsets, const SufficientSets& found) {
  const std::size_t count = found.minimal.size();
  const int smallest = std::popcount(found.minimal.front());
  std::vector<std::string> words = {fmt::format(
      "{} of {} sets are enough. {} of them {} minimal: no part of {} is enough. The smallest {} {} head{}.",
      found.sufficient, subsets.size(), count, count == 1 ? "is" : "are", count == 1 ? "it" : "them",
      count == 1 ? "has" : "have", smallest, smallest == 1 ? "" : "s")};
  words.push_back(found.in_every == 0 ? "No head is in every set that is enough."
                                      : fmt::format("Every set that is enough has {}.",
                                                    codes_of(subsets.set(found.in_every))));
  return words;
}

// How the set that the certificate names stands among them.
std::string named_words(const Subsets& subsets, const SufficientSets& found,
                        const std::optional<interpret::Certificate>& certificate) {
  if (!certificate || certificate->verdict != interpret::Verdict::circuit) return "";
  const HeadBits named = subsets.bits(certificate->circuit());
  const auto inside = std::count_if(found.minimal.begin(), found.minimal.end(),
                                    [&](HeadBits set) { return set != named && (set & named) == set; });
  const std::string names = fmt::format("The certificate names {}", codes_of(certificate->circuit()));
  if (std::find(found.minimal.begin(), found.minimal.end(), named) != found.minimal.end())
    return names + ", which is one of the minimal sets.";
  return fmt::format("{}. {} of the minimal sets {} part of it.", names,
                     inside == 0 ? "None" : std::to_string(inside), inside > 1 ? "are" : "is");
}

// Of the accuracy; of the loss where there is none, as what it falls.
draw::SubsetChart chart_of(const Subsets& subsets, const SufficientSets& found, double share, bool helps) {
  draw::SubsetChart chart{fmt::format("All sets of {} heads", subsets.heads.size()),
                          subsets.predictable ? "What each head adds to the accuracy (Shapley value)"
                                              : "What each head takes from the loss (Shapley value), nats",
                          subsets.predictable ? "accuracy" : "minus the loss, nats",
                          {},
                          {},
                          {}};
  for (HeadBits set = 0; set < subsets.size(); ++set) chart.values.push_back(subsets.value(set));
  for (const interpret::HeadAt& head : subsets.heads) chart.parts.push_back(interpret::head_code(head));
  chart.bars = interpret::shapley_values(chart.values);
  if (helps) chart.sets = found.minimal, chart.enough = subsets.enough(share);
  return chart;
}

}  // namespace

Study subset_study(const run::Run& run, const SubsetRequest& request, ThreadPool& pool) {
  check(request.share > 0 && request.share <= 1, "[subsets] expected a share above 0 and at most 1, got {}.",
        request.share);
  const tasks::Batch batch = study_batch(run, request.sequences);
  const interpret::ActivationCache outputs = study_outputs(run, request.ablation, request.sequences);
  const Subsets subsets = interpret::all_subsets(*run.model, batch, outputs, pool);
  const SufficientSets found = interpret::sufficient_sets(subsets, request.share);
  const double added = subsets.value(subsets.all()) - subsets.value(0);
  const bool helps = added >= kWorthSharing;

  Study study{"subsets"};
  study.facts = {
      {"sequences", static_cast<std::int64_t>(request.sequences)},
      {"share", request.share},
      {"enough", subsets.predictable ? StudyCell(subsets.enough(request.share)) : StudyCell()},
      {"sets", static_cast<std::int64_t>(subsets.size())},
      {"sufficient_sets", helps ? StudyCell(static_cast<std::int64_t>(found.sufficient)) : StudyCell()},
      {"in_every", helps ? StudyCell(codes_of(subsets.set(found.in_every))) : StudyCell()}};
  study.sentences = {
      fmt::format("Each of the {} sets of {} heads is kept, and the others are ablated by {}.",
                  subsets.size(), subsets.heads.size(), ablation_words(request.ablation)),
      fmt::format(
          "Measured on {} sequences as in training, drawn anew, on {} tokens. All heads: {}. No head: {}.",
          request.sequences, subsets.predictable ? run.task.kinds.predictable : "all",
          value_words(subsets, subsets.all()), value_words(subsets, 0))};
  study.tables = {heads_table(subsets, found)};
  study.picture = chart_of(subsets, found, request.share, helps);
  if (!helps) {
    study.sentences.push_back(fmt::format(
        "All heads together change the {} by {:+.3f}. That is too little to ask which of them are enough for it.",
        subsets.predictable ? "accuracy" : "loss", subsets.predictable ? added : -added));
    return study;
  }
  study.sentences.push_back(fmt::format(
      "A set is enough if it keeps {:.4g} % of what all heads add to the model without any: {} {:.3f}.",
      100 * request.share, subsets.predictable ? "an accuracy of at least" : "a loss of at most",
      subsets.predictable ? subsets.enough(request.share) : -subsets.enough(request.share)));
  for (std::string& words : found_words(subsets, found)) study.sentences.push_back(std::move(words));
  if (std::string words = named_words(subsets, found, run.results.certificate); !words.empty())
    study.sentences.push_back(std::move(words));
  study.tables.push_back(sets_table("sufficient", "Minimal sets that are enough, with only these heads kept:",
                                    subsets, found.minimal, [](HeadBits set) { return set; }));
  study.tables.push_back(sets_table(
      "destroying", "Minimal sets without which no set of the others is enough, with these heads ablated:",
      subsets, found.destroying, [&](HeadBits set) { return subsets.all() & ~set; }));
  return study;
}

}  // namespace headlight::studies
