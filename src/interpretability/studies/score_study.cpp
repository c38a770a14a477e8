#include "headlight/interpret/attribution.h"
#include "studied_place.h"

namespace headlight::studies {
namespace {

constexpr std::size_t kTermsShown = 16;

// What a source wrote, in a few words: "'B'", "position 40", "L0H1, from 'A' at 22".
std::string source_words(const StudiedPlace& place, const interpret::Source& source, std::size_t position,
                         const std::optional<std::size_t>& from) {
  switch (source.kind) {
    case interpret::SourceKind::embed:
      return "token " + place.quoted(place.example.tokens[position]);
    case interpret::SourceKind::pos_embed:
      return fmt::format("position {}", position);
    case interpret::SourceKind::head:
      return from ? fmt::format("{}, from {}", source.name, place.key_at(source.head->stack, *from))
                  : source.name;
    case interpret::SourceKind::mlp:
    case interpret::SourceKind::bias:
      break;
  }
  return source.name;
}

// "what L0H1 wrote at 23 (it looks most at 'A' at 22 there)"
std::string source_clause(const StudiedPlace& place, const interpret::Source& source, std::size_t position,
                          const std::optional<std::size_t>& from) {
  if (source.kind == interpret::SourceKind::embed) return "the token " + place.at(position);
  if (source.kind == interpret::SourceKind::pos_embed) return fmt::format("the position {}", position);
  if (source.kind != interpret::SourceKind::head) return fmt::format("{} at {}", source.name, position);
  if (!from) return fmt::format("what {} wrote at {}", source.name, position);
  return fmt::format("what {} wrote at {} (it looks most at {} there)", source.name, position,
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
    for (std::size_t t = 0; t < a.sources.size(); ++t)
      terms.push_back({s, t, static_cast<double>(a.terms(s, t))});
  largest_first(terms);
  for (const ScoreTerm& term : terms)
    table.rows.push_back({term.value, a.sources[term.s].name,
                          source_words(place, a.sources[term.s], a.query, a.query_from[term.s]),
                          a.sources[term.t].name,
                          source_words(place, a.sources[term.t], a.key, a.key_from[term.t])});
  table.most_rows = kTermsShown;
  double rest = 0;
  for (std::size_t i = kTermsShown; i < terms.size(); ++i) rest += terms[i].value;
  if (terms.size() > kTermsShown)
    table.sentences.push_back(
        fmt::format("The other {} terms add {:+.3f}.", terms.size() - kTermsShown, rest));
  const ScoreTerm& top = terms.front();
  table.sentences.push_back(fmt::format("The largest term, {:+.3f} of {:+.3f}: {} meets {}.", top.value,
                                        a.sum,
                                        source_clause(place, a.sources[top.s], a.query, a.query_from[top.s]),
                                        source_clause(place, a.sources[top.t], a.key, a.key_from[top.t])));
  return table;
}

draw::SignedMap terms_map(const interpret::ScoreAttribution& a, const std::string& title) {
  draw::SignedMap map;
  map.title = title;
  map.row_name = "source of the query", map.column_name = "source of the key";
  map.numbers = a.sources.size() <= 16;
  for (std::size_t s = 0; s < a.sources.size(); ++s) {
    map.rows.push_back(a.sources[s].name);
    auto& row = map.values.emplace_back();
    for (std::size_t t = 0; t < a.sources.size(); ++t) row.emplace_back(static_cast<double>(a.terms(s, t)));
  }
  map.columns = map.rows;
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
  study.tables = {terms_table(place, a)};
  study.picture =
      terms_map(a, fmt::format("{}: the attention logit of query {} for key {}", code, a.query, a.key));
  return study;
}

}  // namespace headlight::studies
