#include <fmt/core.h>

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/studies/head_studies.h"

namespace headlight::studies {
namespace {

using interpret::HeadInput;

std::string name_of(HeadInput input) {
  std::string name;
  for (const auto& entry : interpret::head_inputs().entries())
    if (entry.thing == input) name = entry.name;
  return name;
}

// Sender × receivers of one input, of the senders that have a path; empty for a model of one layer.
draw::SignedMap path_map(const interpret::PathMatrix& matrix, HeadInput input) {
  draw::SignedMap map;
  for (const interpret::HeadAt& sender : matrix.senders)
    if (sender.layer < matrix.senders.back().layer) map.rows.push_back(interpret::head_code(sender));
  map.values.resize(map.rows.size());
  for (std::size_t r = 0; r < matrix.receivers.size(); ++r) {
    const interpret::Receiver& receiver = matrix.receivers[r];
    if (receiver.input != input || receiver.head.layer == 0) continue;
    map.columns.push_back(interpret::head_code(receiver.head));
    for (std::size_t s = 0; s < map.rows.size(); ++s) {
      const bool exists = matrix.senders[s].layer < receiver.head.layer;
      map.values[s].push_back(exists ? std::optional<double>(matrix.rises[s][r]) : std::nullopt);
    }
  }
  return map;
}

// "Into keys most from L0H1 to L1H0: +1.790 nats."
std::string strongest_path(const StudyTable& table, const StudyCell& input) {
  const std::vector<StudyCell>* best = nullptr;
  for (const auto& row : table.rows)
    if (row[2] == input && (best == nullptr || std::get<double>(row[3]) > std::get<double>((*best)[3])))
      best = &row;
  if (best == nullptr) return "";
  const auto* name = std::get_if<std::string>(&input);
  return fmt::format("The largest rise into {}: {:+.3f} nats, from {}{}.",
                     name == nullptr ? "the logits" : *name, std::get<double>((*best)[3]),
                     std::get<std::string>((*best)[0]),
                     name == nullptr ? "" : " to " + std::get<std::string>((*best)[1]));
}

StudyTable paths_table(const interpret::PathMatrix& matrix, std::optional<HeadInput> to) {
  StudyTable table{
      "paths",
      "Rise of the loss by the path from sender to receiver, nats, the largest first:",
      {{"sender", "sender"}, {"receiver", "receiver"}, {"input", "input"}, {"loss_rise", "rise", 3, true}}};
  for (std::size_t s = 0; s < matrix.senders.size(); ++s) {
    const std::string sender = interpret::head_code(matrix.senders[s]);
    for (std::size_t r = 0; r < matrix.receivers.size(); ++r) {
      const interpret::Receiver& receiver = matrix.receivers[r];
      if ((to && receiver.input != *to) || matrix.senders[s].layer >= receiver.head.layer) continue;
      table.rows.push_back(
          {sender, interpret::head_code(receiver.head), name_of(receiver.input), matrix.rises[s][r]});
    }
    table.rows.push_back({sender, std::string("logits"), StudyCell(), matrix.to_logits[s]});
  }
  for (const auto& entry : interpret::head_inputs().entries()) {
    std::string strongest = strongest_path(table, entry.name);
    if (!strongest.empty()) table.sentences.push_back(std::move(strongest));
  }
  table.sentences.push_back(strongest_path(table, StudyCell()));
  table.largest_first = true;
  return table;
}

// All paths as one picture: the receivers' inputs beside each other, then the logits.
draw::SignedMap path_picture(const interpret::PathMatrix& matrix, std::optional<HeadInput> to) {
  draw::SignedMap all;
  all.title = "Rise of the loss by path" + (to ? ", into " + name_of(*to) : "");
  all.row_name = "sender", all.column_name = "receiver", all.unit = "nats";
  for (const interpret::HeadAt& sender : matrix.senders) all.rows.push_back(interpret::head_code(sender));
  all.values.resize(all.rows.size());
  for (const auto& entry : interpret::head_inputs().entries()) {
    if (to && entry.thing != *to) continue;
    const draw::SignedMap one = path_map(matrix, entry.thing);
    for (const std::string& column : one.columns)
      all.columns.push_back(column + "." + entry.name.substr(0, 1));
    for (std::size_t s = 0; s < one.rows.size(); ++s)
      all.values[s].insert(all.values[s].end(), one.values[s].begin(), one.values[s].end());
    for (std::size_t s = one.rows.size(); s < all.rows.size(); ++s) all.values[s].resize(all.columns.size());
  }
  all.columns.emplace_back("logits");
  for (std::size_t s = 0; s < all.rows.size(); ++s) all.values[s].emplace_back(matrix.to_logits[s]);
  return all;
}

StudyTable restored_table(const interpret::PatchMatrix& matrix, bool streams) {
  StudyTable table{"restored",
                   streams ? "Part restored by the stream before a layer, at one position, the largest first:"
                           : "Part restored by the output of a head, at all positions:",
                   {{streams ? "stream" : "head", streams ? "stream" : "head"},
                    {"position", "position"},
                    {"restored", "restored", 3, true}}};
  if (streams)
    table.largest_first = true;
  else
    table.columns.erase(table.columns.begin() + 1);
  for (std::size_t h = 0; h < matrix.hooks.size(); ++h)
    for (std::size_t i = 0; i < matrix.restored[h].size(); ++i) {
      auto& row = table.rows.emplace_back(std::vector<StudyCell>{matrix.hooks[h]});
      if (streams) row.emplace_back(static_cast<std::int64_t>(matrix.positions[i]));
      row.emplace_back(matrix.restored[h][i]);
    }
  return table;
}

draw::SignedMap stream_map(const interpret::PatchMatrix& matrix) {
  draw::SignedMap map;
  map.title = "Clean into renamed: part of the logit difference restored";
  map.row_name = "stream before the layer", map.column_name = "position";
  map.numbers = false;
  for (std::size_t h = 0; h < matrix.hooks.size(); ++h) {
    map.rows.push_back(std::to_string(h));
    map.values.emplace_back(matrix.restored[h].begin(), matrix.restored[h].end());
  }
  for (const std::size_t position : matrix.positions) map.columns.push_back(std::to_string(position));
  return map;
}

draw::Bars head_bars(const interpret::PatchMatrix& matrix) {
  draw::Bars bars{"Clean into renamed: part restored by each head", "", matrix.hooks, {}, 3};
  for (const auto& restored : matrix.restored) bars.values.push_back(restored[0]);
  return bars;
}

}  // namespace

tasks::Batch renamed_batch(const run::Run& run, const tasks::Batch& batch) {
  return interpret::renamed(batch, run.model->config().d_vocab, run.task.special,
                            Rng(run.config.train.seed).stream("study, names"));
}

Study path_study(const run::Run& run, const PathRequest& request, ThreadPool& pool) {
  const tasks::Batch clean = study_batch(run, request.sequences);
  const auto other = interpret::outputs_of(*run.model, renamed_batch(run, clean));
  const interpret::PathPatching paths(*run.model, clean, other, request.through);
  const interpret::PathMatrix matrix = interpret::path_matrix(paths, *run.model, clean, pool);
  const train::Evaluation intact = train::evaluate(*run.model, clean, pool);
  const double loss = intact.loss_predictable.value_or(intact.loss);
  const bool mlps = request.through == interpret::Through::mlps;
  Study study{"paths"};
  study.facts = {{"sequences", static_cast<std::int64_t>(request.sequences)},
                 {"intact_loss", loss},
                 {"through", std::string(mlps ? "mlps" : "residual_stream")}};
  study.sentences = {
      "The sender writes to the receiver what it writes on the same sequences with every token exchanged for "
      "another.",
      mlps ? "All other heads write what they wrote; MLPs between sender and receiver are computed anew."
           : "All other heads and MLPs write what they wrote.",
      fmt::format(
          "Measured on {} sequences as in training, drawn anew, on {} tokens. Intact: loss {:.3f} nats.",
          request.sequences, intact.loss_predictable ? run.task.kinds.predictable : "all", loss)};
  study.tables = {paths_table(matrix, request.to)};
  const nn::TransformerConfig& config = run.model->config();
  if (config.n_kv_heads > 0 && config.n_kv_heads < config.n_heads)
    study.tables[0].sentences.push_back(
        "Heads that share keys and values have one input of each, so paths into them show the same number.");
  study.picture = path_picture(matrix, request.to);
  return study;
}

Study restoration_study(const run::Run& run, Restored what, ThreadPool& pool, std::size_t sequences) {
  const bool streams = what == Restored::streams;
  const tasks::Batch clean = study_batch(run, sequences);
  check(train::evaluate(*run.model, clean, pool).accuracy_predictable.has_value(),
        "no token of the task '{}' is {}, so there is no right answer to restore. Hint: without "
        "--streams and --heads, patch measures the loss on all tokens.",
        run.task.config.name, run.task.kinds.predictable);
  const tasks::Batch corrupted = renamed_batch(run, clean);
  const interpret::PatchMatrix matrix = streams ? interpret::patch_streams(*run.model, clean, corrupted, pool)
                                                : interpret::patch_heads(*run.model, clean, corrupted, pool);
  Study study{"restoration"};
  study.facts = {{"sequences", static_cast<std::int64_t>(sequences)}};
  study.sentences = {
      fmt::format("The model reads {} sequences in which every token is exchanged for another, with one "
                  "activation of the clean sequences put in.",
                  sequences),
      "Restored: 1 if the model then prefers the clean targets as on the clean sequences, 0 if nothing "
      "changes."};
  StudyTable table = restored_table(matrix, streams);
  if (streams)
    study.picture = stream_map(matrix);
  else
    study.picture = head_bars(matrix);
  study.tables = {std::move(table)};
  return study;
}

}  // namespace headlight::studies
