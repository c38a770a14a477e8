#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "headlight/core/names.h"
#include "headlight/studies/head_studies.h"

namespace headlight::studies {
namespace {

using interpret::Damage;
using interpret::HeadSet;

StudyCell accuracy_cell(const train::Evaluation& e) {
  return e.accuracy_predictable ? StudyCell(*e.accuracy_predictable) : StudyCell();
}

double measured_loss(const train::Evaluation& e) { return e.loss_predictable.value_or(e.loss); }

std::vector<StudyColumn> damage_columns(const std::string& first, const std::string& first_head) {
  return {{first, first_head},
          {"accuracy", "accuracy"},
          {"accuracy_change", "change", 3, true},
          {"loss", "loss"},
          {"loss_rise", "rise", 3, true}};
}

std::vector<StudyCell> damage_row(const std::string& name, const Damage& d) {
  const bool known = d.after.accuracy_predictable.has_value();
  return {name, accuracy_cell(d.after), known ? StudyCell(-d.accuracy_drop) : StudyCell(),
          measured_loss(d.after), d.loss_rise};
}

StudyTable singles_table(const std::vector<Damage>& singles) {
  StudyTable table{"singles", "Each head alone:", damage_columns("head", "head")};
  for (const Damage& d : singles) table.rows.push_back(damage_row(interpret::codes_of(d.heads), d));
  return table;
}

// The sum of what the heads of a set cost when each is ablated alone.
struct Apart {
  double loss = 0, accuracy = 0;
};

Apart apart(const HeadSet& heads, const std::vector<Damage>& singles) {
  Apart sum;
  for (const Damage& d : singles)
    if (std::find(heads.begin(), heads.end(), d.heads.front()) != heads.end())
      sum.loss += d.loss_rise, sum.accuracy += d.accuracy_drop;
  return sum;
}

// Backup: what a set costs beyond the sum of its heads (Wang et al. 2022, section 3.3).
std::string backup_sentence(const Damage& set, const std::vector<Damage>& singles) {
  const Apart sum = apart(set.heads, singles);
  std::string text = fmt::format(
      "{}: ablated one at a time, the heads raise the loss by {:.3f} nats in sum; together, by {:.3f}.",
      interpret::codes_of(set.heads), sum.loss, set.loss_rise);
  if (set.after.accuracy_predictable)
    text += fmt::format(" They cost {:.3f} of the accuracy in sum; together, {:.3f}.", sum.accuracy,
                        set.accuracy_drop);
  if (set.loss_rise > sum.loss)
    text += fmt::format(" The set costs {:.3f} nats more than the sum.", set.loss_rise - sum.loss);
  return text;
}

StudyTable greedy_table(const interpret::AblationStudy& study, const std::vector<Damage>& singles,
                        const tasks::TokenKinds& kinds) {
  StudyTable table{"greedy", "The set that grows by the head whose loss adds the most damage, one a row:",
                   damage_columns("added", "added")};
  table.columns.insert(table.columns.begin(), {"size", "heads"});
  const auto& intact = study.intact().accuracy_predictable;
  if (!intact) {
    table.sentences = {fmt::format("No token of this task is {}, so accuracy has no chance level to fall to.",
                                   kinds.predictable)};
    return table;
  }
  const std::vector<Damage> path = study.greedy(kAtChanceOfIntact * *intact);
  for (std::size_t i = 0; i < path.size(); ++i) {
    auto row = damage_row(interpret::head_code(path[i].heads.back()), path[i]);
    row.insert(row.begin(), static_cast<std::int64_t>(i + 1));
    table.rows.push_back(std::move(row));
  }
  const Damage& last = path.back();
  const double left = last.after.accuracy_predictable.value_or(0);
  table.sentences.push_back(fmt::format(
      "Without {} of {} heads the accuracy is {:.3f}, {} a quarter of the intact {:.3f}.", path.size(),
      singles.size(), left, left <= kAtChanceOfIntact * *intact ? "at most" : "still above", *intact));
  if (path.size() > 1) table.sentences.push_back(backup_sentence(last, singles));
  return table;
}

StudyTable pairs_table(const interpret::AblationStudy& study, const std::vector<Damage>& singles) {
  StudyTable table{"pairs",
                   "Pairs, by what they cost beyond the sum of the two alone; rises of the loss in nats:",
                   {{"heads", "heads"},
                    {"accuracy", "accuracy"},
                    {"loss_rise", "together", 3, true},
                    {"loss_rise_apart", "sum of alone", 3, true},
                    {"excess", "beyond the sum", 3, true}}};
  std::vector<Damage> pairs = study.pairs();
  const auto excess = [&](const Damage& d) { return d.loss_rise - apart(d.heads, singles).loss; };
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const Damage& a, const Damage& b) { return excess(a) > excess(b); });
  for (const Damage& d : pairs)
    table.rows.push_back({interpret::codes_of(d.heads), accuracy_cell(d.after), d.loss_rise,
                          apart(d.heads, singles).loss, excess(d)});
  table.most_rows = 20;
  if (!pairs.empty()) table.sentences.push_back(backup_sentence(pairs.front(), singles));
  return table;
}

