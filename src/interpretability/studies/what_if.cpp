#include "headlight/studies/what_if.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/draw/text_page.h"
#include "headlight/interpret/ablation.h"
#include "headlight/interpret/held_heads.h"
#include "headlight/run/experiment.h"
#include "headlight/studies/comparison.h"

namespace headlight::studies {
namespace {

using run::Experiment;
using run::Metrics;

// Differences of measured curves that are worth a row.
constexpr double kOtherAccuracy = 0.05, kOtherScore = 0.1;

void check_change(const run::Run& run, std::int64_t at, const TrainingChange& change) {
  const std::int64_t steps = run.config.train.steps;
  check(at >= 1 && at < steps, "[whatif] expected a step from 1 to {}, before the last one, got {}.",
        steps - 1, at);
  check(!change.without_batch || (*change.without_batch > at && *change.without_batch <= steps),
        "[whatif] expected the batch of a step from {} to {}, after step {}, got {}.", at + 1, steps, at,
        change.without_batch.value_or(0));
  check(
      (change.clamped.empty() && change.zeroed.empty()) || run.config.train.average == 0,
      "[whatif] a head cannot be held in a run with average = {}: the weights that are trained are not those "
      "that are kept.",
      run.config.train.average);
  for (const interpret::HeadSet* heads : {&change.clamped, &change.zeroed})
    for (const interpret::HeadAt& head : *heads) interpret::layer_of(run.model->config(), head);
  for (const interpret::HeadAt& head : change.clamped)
    check(std::find(change.zeroed.begin(), change.zeroed.end(), head) == change.zeroed.end(),
          "[whatif] {} cannot both keep its weights and write nothing.", interpret::head_code(head));
}

// The task whose sequences of training are, from place `from` on, those of another seed, or `skipped` later.
tasks::Task with_other_sequences(const tasks::Task& task, std::uint64_t from, std::uint64_t skipped,
                                 std::uint64_t seed) {
  tasks::Task other = task;
  other.training_at = [task, from, skipped, data = Rng(seed).stream("data")](std::uint64_t place, Rng own) {
    if (place < from) return task.training_at ? task.training_at(place, own) : task.training(own);
    Rng rng = data.stream("sequence", place + skipped);
    return task.training_at ? task.training_at(place + skipped, rng) : task.training(rng);
  };
  return other;
}

run::Run changed_run(run::Run here, std::int64_t at, const TrainingChange& change) {
  const std::uint64_t batch = here.config.train.batch, seed = here.config.train.seed;
  if (change.data_seed)
    here.task = with_other_sequences(here.task, static_cast<std::uint64_t>(at) * batch, 0, *change.data_seed);
  if (change.without_batch)
    here.task = with_other_sequences(here.task, static_cast<std::uint64_t>(*change.without_batch - 1) * batch,
                                     batch, change.data_seed.value_or(seed));
  for (const auto& [setting, value] : change.settings) setting.row->set(here.config, value);
  return here;
}

bool same_weights(const nn::Transformer& a, const nn::Transformer& b) {
  const auto of_a = nn::named_parameters(a), of_b = nn::named_parameters(b);
  return std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                    [](const auto& x, const auto& y) { return x.second.array() == y.second.array(); });
}

std::optional<double> accuracy_of(const Metrics& m) { return m.evaluation.accuracy_predictable; }

// The largest score of a kind, and its head; nothing where no head has such a score.
struct Best {
  interpret::HeadAt head;
  double score;
};
std::optional<Best> best_of(const Metrics& m, std::string_view kind) {
  std::optional<Best> best;
  for (const interpret::HeadScores& scores : m.heads)
    if (scores.has(kind) && (!best || scores[kind] > best->score)) best = Best{scores.at(), scores[kind]};
  return best;
}

// Calls look(a, b) with the metrics of both at each step that both were measured at.
template <class Look>
void at_each_step(const WhatIf& both, const Look& look) {
  for (const Metrics& a : both.unchanged.metrics)
    for (const Metrics& b : both.changed.metrics)
      if (a.step == b.step && a.step > both.at) look(a, b);
}

std::vector<StudyCell> parting(const std::string& what, std::int64_t step, double a, double b) {
  return {what, step, a, b};
}

StudyTable partings_table(const WhatIf& both) {
  StudyTable table{
      "partings",
      fmt::format("Where the two part: the first measured step at which accuracy differs by more than {}, "
                  "or a head's score by more than {}:",
                  kOtherAccuracy, kOtherScore),
      {{"what", "what"}, {"step", "step"}, {"unchanged", "unchanged"}, {"changed", "changed"}}};
  std::optional<std::int64_t> accuracy, score;
  at_each_step(both, [&](const Metrics& a, const Metrics& b) {
    if (!accuracy && accuracy_of(a) && accuracy_of(b) &&
        std::abs(*accuracy_of(a) - *accuracy_of(b)) > kOtherAccuracy) {
      accuracy = a.step;
      table.rows.push_back(parting("accuracy", a.step, *accuracy_of(a), *accuracy_of(b)));
    }
    if (score || a.heads.size() != b.heads.size()) return;
    for (std::size_t h = 0; h < a.heads.size(); ++h)
      for (const interpret::ScoreKind& kind : interpret::score_kinds()) {
        if (!kind.charted || !a.heads[h].has(kind.key) || !b.heads[h].has(kind.key)) continue;
        const double x = a.heads[h][kind.key], y = b.heads[h][kind.key];
        if (std::abs(x - y) <= kOtherScore) continue;
        score = a.step;
        table.rows.push_back(parting(
            fmt::format("{} score of {}", kind.name, interpret::head_code(a.heads[h].at())), a.step, x, y));
      }
  });
  if (table.rows.empty()) table.sentences = {"They part nowhere so far."};
  return table;
}

// The first measured step from which on some head has the score.
StudyCell first_step(const std::vector<Metrics>& metrics, std::string_view kind) {
  for (const Metrics& m : metrics)
    if (const auto best = best_of(m, kind); best && best->score >= interpret::kFoundScore) return m.step;
  return {};
}

StudyTable heads_table(const WhatIf& both) {
  StudyTable table{
      "heads",
      fmt::format("The best head of each kind at the end, and the first measured step at which a head had "
                  "a score of {}:",
                  interpret::kFoundScore),
      {{"score", "score"},
       {"unchanged_head", "unchanged"},
       {"unchanged", "score"},
       {"unchanged_step", "from step"},
       {"changed_head", "changed"},
       {"changed", "score"},
       {"changed_step", "from step"}}};
  const auto &a = both.unchanged.metrics, &b = both.changed.metrics;
  for (const interpret::ScoreKind& kind : interpret::score_kinds()) {
    const StudyCell from_a = first_step(a, kind.key), from_b = first_step(b, kind.key);
    const auto best_a = best_of(a.back(), kind.key), best_b = best_of(b.back(), kind.key);
    if (!best_a || !best_b || (from_a.index() == 0 && from_b.index() == 0)) continue;
    table.rows.push_back({kind.name, interpret::head_code(best_a->head), best_a->score, from_a,
                          interpret::head_code(best_b->head), best_b->score, from_b});
  }
  if (table.rows.empty()) table.sentences = {"No head has such a score in either."};
  return table;
}

std::vector<ComparedRun> compared(const WhatIf& both) {
  return {{"unchanged", both.unchanged.config, both.unchanged.results, both.unchanged.metrics},
          {"changed", both.changed.config, both.changed.results, both.changed.metrics}};
}

std::string accuracy_words(const run::Run& run) {
  const auto accuracy = accuracy_of(run.metrics.back());
  return accuracy ? fmt::format("accuracy {:.3f}, ", *accuracy) : "";
}

std::vector<std::string> sentences_of(const WhatIf& both, const std::string& name) {
  std::vector<std::string> out = {fmt::format(
      "From step {} on {} is trained twice: unchanged, and so that {}.", both.at, name, both.change)};
  if (both.as_saved)
    out.push_back(
        *both.as_saved
            ? fmt::format("Control: trained on unchanged, the weights are those of {}, bit for bit.", name)
            : fmt::format("Control: trained on unchanged, the weights are not those of {}, which another "
                          "program or machine may have trained. The two below differ by the change alone.",
                          name));
  else
    out.push_back(fmt::format("No control: {} was trained for another number of steps.", name));
  out.push_back(both.first_other_loss
                    ? fmt::format("The losses of both are the same, bit for bit, before step {}.",
                                  *both.first_other_loss)
                    : "The losses of both are the same at every step, bit for bit.");
  if (both.diverged) out.push_back("The changed training diverged: " + *both.diverged);
  for (const auto& [what, run] : {std::pair{"Unchanged", &both.unchanged}, {"Changed", &both.changed}})
    out.push_back(fmt::format("{}: {}loss {:.3f} at step {}. {}", what, accuracy_words(*run),
                              run->metrics.back().evaluation.loss, run->metrics.back().step,
                              run->results.verdict));
  if (both.same_weights) out.push_back("At the end both have the same weights, bit for bit.");
  return out;
}

}  // namespace

