#include "task_json.h"

#include "headlight/tasks/batch.h"
#include "json.h"
#include "task_text.h"

namespace headlight::app {
namespace {

ordered_json texts_of(const tasks::Task& task, const std::vector<std::int32_t>& tokens) {
  ordered_json texts = ordered_json::array();
  for (const std::int32_t token : tokens)
    texts.push_back(token == tasks::kNoTarget ? ordered_json() : ordered_json(task.vocabulary.text(token)));
  return texts;
}

ordered_json sample_json(const tasks::Task& task, const tasks::Sequence& s) {
  ordered_json json{{"note", s.note}};
  if (!s.source.empty()) json["source"] = texts_of(task, s.source);
  json["tokens"] = texts_of(task, s.tokens);
  json["targets"] = texts_of(task, s.targets);
  json["predictable"] = ordered_json::array();
  for (std::size_t t = 0; t < s.targets.size(); ++t) json["predictable"].push_back(is_predictable(s, t));
  return json;
}

}  // namespace

ordered_json tasks_json() {
  ordered_json json = json_of("task");
  for (const auto& entry : tasks::registry().entries())
    json["tasks"].push_back({{"task", entry.name}, {"help", entry.help}});
  return json;
}

ordered_json task_json(const tasks::Task& task, std::uint64_t seed, std::uint64_t count) {
  ordered_json json = json_of("task");
  json["task"] = task.config.name;
  json["vocabulary"] = task.config.d_vocab;
  json["context"] = task.config.n_ctx;
  json["trained_on"] = task.trained_on;
  json["sentences"] = {task.words.what, task.words.answer, task.words.success, task.words.look_for};
  json["losses"] = ordered_json::array();
  for (const run::Baseline& y : measured_losses(task, seed).baselines)
    json["losses"].push_back({{"predictor", y.name},
                              {"loss", finite(y.losses.loss, "loss")},
                              {"standard_error", finite(y.standard_error, "standard error")}});
  for (std::uint64_t i = 0; i < count; ++i)
    json["samples"].push_back(sample_json(task, tasks::draw_sequence(task, task.training, Rng(seed), i)));
  return json;
}

}  // namespace headlight::app
