// The config of a run. The same RunConfig gives the same bits.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headlight/core/setting.h"
#include "headlight/nn/transformer.h"
#include "headlight/tasks/task.h"
#include "headlight/train/config.h"

namespace headlight::run {

struct RunConfig {
  tasks::TaskConfig task;
  nn::TransformerConfig model;  // d_vocab, n_ctx and n_source are ignored: the task sets them
  train::TrainConfig train;
};

// All settings, part by part: "task", "model", "train".
struct ConfigPart {
  std::string name;
  std::vector<Setting<RunConfig>> rows;
};
const std::vector<ConfigPart>& settings();

// Throws Error for an invalid setting.
void check_settings(const RunConfig& config);

// The same, and for parts that do not fit each other, which takes the task.
void check_config(const RunConfig& config);

// JSON with one object per part, and the number of the format. run_config_from_json uses the default for a
// missing key and throws Error for an unknown key or an invalid value. It also reads the older format.
inline constexpr int kFormat = 2;
inline constexpr std::size_t kMostConfigBytes = std::size_t{1} << 20;  // that are read of such a file
std::string to_json(const RunConfig& config);
RunConfig run_config_from_json(const std::string& text);

// The config with the numbers that are used where it says 0 for "the default": the lengths of segments, the
// width of a head. It makes the same run, bit for bit. Throws Error for a task that cannot be posed. Of a
// task of another program its numbers stay as they are.
RunConfig filled_in(const RunConfig& config);
RunConfig filled_in(RunConfig config, const tasks::Task& task);

struct NamedSetting {
  std::string part;
  const Setting<RunConfig>* row;
};
std::string full_name(const NamedSetting& setting);  // "train.steps"

// The setting that a text means, and what a command line and a config call it: "--d-model 64",
// "model.d_model = 64". A bool's flag has no value.
std::optional<NamedSetting> setting_of(const SettingKey& key);
std::string as_flag(const SettingKey& key);
std::string as_full_key(const SettingKey& key);

// The settings that must be given to get this config, in the order of settings(). What follows from the
// others is not among them: with 32 positions, segments of 8 to 16 tokens.
std::vector<NamedSetting> changed_settings(const RunConfig& config);

// The settings that have no effect on a run with this config, each with the reason: "the task 'repeat' does
// not use it". The registries know which settings a choice uses (Registry::Entry::uses). Throws Error for a
// task that cannot be posed.
struct IdleSetting {
  NamedSetting setting;
  std::string why;
};
std::vector<IdleSetting> idle_settings(const RunConfig& config);

// The config's task; with sources if the model reads them.
tasks::Task make_task(const RunConfig& config);

// The same, or tasks::task_of_another_program() where the registry lacks it.
tasks::Task known_task(const RunConfig& config);

// What the task of a config calls its two kinds of tokens; the usual names if the task cannot be made, as
// without its text.
tasks::TokenKinds token_kinds(const RunConfig& config);

// What the tokens are called that accuracy is measured on: "predictable", or "predictable or copied" for
// several tasks.
std::string accuracy_tokens(const std::vector<RunConfig>& configs);

// The model's settings, with the vocabulary, the context and the sources of the task. Throws Error if the
// model cannot learn the task: an encoder would read the targets among its tokens, and an encoder–decoder
// needs a source.
nn::TransformerConfig model_config(const RunConfig& config, const tasks::Task& task);

// A model with the initial weights that the config's seed gives.
std::unique_ptr<nn::Transformer> make_model(const RunConfig& config, const tasks::Task& task);

// The same for the task that the config names.
nn::TransformerConfig model_config(const RunConfig& config);
std::unique_ptr<nn::Transformer> make_model(const RunConfig& config);

}  // namespace headlight::run