std::string change_words(const TrainingChange& c, std::int64_t at) {
  std::vector<std::string> parts;
  const auto verb = [](const interpret::HeadSet& heads, const char* one, const char* several) {
    return fmt::format("{} {}", interpret::codes_of(heads), heads.size() == 1 ? one : several);
  };
  if (!c.clamped.empty())
    parts.push_back(fmt::format("{} weights of step {}", verb(c.clamped, "keeps its", "keep their"), at));
  if (!c.zeroed.empty()) parts.push_back(verb(c.zeroed, "writes nothing", "write nothing"));
  if (c.without_batch) parts.push_back(fmt::format("the batch of step {} is left out", *c.without_batch));
  if (c.data_seed) parts.push_back(fmt::format("the sequences come from seed {}", *c.data_seed));
  for (const auto& [setting, value] : c.settings)
    parts.push_back(fmt::format("{} is {}", setting.row->key, to_string(value)));
  std::string words;
  for (std::size_t i = 0; i < parts.size(); ++i)
    words += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return words.empty() ? "nothing is changed" : words;
}

WhatIf what_if(const run::Run& run, std::int64_t at, const TrainingChange& change,
               const WhatIfOptions& options) {
  check_change(run, at, change);
  const auto go_on = [&](Experiment& experiment) {
    check(!options.stop || !options.stop(), "[whatif] stopped at step {}: nothing was saved.",
          experiment.steps_done());
    return experiment.step().loss;
  };
  Experiment unchanged(run.task, run.config, {.threads = options.threads, .command = options.command});
  while (unchanged.steps_done() < at) go_on(unchanged);

  interpret::HeldHeads held;
  Experiment changed =
      Experiment::resume(changed_run(unchanged.measure(), at, change),
                         {.threads = options.threads, .command = options.command, .exchange = &held});
  for (const interpret::HeadAt& head : change.clamped) held.clamp(changed.model(), head);
  for (const interpret::HeadAt& head : change.zeroed) held.zero(changed.model(), head);

  std::optional<std::int64_t> first_other_loss;
  std::optional<std::string> diverged;
  while (!unchanged.done()) {
    const double loss = go_on(unchanged);
    if (diverged) continue;
    try {
      if (go_on(changed) != loss && !first_other_loss) first_other_loss = unchanged.steps_done();
    } catch (const train::Diverged& e) {
      diverged = e.what();
    }
  }
  WhatIf both{at, change_words(change, at), unchanged.measure(), changed.measure(), first_other_loss};
  both.diverged = diverged;
  both.same_weights = same_weights(*both.unchanged.model, *both.changed.model);
  if (run.results.steps == both.unchanged.results.steps)
    both.as_saved = same_weights(*both.unchanged.model, *run.model);
  return both;
}

