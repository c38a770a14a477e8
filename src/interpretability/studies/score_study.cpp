#include "headlight/interpret/attribution.h"
#include "smeared_keys.h"
#include "studied_place.h"

namespace headlight::studies {
namespace {

constexpr std::size_t kTermsShown = 16;

// "L0H1", or "L0H1 before" for what a smeared key takes from the position before it.
std::string label(const interpret::Source& source) {
  return source.back == 0 ? source.name : source.name + " before";
}

// What a source wrote, in a few words: "token 'B'", "position 40", "L0H1, looking most at 'A' at 22".
std::string source_words(const StudiedPlace& place, const interpret::Source& source, std::size_t position,
                         const std::optional<std::size_t>& from) {
  const std::size_t at = position - source.back;
  const char* before = source.back > 0 ? " before" : "";
  switch (source.kind) {
    case interpret::SourceKind::embed:
      return fmt::format("token {}{}", place.quoted(place.example.tokens[at]), before);
    case interpret::SourceKind::pos_embed:
      return fmt::format("position {}{}", at, before);
    case interpret::SourceKind::head:
      return label(source) + (from ? ", looking most at " + place.key_at(source.head->stack, *from) : "");
    case interpret::SourceKind::mlp:
    case interpret::SourceKind::bias:
      break;
  }
  return label(source);
}

// "what L0H1 wrote at 23 (it looks most at 'A' at 22 there)"
std::string source_clause(const StudiedPlace& place, const interpret::Source& source, std::size_t position,
                          const std::optional<std::size_t>& from) {
  const std::size_t at = position - source.back;
  const char* before = source.back > 0 ? ", just before the key" : "";
  if (source.kind == interpret::SourceKind::embed) return "the token " + place.at(at) + before;
  if (source.kind == interpret::SourceKind::pos_embed) return fmt::format("the position {}{}", at, before);
  if (source.kind != interpret::SourceKind::head) return fmt::format("{} at {}{}", source.name, at, before);
  if (!from) return fmt::format("what {} wrote at {}{}", source.name, at, before);
  return fmt::format("what {} wrote at {}{} (it looks most at {} there)", source.name, at, before,
                     place.key_at(source.head->stack, *from));
}

struct ScoreTerm {
  std::size_t s = 0, t = 0;
  double value = 0;
};

StudyTable terms_table(const StudiedPlace& place, const interpret::ScoreAttribution& a) {
  StudyTable table{"terms",
                   "What the query holds × what the key holds, largest first:",
                   {{"contribution", "contribution", 3, true},
                    {"query_source", "query", 0, false, false},
                    {"query_words", "query's part"},
                    {"key_source", "key", 0, false, false},
                    {"key_words", "key's part"}}};
  std::vector<ScoreTerm> terms;
  for (std::size_t s = 0; s < a.sources.size(); ++s)
    for (std::size_t t = 0; t < a.key_sources.size(); ++t)
      terms.push_back({s, t, static_cast<double>(a.terms(s, t))});
  largest_first(terms);
  for (const ScoreTerm& term : terms)
    table.rows.push_back({term.value, a.sources[term.s].name,
                          source_words(place, a.sources[term.s], a.query, a.query_from[term.s]),
                          label(a.key_sources[term.t]),
                          source_words(place, a.key_sources[term.t], a.key, a.key_from[term.t])});
  table.most_rows = kTermsShown;
  double rest = 0;
  for (std::size_t i = kTermsShown; i < terms.size(); ++i) rest += terms[i].value;
  if (terms.size() > kTermsShown)
    table.sentences.push_back(
        fmt::format("The other {} terms add {:+.3f}.", terms.size() - kTermsShown, rest));
  const ScoreTerm& top = terms.front();
  table.sentences.push_back(
      fmt::format("The largest term, {:+.3f} of {:+.3f}: {} meets {}.", top.value, a.sum,
                  source_clause(place, a.sources[top.s], a.query, a.query_from[top.s]),
                  source_clause(place, a.key_sources[top.t], a.key, a.key_from[top.t])));
  return table;
}

draw::SignedMap terms_map(const interpret::ScoreAttribution& a, const std::string& title) {
  draw::SignedMap map;
  map.title = title;
  map.row_name = "source of the query", map.column_name = "source of the key";
  map.numbers = a.key_sources.size() <= 16;
  for (const interpret::Source& source : a.key_sources) map.columns.push_back(label(source));
  for (std::size_t s = 0; s < a.sources.size(); ++s) {
    map.rows.push_back(a.sources[s].name);
    auto& row = map.values.emplace_back();
    for (std::size_t t = 0; t < a.key_sources.size(); ++t)
      row.emplace_back(static_cast<double>(a.terms(s, t)));
  }
  return map;
}

// The pattern of a head at one query (n).
std::vector<double> weights_at(const StudiedPlace& place, const interpret::HeadAt& head, std::size_t query) {
  const std::string name = interpret::layer_of(place.run.model->config(), head).pattern;
  const interpret::CachedRun run = patterns_of(*place.run.model, place.example);
  const Array& all = run.cache[name];  // (1,H,n,m)
  const std::size_t n = all.shape()[2], m = all.shape()[3];
  check(query < n, "there is no query {}: this head has queries 0 … {}.", query, n - 1);
  const Real* row = all.data() + (head.head * n + query) * m;
  return {row, row + m};
}

}  // namespace

Study score_study(const run::Run& run, const AttributionRequest& request, const interpret::HeadAt& head,
                  std::optional<std::size_t> key) {
  const StudiedPlace place(run, request);
  const std::vector<double> weights = weights_at(place, head, request.position);
  const auto most =
      static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  const interpret::ScoreAttribution a = interpret::score_attribution(
      *run.model, place.tokens(), head, request.position, key.value_or(most), place.given());
  const std::string code = interpret::head_code(head);
  Study study{"score"};
  study.facts = {{"head", code},
                 {"query", static_cast<std::int64_t>(a.query)},
                 {"key", static_cast<std::int64_t>(a.key)},
                 {"weight", weights[a.key]},
                 {"sum_of_terms", a.sum},
                 {"bias", a.bias},
                 {"score", a.score}};
  study.sentences = {
      fmt::format("The query {} gives the key {} an attention weight of {:.3f} in {}.{}", place.at(a.query),
                  place.at(a.key), weights[a.key], code,
                  a.key == most
                      ? " It gives no key more."
                      : fmt::format(" It gives most, {:.3f}, to {}.", weights[most], place.at(most))),
      fmt::format("The attention logit is {:+.4f}; the terms add up to {:+.4f}{}{}.", a.score, a.sum,
                  run.model->config().score_cap > 0 ? ", before the score cap" : "",
                  a.bias == 0 ? "" : fmt::format("; the bias by distance is {:+.4f}", a.bias))};
  if (const std::string smeared = smeared_keys_words(run, head); !smeared.empty())
    study.sentences.push_back(smeared);
  study.tables = {terms_table(place, a)};
  study.picture =
      terms_map(a, fmt::format("{}: the attention logit of query {} for key {}", code, a.query, a.key));
  return study;
}

}  // namespace headlight::studies
