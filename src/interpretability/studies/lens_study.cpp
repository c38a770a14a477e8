#include "headlight/interpret/attribution.h"
#include "headlight/system/percent.h"
#include "studied_place.h"

namespace headlight::studies {
namespace {

constexpr std::size_t kPositionsShown = 64;    // in the terminal and in the picture
constexpr std::size_t kLayersWithNumbers = 4;  // with more, the terminal has guesses alone
constexpr double kGain = 0.05;                 // of accuracy, that a sentence names

// Row `layer` of logits (L+1,B,n,V).
Array logits_after(const Array& lens, std::size_t layer) {
  const Shape& shape = lens.shape();
  Array logits = empty_array({shape[1], shape[2], shape[3]});
  std::copy_n(lens.data() + layer * logits.size(), logits.size(), logits.data());
  return logits;
}

// "the embedding", "layer 0", …
std::string lens_name(std::size_t layer) {
  return layer == 0 ? "the embedding" : fmt::format("layer {}", layer - 1);
}

StudyTable lens_layers_table(const Array& lens, const tasks::Batch& batch) {
  StudyTable table{"layers",
                   "What would be predicted after each layer:",
                   {{"after", "after"},
                    {"accuracy", "accuracy"},
                    {"loss", "loss"},
                    {"loss_unpredictable", "loss on others"}}};
  std::size_t most = 0;
  std::vector<double> accuracy;
  for (std::size_t layer = 0; layer < lens.shape()[0]; ++layer) {
    const train::Evaluation e = train::evaluate(logits_after(lens, layer), batch);
    table.rows.push_back({lens_name(layer), optional_cell(e.accuracy_predictable),
                          e.loss_predictable.value_or(e.loss),
                          e.loss_predictable ? optional_cell(e.loss_unpredictable) : StudyCell()});
    accuracy.push_back(e.accuracy_predictable.value_or(0));
    const auto gain = [&](std::size_t l) { return accuracy[l] - accuracy[l - 1]; };
    if (layer > 0 && (most == 0 || gain(layer) > gain(most))) most = layer;
  }
  if (std::holds_alternative<std::monostate>(table.rows[0][1])) return table;
  table.sentences = {
      accuracy[most] - accuracy[most - 1] < kGain
          ? fmt::format("No layer raises the accuracy by {:.2f} or more.", kGain)
          : fmt::format("The largest gain is in {}: the accuracy is {:.3f} before and {:.3f} after.",
                        lens_name(most), accuracy[most - 1], accuracy[most])};
  return table;
}

StudyTable lens_sequence_table(const run::Run& run, const run::Example& example,
                               const std::vector<std::vector<Prediction>>& guesses) {
  const auto word = [&](std::int32_t token) { return printable_token(run.task.vocabulary.text(token)); };
  StudyTable table{"sequence",
                   "The guess after each layer, with its probability:",
                   {{"position", "position"}, {"token", "token"}, {"target", "target"}}};
  for (std::size_t layer = 0; layer < guesses.size(); ++layer) {
    const std::string key = layer == 0 ? "embedding" : fmt::format("layer_{}", layer - 1);
    table.columns.push_back({"guess_" + key, lens_name(layer)});
    table.columns.push_back({"probability_" + key, "p", 2, false, guesses.size() <= kLayersWithNumbers + 1});
  }
  for (std::size_t i = 0; i < example.tokens.size(); ++i) {
    const std::int32_t target = example.targets[i];
    auto& row = table.rows.emplace_back(
        std::vector<StudyCell>{static_cast<std::int64_t>(i), word(example.tokens[i]),
                               target == tasks::kNoTarget ? StudyCell() : StudyCell(word(target))});
    for (const auto& after : guesses) {
      row.emplace_back(word(after[i].token));
      row.emplace_back(after[i].probability);
    }
  }
  table.most_rows = kPositionsShown;
  return table;
}

draw::SignedMap lens_map(const run::Run& run, const run::Example& example,
                         const std::vector<std::vector<Prediction>>& guesses) {
  draw::SignedMap map;
  map.title = "What would be predicted after each layer";
  map.row_name = "last layer that is read", map.column_name = "token of the sequence",
  map.unit = "probability of the guess";
  map.magnitudes = true;
  const std::size_t shown = std::min(kPositionsShown, example.tokens.size());
  for (std::size_t i = 0; i < shown; ++i) map.columns.push_back(run.task.vocabulary.text(example.tokens[i]));
  for (std::size_t layer = 0; layer < guesses.size(); ++layer) {
    map.rows.push_back(layer == 0 ? "embed" : fmt::format("L{}", layer - 1));
    map.values.emplace_back(), map.texts.emplace_back();
    for (std::size_t i = 0; i < shown; ++i) {
      map.values.back().emplace_back(guesses[layer][i].probability);
      map.texts.back().push_back(run.task.vocabulary.text(guesses[layer][i].token));
    }
  }
  return map;
}

}  // namespace

Study lens_study(const run::Run& run, const LensRequest& request) {
  const StudiedPlace place(run, {.tokens = request.tokens, .source = request.source});
  const tasks::Batch batch = study_batch(run, request.sequences);
  const Array lens = interpret::logit_lens(*run.model, place.tokens(), place.given());
  const std::size_t n = lens.shape()[2], V = lens.shape()[3];
  std::vector<std::vector<Prediction>> guesses(lens.shape()[0]);
  for (std::size_t layer = 0; layer < guesses.size(); ++layer)
    for (std::size_t i = 0; i < n; ++i)
      guesses[layer].push_back(prediction_of(lens.data() + (layer * n + i) * V, V));
  Study study{"lens"};
  study.facts = {{"sequences", static_cast<std::int64_t>(request.sequences)}};
  study.tables = {
      lens_layers_table(interpret::logit_lens(*run.model, batch.tokens, {.source = batch.source}), batch),
      lens_sequence_table(run, place.example, guesses)};
  const bool known = std::holds_alternative<double>(study.tables[0].rows[0][1]);
  study.sentences = {
      "After each layer the final norm and the unembedding read the residual stream, as if the model ended "
      "there.",
      fmt::format("Measured on {} sequences as in training, drawn anew, on {} tokens.", request.sequences,
                  known ? run.task.kinds.predictable : "all")};
  if (!place.example.source.empty()) study.sentences.emplace_back("The layers are those of the decoder.");
  study.picture = lens_map(run, place.example, guesses);
  return study;
}

}  // namespace headlight::studies
