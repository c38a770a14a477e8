#include "headlight/page/page.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "compress.h"
#include "headlight/core/check.h"
#include "headlight/draw/color.h"
#include "headlight/page/glossary.h"
#include "headlight/system/text.h"
#include "page_circuits_json.h"
#include "page_parts.h"

namespace headlight::page {
namespace {

using nlohmann::ordered_json;

// Texts of a run, which may come from a stranger: without what turns the direction of writing around. Tokens
// stay as they are, because the page names such characters (text.js).
ordered_json texts_json(const std::vector<std::string>& texts) {
  ordered_json list = ordered_json::array();
  for (const std::string& text : texts) list.push_back(printable(text));
  return list;
}

// Not rounded, because the page rounds for the screen, and rounding twice may give a wrong digit.
double finite(double value) {
  check(std::isfinite(value), "[report] a figure is not finite.");
  return value;
}

ordered_json json_of(const PackedPatterns& p, std::size_t sets = 1) {
  ordered_json json = {{"bits", p.bits()},       {"cell", p.cell()}, {"causal", p.sight() == Sight::causal},
                       {"queries", p.queries()}, {"keys", p.keys()}, {"data", compressed_json(p, sets)}};
  if (p.window() > 0) json["window"] = p.window();
  return json;
}

using Kinds = std::vector<const interpret::ScoreKind*>;

// A head's scores in the order of the page's table of scores; null where a score is not defined.
ordered_json json_of(const std::vector<interpret::HeadScores>& heads, const Kinds& kinds) {
  ordered_json list = ordered_json::array();
  for (const auto& h : heads) {
    ordered_json values = ordered_json::array();
    for (const auto* kind : kinds)
      values.push_back(h.has(kind->key) ? ordered_json(finite(h[kind->key])) : ordered_json());
    while (!values.empty() && values.back().is_null()) values.erase(values.size() - 1);
    list.push_back(std::move(values));
  }
  return list;
}

// The kinds of scores that can occur on a page: those of one sequence always, others where a head has them.
Kinds kinds_of(const Page& page) {
  Kinds kinds;
  for (const auto& kind : interpret::score_kinds())
    if (kind.on == interpret::Scored::one_sequence || kind.on == interpret::Scored::earlier_tokens ||
        interpret::is_scored(page.scores, kind.key))
      kinds.push_back(&kind);
  return kinds;
}

// The table of scores: the texts of each kind, and the order of a head's values.
ordered_json json_of(const Kinds& kinds) {
  ordered_json list = ordered_json::array();
  for (const auto* kind : kinds)
    list.push_back({{"key", kind->key},
                    {"name", kind->name},
                    {"brief", kind->column},
                    {"role", kind->role},
                    {"help", kind->help},
                    {"drawing", kind->drawing},
                    {"charted", kind->charted}});
  return list;
}

ordered_json json_of(const std::vector<interpret::Stack>& stacks) {
  ordered_json list = ordered_json::array();
  for (const interpret::Stack stack : stacks) {
    const interpret::StackNames& names = interpret::names_of(stack);
    list.push_back({{"letter", names.letter}, {"of", names.of}, {"title", names.title}});
  }
  return list;
}

void check_shape(const PackedPatterns& p, std::size_t queries, std::size_t keys, const std::string& label) {
  check(p.queries() == queries && p.keys() == keys,
        "[report] expected patterns ({},{}) for the sequence '{}', got ({},{}).", queries, keys, label,
        p.queries(), p.keys());
}

ordered_json json_of(const PageView& view, const std::string& label) {
  check_shape(view.patterns, view.tokens.size(), view.keys.empty() ? view.tokens.size() : view.keys.size(),
              label);
  ordered_json json = {{"tokens", view.tokens}, {"patterns", json_of(view.patterns)}};
  if (!view.keys.empty()) json["keys"] = view.keys;
  return json;
}

ordered_json json_of(const PageSequence& s) {
  check_shape(s.patterns, s.tokens.size(), s.keys.empty() ? s.tokens.size() : s.keys.size(), s.label);
  ordered_json guesses = ordered_json::array();
  for (const auto& position : s.guesses) {
    ordered_json list = ordered_json::array();
    for (const Guess& g : position) list.push_back({g.token, finite(g.probability)});
    guesses.push_back(std::move(list));
  }
  ordered_json json = {{"label", printable(s.label)},
                       {"tokens", s.tokens},
                       {"targets", s.targets},
                       {"predictable", std::vector<int>(s.predictable.begin(), s.predictable.end())},
                       {"guesses", std::move(guesses)},
                       {"patterns", json_of(s.patterns)}};
  if (!s.keys.empty()) json["keys"] = s.keys;
  if (!s.repeats.empty()) json["repeats"] = s.repeats;
  for (const PageView& view : s.views) json["views"].push_back(json_of(view, s.label));
  if (!s.terms.heads.empty()) json["terms"] = terms_json(s.terms, s.tokens.size());
  return json;
}

ordered_json json_of(const PageMetrics& f, const Kinds& kinds) {
  ordered_json values = ordered_json::object();
  for (const auto& [key, value] : f.values) values[key] = finite(value);
  return {{"step", f.step}, {"values", std::move(values)}, {"scores", json_of(f.heads, kinds)}};
}

ordered_json json_of(const PageChart& chart) {
  ordered_json curves = ordered_json::array();
  for (const auto& c : chart.curves) {
    curves.push_back({{"key", c.key}, {"name", printable(c.name)}, {"brief", printable(c.brief)}});
    if (!c.level_of.empty()) curves.back()["level_of"] = c.level_of;
  }
  return {{"title", printable(chart.title)}, {"share", chart.share}, {"curves", std::move(curves)}};
}

ordered_json json_of(const std::vector<PageFact>& facts) {
  ordered_json list = ordered_json::array();
  for (const PageFact& fact : facts) list.push_back(texts_json({fact.name, fact.value, fact.help}));
  return list;
}

ordered_json json_of(const PageStory& story) {
  ordered_json json = {
      {"sequence", 0}, {"headline", printable(story.headline)}, {"sentences", texts_json(story.sentences)}};
  if (const auto& place = story.place)
    json.update(
        {{"layer", place->layer}, {"head", place->head}, {"query", place->query}, {"key", place->key}});
  return json;
}

ordered_json glossary_json() {
  ordered_json list = ordered_json::array();
  for (const Term& term : glossary())
    list.push_back({{"term", term.term}, {"also", term.also}, {"definition", term.definition}});
  return list;
}

// Checks that there is one pattern per head at each step.
void check_number(const PackedPatterns& p, std::size_t expected, const std::string& where) {
  const std::size_t size = std::max<std::size_t>(1, p.bytes_of_pattern(p.queries(), p.keys()));
  check(p.bytes().size() == expected * size, "[report] expected {} patterns of {}, got {}.", expected, where,
        p.bytes().size() / size);
}

void check_page(const Page& page) {
  const std::size_t heads = page.n_layers * page.n_heads, views = page.stacks.size() - 1;
  for (const PageSequence& s : page.sequences) {
    check_number(s.patterns, heads, "the sequence '" + s.label + "'");
    check(s.views.size() == views, "[report] expected {} views of the sequence '{}', got {}.", views, s.label,
          s.views.size());
    for (const PageView& view : s.views) check_number(view.patterns, heads, "the sequence '" + s.label + "'");
  }
  check(!page.history.steps.empty(), "[report] expected a step of the history at least, got none.");
  check_number(page.history.patterns, heads * page.history.steps.size(), "the history");
  check(page.history.views.size() == views, "[report] expected {} views of the history, got {}.", views,
        page.history.views.size());
  for (const PackedPatterns& view : page.history.views)
    check_number(view, heads * page.history.steps.size(), "the history");
}

ordered_json json_of(const Page& page) {
  const Kinds kinds = kinds_of(page);
  const std::size_t snapshots = page.history.steps.size();
  ordered_json json = {
      {"title", printable(page.title)},
      {"verdict", printable(page.verdict)},
      {"vocabulary", page.vocabulary},
      {"n_layers", page.n_layers},
      {"n_heads", page.n_heads},
      {"found", interpret::kFoundScore},
      {"score_kinds", json_of(kinds)},
      {"opens_with", interpret::score_to_show_first(page.scores)},
      {"story", json_of(page.story)},
      {"glossary", glossary_json()},
      {"task",
       {{"name", printable(page.task)},
        {"labels", page.labels},
        {"scored_on", printable(page.scored_on)},
        {"what", printable(page.words.what)},
        {"answer", printable(page.words.answer)},
        {"success", printable(page.words.success)},
        {"look_for", printable(page.words.look_for)}}},
      {"scores", json_of(page.scores, kinds)},
      {"results", json_of(page.results)},
      {"settings", json_of(page.settings)},
      {"history", {{"steps", page.history.steps}, {"patterns", json_of(page.history.patterns, snapshots)}}}};
  json["unseen"] = hex(draw::kUnseen);
  for (int i = 0; i < 8; ++i) json["heat"].push_back(hex(draw::heat_color(i / 7.0)));
  json["sequences"] = json["metrics"] = json["charts"] = ordered_json::array();
  for (const auto& s : page.sequences) json["sequences"].push_back(json_of(s));
  for (const auto& f : page.metrics) json["metrics"].push_back(json_of(f, kinds));
  for (const auto& c : page.charts) json["charts"].push_back(json_of(c));
  for (const auto& p : page.periods) json["periods"].push_back({p.period, finite(p.accuracy), p.trained});
  if (page.stacks.size() > 1) json["stacks"] = json_of(page.stacks);
  for (const PackedPatterns& view : page.history.views)
    json["history"]["views"].push_back(json_of(view, snapshots));
  const std::size_t heads = page.stacks.size() * page.n_layers * page.n_heads;
  if (page.certificate) json["certificate"] = certificate_json(*page.certificate, heads);
  if (page.without)
    json["without"] = without_json(*page.without, page.sequences, heads, page.vocabulary.size());
  if (!page.circuits.heads.empty()) json["circuits"] = circuits_json(page.circuits);
  if (page.lab) json["lab"] = lab_json(*page.lab);
  return json;
}

// JSON of ASCII characters only, in which no "<" can end the script element that holds it. Bytes that are no
// UTF-8 become replacement characters.
std::string embedded(const ordered_json& json) {
  std::string out;
  for (char c : json.dump(-1, ' ', true, ordered_json::error_handler_t::replace)) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::vector<PageChart> standard_charts(const std::string& predictable, const std::string& others) {
  return {
      {"Loss, in nats",
       false,
       {{"loss_predictable", predictable + " tokens", predictable},
        {"loss_unpredictable", others + " tokens", others}}},
      {"Accuracy on " + predictable + " tokens", true, {{"accuracy_predictable", "accuracy", "accuracy"}}}};
}

std::string page_data(const Page& page) {
  check_page(page);
  return embedded(json_of(page));
}

}  // namespace headlight::page
