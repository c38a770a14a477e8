#include <fmt/core.h>

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/interpret/circuits.h"
#include "headlight/nn/positions.h"
#include "headlight/studies/head_studies.h"
#include "smeared_keys.h"

namespace headlight::studies {
namespace {

constexpr std::size_t kSingularValues = 3;

StudyTable circuits_table(const std::vector<interpret::HeadCircuit>& circuits, std::size_t d_vocab) {
  // It raises about half of all logits, each as much as that of the token looked at.
  const double by_chance = 4 / (1 + static_cast<double>(d_vocab) / 2) - 1;
  StudyTable table{
      "heads",
      fmt::format("Copying, from -1 to 1 (by raised logits, a head that raises tokens at random has "
                  "{:.2f}), and the largest singular values of OV and QK:",
                  by_chance),
      {{"head", "head"},
       {"copying_eigenvalues", "by eigenvalues", 3, true},
       {"copying_olsson", "by raised logits", 3, true}}};
  for (const char* circuit : {"ov", "qk"})
    for (std::size_t i = 1; i <= kSingularValues; ++i)
      table.columns.push_back({fmt::format("{}_singular_{}", circuit, i), fmt::format("{} {}", circuit, i)});
  for (const interpret::HeadCircuit& c : circuits) {
    auto& row = table.rows.emplace_back(std::vector<StudyCell>{
        interpret::head_code(c.at), optional_cell(c.copying_eigen), optional_cell(c.copying_olsson)});
    for (const auto* values : {&c.ov_singular, &c.qk_singular})
      for (std::size_t i = 0; i < kSingularValues; ++i)
        row.push_back(i < values->size() ? StudyCell((*values)[i]) : StudyCell());
  }
  return table;
}

using interpret::Composition;

struct CompositionInput {
  const char *key, *name;
  double interpret::ByInput::*member;
};
constexpr CompositionInput kCompositionInputs[] = {{"q", "Q", &interpret::ByInput::q},
                                                   {"k", "K", &interpret::ByInput::k},
                                                   {"v", "V", &interpret::ByInput::v}};

std::vector<Composition> all_compositions(const nn::Transformer& model) {
  std::vector<Composition> all = interpret::compositions(model);
  if (model.config().architecture != nn::Architecture::encoder_decoder) return all;
  interpret::CompositionOptions options;
  options.stack = interpret::Stack::encoder;
  for (Composition& c : interpret::compositions(model, options)) all.push_back(c);
  return all;
}

// Earlier head × later head of one input.
draw::SignedMap composition_map(const std::vector<Composition>& pairs, const CompositionInput& input) {
  draw::SignedMap map;
  map.row_name = "earlier head", map.column_name = "later head";
  map.decimals = 3;
  const auto place = [](std::vector<std::string>& labels, const std::string& label) {
    const auto at = std::find(labels.begin(), labels.end(), label);
    if (at == labels.end()) labels.push_back(label);
    return static_cast<std::size_t>(std::find(labels.begin(), labels.end(), label) - labels.begin());
  };
  for (const Composition& c : pairs)
    place(map.rows, interpret::head_code(c.from)), place(map.columns, interpret::head_code(c.to));
  map.values.assign(map.rows.size(), std::vector<std::optional<double>>(map.columns.size()));
  for (const Composition& c : pairs)
    map.values[place(map.rows, interpret::head_code(c.from))]
              [place(map.columns, interpret::head_code(c.to))] = c.score.*input.member;
  return map;
}

StudyTable compositions_table(const std::vector<Composition>& pairs) {
  StudyTable table{"compositions",
                   "How strongly a later head reads what an earlier one writes, less the mean of random "
                   "matrices of these shapes, the largest first:",
                   {{"from", "from"}, {"to", "to"}}};
  for (const char* what : {"", "_ratio", "_baseline"})
    for (const CompositionInput& input : kCompositionInputs)
      table.columns.push_back(
          {std::string(input.key) + what, std::string(input.name) + what, 3, true, what[0] == 0});
  for (const Composition& c : pairs) {
    auto& row = table.rows.emplace_back(
        std::vector<StudyCell>{interpret::head_code(c.from), interpret::head_code(c.to)});
    for (const interpret::ByInput* by : {&c.score, &c.ratio, &c.baseline})
      for (const CompositionInput& input : kCompositionInputs) row.emplace_back(by->*input.member);
  }
  if (pairs.empty()) {
    table.sentences = {"The model has one layer: no head reads what another writes."};
    return table;
  }
  table.largest_first = true;
  for (const CompositionInput& input : kCompositionInputs) {
    const Composition& best =
        *std::max_element(pairs.begin(), pairs.end(), [&](const Composition& a, const Composition& b) {
          return a.score.*input.member < b.score.*input.member;
        });
    table.sentences.push_back(fmt::format("The strongest {}-composition is of {} with {}: {:+.3f}.",
                                          input.name, interpret::head_code(best.to),
                                          interpret::head_code(best.from), best.score.*input.member));
  }
  return table;
}

// One picture: K-, Q- and V-composition side by side.
draw::SignedMap composition_picture(const std::vector<Composition>& pairs) {
  draw::SignedMap all;
  for (const CompositionInput& input : kCompositionInputs) {
    const draw::SignedMap one = composition_map(pairs, input);
    if (all.values.empty()) all = one, all.values.assign(one.rows.size(), {}), all.columns.clear();
    for (const std::string& column : one.columns) all.columns.push_back(column + "." + input.key);
    for (std::size_t r = 0; r < one.rows.size(); ++r)
      all.values[r].insert(all.values[r].end(), one.values[r].begin(), one.values[r].end());
  }
  all.title = "Composition minus its baseline";
  return all;
}

// What the diagonal of a full circuit shows: a token that raises itself, or is a key for itself.
std::string diagonal_sentence(const draw::SignedMap& map, bool ov) {
  double diagonal = 0, elsewhere = 0;
  std::size_t largest = 0;
  const std::size_t size = map.rows.size();
  for (std::size_t i = 0; i < size; ++i) {
    const auto& row = map.values[i];
    for (std::size_t j = 0; j < size; ++j) (i == j ? diagonal : elsewhere) += *row[j];
    largest +=
        std::max_element(row.begin(), row.end()) - row.begin() == static_cast<std::ptrdiff_t>(i) ? 1 : 0;
  }
  const auto V = static_cast<double>(size);
  return fmt::format(
      "{} {:.3f} in the mean, {} {:.3f}. For {} of {} tokens its own number is the largest of its row.",
      ov ? "Attended to, a token changes its own logit by"
         : "A query gives its own token as a key the attention logit",
      diagonal / V, ov ? "those of other tokens by" : "other tokens",
      size > 1 ? elsewhere / (V * (V - 1)) : 0.0, largest, size);
}

void check_distance(const run::Run& run, FullCircuit circuit, const std::optional<int>& distance) {
  if (!distance) return;
  check(circuit == FullCircuit::qk, "a distance belongs to the QK circuit. Hint: --qk --distance {}.",
        *distance);
  check(
      static_cast<bool>(nn::positions().find(run.model->config().positions).rotation),
      "the distance changes the QK circuit of positions that rotate, and this model's are '{}'. Hint: leave "
      "--distance out.",
      run.model->config().positions);
}

}  // namespace

Study circuit_study(const run::Run& run) {
  Study study{"circuits"};
  study.sentences = {"From the parameters alone, with the norms folded in."};
  const std::vector<Composition> pairs = all_compositions(*run.model);
  study.tables = {circuits_table(interpret::circuits_of(*run.model), run.model->config().d_vocab),
                  compositions_table(pairs)};
  if (!pairs.empty()) study.picture = composition_picture(pairs);
  return study;
}

Study full_circuit_study(const run::Run& run, const interpret::HeadAt& head, FullCircuit circuit,
                         std::optional<int> distance) {
  check_distance(run, circuit, distance);
  constexpr std::size_t kMostTokens = 1000;  // a million numbers; each takes half a kilobyte as text
  const std::size_t V = run.model->config().d_vocab;
  check(V <= kMostTokens,
        "a full circuit has a number for each pair of tokens, and this model has {} tokens: "
        "expected at most {}. Hint: circuits without --head measures all heads from their "
        "factors.",
        V, kMostTokens);
  const bool ov = circuit == FullCircuit::ov;
  interpret::CircuitOptions options;
  options.distance = distance.value_or(0);
  const auto input = interpret::CircuitInput::tokens;
  const Array matrix = ov ? interpret::full_ov(*run.model, head, input, options).product()
                          : interpret::full_qk(*run.model, head, input, input, options).product();  // (V,V)
  draw::SignedMap map;
  map.title = fmt::format("The full {} circuit of {}{}", ov ? "OV" : "QK", interpret::head_code(head),
                          distance ? fmt::format(", key {} behind the query", *distance) : "");
  map.row_name = ov ? "token attended to" : "token of the query";
  map.column_name = ov ? "token whose logit changes" : "token of the key";
  map.unit = ov ? "logits, before norms scale" : "attention logits, before norms scale";
  map.numbers = false;
  StudyTable table{"circuit",
                   map.title + ", the largest first:",
                   {{ov ? "attended" : "query", ov ? "attended" : "query"},
                    {ov ? "raised" : "key", ov ? "raised" : "key"},
                    {"value", map.unit, 3, true}}};
  for (std::size_t t = 0; t < V; ++t) {
    map.rows.push_back(run.task.vocabulary.text(static_cast<std::int32_t>(t)));
    auto& row = map.values.emplace_back();
    for (std::size_t u = 0; u < V; ++u) {
      row.emplace_back(static_cast<double>(matrix(t, u)));
      table.rows.push_back(
          {map.rows.back(), run.task.vocabulary.text(static_cast<std::int32_t>(u)), *row.back()});
    }
  }
  map.columns = map.rows;
  table.sentences = {diagonal_sentence(map, ov)};
  if (const std::string smeared = smeared_keys_words(run, head); !ov && !smeared.empty())
    table.sentences.push_back(smeared + " The numbers are of a token's key before it is smeared.");
  table.largest_first = true;
  Study study{"full_circuit"};
  study.facts = {{"head", interpret::head_code(head)}, {"circuit", std::string(ov ? "ov" : "qk")}};
  if (!ov) study.facts.emplace_back("distance", static_cast<std::int64_t>(options.distance));
  study.tables = {std::move(table)};
  study.picture = std::move(map);
  return study;
}

}  // namespace headlight::studies