Study what_if_study(const WhatIf& both, const std::string& name) {
  Study study{"whatif"};
  const auto step = [](const std::optional<std::int64_t>& at) { return at ? StudyCell(*at) : StudyCell(); };
  study.facts = {
      {"at", both.at},
      {"change", both.change},
      {"first_other_loss", step(both.first_other_loss)},
      {"control", both.as_saved ? StudyCell(*both.as_saved ? "same bits" : "other bits") : StudyCell()},
      {"unchanged_verdict", both.unchanged.results.verdict},
      {"changed_verdict", both.changed.results.verdict}};
  study.sentences = sentences_of(both, name);
  study.tables = {partings_table(both), heads_table(both)};
  return study;
}

draw::Figure what_if_figure(const WhatIf& both) { return comparison_figure(compared(both)); }

std::string what_if_page(const WhatIf& both, const std::string& name) {
  const Study study = what_if_study(both, name);
  std::vector<draw::PageSection> sections{{"", study.sentences}};
  for (const StudyTable& table : study.tables) {
    std::vector<std::string> words = {table.title};
    words.insert(words.end(), table.sentences.begin(), table.sentences.end());
    sections.push_back({table.key == "heads" ? "Which heads" : "Where they part", words, shown_table(table)});
  }
  sections.push_back({"Results", {}, results_table(compared(both))});
  sections.push_back({"Curves", {}, {}, draw::svg_figure(what_if_figure(both))});
  return draw::text_page(fmt::format("Headlight: {}, and what if {}", name, both.change), sections);
}

}  // namespace headlight::studies