// Sets of `count` of the heads: all, or kMostControls different ones at random.
std::vector<HeadSet> control_sets(const HeadSet& heads, std::size_t count, Rng rng) {
  double all = 1;
  for (std::size_t i = 0; i < count; ++i)
    all *= static_cast<double>(heads.size() - i) / static_cast<double>(i + 1);
  std::vector<std::vector<bool>> chosen;
  if (std::lround(all) <= static_cast<long>(kMostControls)) {
    std::vector<bool> picks(heads.size(), false);
    std::fill_n(picks.begin(), count, true);
    do chosen.push_back(picks);
    while (std::prev_permutation(picks.begin(), picks.end()));
  }
  while (chosen.size() < kMostControls && std::lround(all) > static_cast<long>(kMostControls)) {
    std::vector<bool> picks(heads.size(), false);
    for (const std::int32_t i : rng.distinct(count, heads.size())) picks[static_cast<std::size_t>(i)] = true;
    if (std::find(chosen.begin(), chosen.end(), picks) == chosen.end()) chosen.push_back(picks);
  }
  std::vector<HeadSet> sets;
  for (const auto& picks : chosen) {
    HeadSet& set = sets.emplace_back();
    for (std::size_t i = 0; i < heads.size(); ++i)
      if (picks[i]) set.push_back(heads[i]);
  }
  return sets;
}

// The certificate's control leaves out helpers; here any other head may be drawn.
std::string helpers_sentence(const HeadSet& others, const std::optional<interpret::Certificate>& c) {
  HeadSet helpers;
  if (c)
    for (const interpret::HeadAt& head : c->helpers)
      if (std::find(others.begin(), others.end(), head) != others.end()) helpers.push_back(head);
  if (helpers.empty()) return "";
  return fmt::format(
      "Among the other heads {} {}, which the certificate adds to the circuit until this solves the task. Its "
      "control leaves {} out.",
      interpret::codes_of(helpers), helpers.size() == 1 ? "is a helper" : "are helpers",
      helpers.size() == 1 ? "it" : "them");
}

StudyTable sets_table(const interpret::AblationStudy& study, const HeadSet& named, const run::Run& run) {
  StudyTable table{"sets", "The named heads, and sets of other heads:", damage_columns("heads", "heads")};
  const Damage damage = study.of(named);
  table.rows.push_back(damage_row(interpret::codes_of(named), damage));
  const HeadSet others = interpret::without(interpret::all_heads(run.model->config()), named);
  if (others.empty()) {
    table.sentences = {"These are all heads of the model: there are no others to compare with."};
    return table;
  }
  const std::size_t count = std::min(named.size(), others.size());
  std::vector<Damage> controls =
      study.of_each(control_sets(others, count, Rng(run.config.train.seed).stream("controls")));
  std::stable_sort(controls.begin(), controls.end(),
                   [](const Damage& a, const Damage& b) { return a.loss_rise > b.loss_rise; });
  double mean = 0;
  for (const Damage& d : controls) {
    mean += d.loss_rise / static_cast<double>(controls.size());
    table.rows.push_back(damage_row(interpret::codes_of(d.heads), d));
  }
  table.most_rows = 12;
  table.sentences.push_back(
      fmt::format("Without {} the loss rises by {:.3f} nats. Without {} other head{} it rises by {:.3f} in "
                  "the mean of {} set{}, and by at most {:.3f} ({}).",
                  interpret::codes_of(named), damage.loss_rise, count, count == 1 ? "" : "s", mean,
                  controls.size(), controls.size() == 1 ? "" : "s", controls.front().loss_rise,
                  interpret::codes_of(controls.front().heads)));
  if (count < named.size())
    table.sentences.push_back(fmt::format("The model has only {} other heads.", others.size()));
  if (std::string helpers = helpers_sentence(others, run.results.certificate); !helpers.empty())
    table.sentences.push_back(std::move(helpers));
  return table;
}

