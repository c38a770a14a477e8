#include "run_data.h"

#include <fmt/core.h>

#include "headlight/draw/color.h"
#include "headlight/interpret/evidence.h"
#include "headlight/studies/patterns.h"
#include "minute.h"
#include "page.h"
#include "page_lab.h"
#include "sections/run_certificate.h"
#include "sections/run_circuits.h"
#include "sections/run_formation.h"
#include "sections/run_metrics.h"
#include "sections/run_sequences.h"
#include "sections/run_terms.h"
#include "sections/run_without.h"
#include "story.h"

namespace headlight::page {
namespace {

using interpret::HeadScores;
using nlohmann::ordered_json;

// The help of a bool is that of its flag, which turns the default over.
std::string explained(const Setting<run::RunConfig>& row) {
  const SettingValue by_default = row.get(run::RunConfig{});
  const bool* on = std::get_if<bool>(&by_default);
  if (on == nullptr) return row.help;
  return fmt::format("{} makes it {}: \"{}\"", row.flag, *on ? "false" : "true", row.help);
}

ordered_json settings_json(const run::Run& run) {
  const run::RunConfig config = run::filled_in(run.config, run.task);
  ordered_json list = ordered_json::array();
  for (const run::ConfigPart& part : run::settings())
    for (const Setting<run::RunConfig>& row : part.rows)
      list.push_back({part.name + "." + row.key, to_string(row.get(config)), explained(row)});
  return list;
}

ordered_json results_json(const run::Run& run) {
  ordered_json list = ordered_json::array();
  for (const auto& [name, value] : facts(run.results, run.task.kinds)) list.push_back({name, value, ""});
  return list;
}

ordered_json vocabulary_json(const run::Run& run) {
  ordered_json texts = ordered_json::array();
  for (std::size_t i = 0; i < run.model->config().d_vocab; ++i)
    texts.push_back(run.task.vocabulary.text(static_cast<std::int32_t>(i)));
  return texts;
}

ordered_json task_json(const run::Run& run) {
  const tasks::TaskWords& words = run.task.words;
  return {{"name", run.task.config.name},
          {"labels", run.task.sees_ahead},
          {"scored_on", run.results.heads.empty() ? "" : tasks::scored_kind(run.task)},
          {"what", words.what},
          {"answer", words.answer},
          {"success", words.success},
          {"look_for", words.look_for}};
}

ordered_json stacks_json(const std::vector<interpret::Stack>& stacks) {
  ordered_json list = ordered_json::array();
  for (const interpret::Stack stack : stacks) {
    const interpret::StackNames& names = interpret::names_of(stack);
    list.push_back({{"letter", names.letter}, {"of", names.of}, {"title", names.title}});
  }
  return list;
}

ordered_json story_on_first(const run::Run& run, const Shown& first) {
  const interpret::CachedRun cached = studies::patterns_of(*run.model, first.example);
  std::vector<const Array*> patterns;
  for (const interpret::AttentionLayer& layer : interpret::attention_layers(run.model->config()))
    if (layer.stack == interpret::Stack::self) patterns.push_back(&cached.cache[layer.pattern]);
  return story_json(run.task, run.results, first, patterns);
}

// How the verdict is known.
const char* verdict_kind(const run::Results& r) {
  if (!r.certificate) return r.heads.empty() ? "accuracy" : "role";
  return interpret::verdict_kind(*r.certificate);
}

ordered_json evidence_json() {
  ordered_json kinds;
  for (const interpret::EvidenceKind& kind : interpret::evidence_kinds())
    if (kind.how != interpret::Evidence::proved)
      kinds[kind.key] = {
          {"how", interpret::to_string(kind.how)}, {"rests_on", kind.rests_on}, {"command", kind.command}};
  return kinds;
}

// What every page has but its sequences.
ordered_json every_page_json(const run::Run& run, const std::string& title, ordered_json story,
                             ordered_json history) {
  const nn::TransformerConfig& c = run.model->config();
  const std::vector<HeadScores>& heads = run.results.heads;
  const ScoreKinds kinds = kinds_on_page(heads);
  const std::vector<run::Metrics> metrics = all_metrics(run);
  const std::vector<studies::LossLine> lines = studies::loss_lines(run.results.baselines, run.task.kinds);
  return {{"title", title},
          {"verdict", brief_verdict(run.results)},
          {"verdict_kind", verdict_kind(run.results)},
          {"evidence", evidence_json()},
          {"vocabulary", vocabulary_json(run)},
          {"n_layers", c.n_layers},
          {"n_heads", c.n_heads},
          {"found", interpret::kFoundScore},
          {"score_kinds", score_table_json(kinds)},
          {"opens_with", interpret::score_to_show_first(heads)},
          {"story", std::move(story)},
          {"glossary", glossary_json()},
          {"task", task_json(run)},
          {"scores", heads_json(heads, kinds)},
          {"results", results_json(run)},
          {"settings", settings_json(run)},
          {"history", std::move(history)},
          {"unseen", hex(draw::kUnseen)},
          {"heat", draw::heat_colors()},
          {"charts", charts_json(run.task.kinds, metrics, lines)},
          {"metrics", metrics_json(metrics, lines, kinds)}};
}

}  // namespace

ordered_json run_data(const run::Run& run, const std::string& title, const std::vector<run::Example>& own,
                      bool live, ThreadPool& pool) {
  const std::vector<train::Snapshot> snapshots = all_snapshots(run);
  const nn::TransformerConfig& c = run.model->config();
  // The model whose weights are those of one snapshot after the other.
  const std::unique_ptr<nn::Transformer> model = make_model(run.config, run.task);
  Sequences sequences = page_sequences(run, own);
  const std::vector<Shown>& shown = sequences.shown;
  const std::string no_terms = add_terms(sequences.json, *run.model, shown, live ? 1 : shown.size());

  // The engine takes every sequence apart; but a bias of positions is a part of Circuits.
  if (ordered_json& first = sequences.json[0];
      live && first.contains("terms") && !first["terms"]["heads"][0].contains("bias"))
    first.erase("terms");

  ordered_json data = every_page_json(run, title, story_on_first(run, shown.front()),
                                      history_json(*model, snapshots, shown.front().example));
  data["sequences"] = std::move(sequences.json);
  for (const studies::PeriodAccuracy& at : page_periods(run, pool))
    data["periods"].push_back({at.period, at.accuracy, at.trained});
  if (stacks_of(c).size() > 1) data["stacks"] = stacks_json(stacks_of(c));
  if (const auto& certificate = run.results.certificate)
    data["certificate"] =
        certificate_json(*certificate, c, formation_json(*certificate, run, *model, snapshots, pool));
  if (ordered_json minute = minute_json(run, *model, snapshots); !minute.is_null())
    data["minute"] = std::move(minute);
  if (ordered_json without = live ? without_by_engine(run) : without_json(run, shown, pool);
      !without.is_null())
    data["without"] = std::move(without);
  data["circuits"] = circuits_json(*run.model, no_terms);
  if (live) data["lab"] = lab_json(run);
  return data;
}

}  // namespace headlight::page