draw::Bars ablation_bars(const StudyTable& table) {
  const bool pairs = table.key == "pairs";
  draw::Bars bars{
      pairs ? "Pairs: rise of the loss beyond the sum of the two alone" : "Rise of the loss without heads",
      "nats",
      {},
      {},
      3};
  const auto column = [&](const std::string& key) {
    return static_cast<std::size_t>(std::find_if(table.columns.begin(), table.columns.end(),
                                                 [&](const auto& c) { return c.key == key; }) -
                                    table.columns.begin());
  };
  for (const auto& row : table.rows) {
    std::string label = std::get<std::string>(row[table.key == "greedy" ? 1 : 0]);
    if (table.key == "greedy" && !bars.labels.empty()) label = "and " + label;
    bars.labels.push_back(std::move(label));
    bars.values.push_back(std::get<double>(row[column(pairs ? "excess" : "loss_rise")]));
  }
  return bars;
}

}  // namespace

std::string ablation_words(interpret::Ablation ablation) {
  std::string words;
  for (const auto& entry : interpret::ablations().entries())
    if (entry.thing == ablation) words = entry.name + ": " + entry.help;
  return words;
}

tasks::Batch study_batch(const run::Run& run, std::size_t sequences) {
  return tasks::draw_batch(run.task, run.task.training, sequences,
                           Rng(run.config.train.seed).stream("study, measured"));
}

tasks::Batch second_batch(const run::Run& run, std::size_t sequences) {
  return tasks::draw_batch(run.task, run.task.training, sequences,
                           Rng(run.config.train.seed).stream("study, replaced by"));
}

interpret::ActivationCache study_outputs(const run::Run& run, interpret::Ablation ablation,
                                         std::size_t sequences) {
  constexpr std::size_t kMeanOver = 1024, kMeanTokens = 64 * kMeanOver;  // a long context has fewer sequences
  if (ablation == interpret::Ablation::mean)
    sequences = std::max(sequences, std::min(kMeanOver, kMeanTokens / run.task.config.n_ctx));
  return interpret::outputs_for(ablation, *run.model, second_batch(run, sequences));
}

Study ablation_study(const run::Run& run, const AblationRequest& request, ThreadPool& pool) {
  const nn::TransformerConfig& config = run.model->config();
  const HeadSet named = request.heads.empty() ? HeadSet() : interpret::read_heads(request.heads, config);
  const tasks::Batch batch = study_batch(run, request.sequences);
  const auto outputs = study_outputs(run, request.ablation, request.sequences);
  const interpret::AblationStudy heads(*run.model, batch, outputs, pool);
  const train::Evaluation& intact = heads.intact();
  Study study{"ablation"};
  study.facts = {{"sequences", static_cast<std::int64_t>(request.sequences)},
                 {"intact_accuracy", accuracy_cell(intact)},
                 {"intact_loss", measured_loss(intact)}};
  const bool predictable = intact.accuracy_predictable.has_value();
  study.sentences = {
      fmt::format("Ablation by {}.", ablation_words(request.ablation)),
      fmt::format(
          "Measured on {} sequences as in training, drawn anew, on {} tokens. Intact: {}loss {:.3f} nats.",
          request.sequences, predictable ? run.task.kinds.predictable : std::string("all"),
          predictable ? fmt::format("accuracy {:.3f}, ", *intact.accuracy_predictable) : "",
          measured_loss(intact))};
  if (!named.empty()) {
    study.tables = {sets_table(heads, named, run)};
  } else {
    const std::vector<Damage> singles = heads.singles();
    const bool neither = !request.pairs && !request.greedy;
    if (neither) study.tables.push_back(singles_table(singles));
    if (request.pairs) study.tables.push_back(pairs_table(heads, singles));
    if (neither || request.greedy) study.tables.push_back(greedy_table(heads, singles, run.task.kinds));
  }
  if (!study.tables.front().rows.empty()) study.picture = ablation_bars(study.tables.front());
  return study;
}

}  // namespace headlight::studies
