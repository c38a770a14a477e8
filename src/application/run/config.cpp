#include "headlight/run/config.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "headlight/core/setting_text.h"
#include "headlight/nn/check_model.h"
#include "headlight/nn/settings.h"
#include "headlight/system/json.h"
#include "headlight/tasks/settings.h"

namespace headlight::run {
namespace {

using nlohmann::ordered_json;

constexpr const char* kTask = "task";

template <class Part>
ConfigPart part_of(const char* name, Part RunConfig::*member, const std::vector<Setting<Part>>& rows) {
  ConfigPart part{name, {}};
  for (const Setting<Part>& row : rows) part.rows.push_back(within(member, row));
  return part;
}

ordered_json as_json(const SettingValue& value) {
  return std::visit([](const auto& x) { return ordered_json(x); }, value);
}

// Why a value is not of the same kind as `like`, in words that follow "cannot be 3:"; "" if it is. Told and
// not thrown, because the engine in a page catches no errors.
const char* unlike(const ordered_json& json, const SettingValue& like) {
  if (std::holds_alternative<std::string>(like)) return json.is_string() ? "" : "a text is expected";
  if (std::holds_alternative<bool>(like)) return json.is_boolean() ? "" : "true or false is expected";
  if (std::holds_alternative<double>(like)) return json.is_number() ? "" : "a number is expected";
  if (!json.is_number_integer()) return "a whole number is expected";
  return std::holds_alternative<std::int64_t>(like) || json.is_number_unsigned()
             ? ""
             : "a number of at least 0 is expected";
}

// The value, of the same kind as `like`.
SettingValue from_json(const ordered_json& json, const SettingValue& like) {
  if (std::holds_alternative<std::string>(like)) return json.get<std::string>();
  if (std::holds_alternative<bool>(like)) return json.get<bool>();
  if (std::holds_alternative<double>(like)) return number_of<double>(json);
  if (std::holds_alternative<std::int64_t>(like)) return number_of<std::int64_t>(json);
  return number_of<std::uint64_t>(json);
}

SettingValue value_of(const ordered_json& json, const std::string& name) {
  check(json.is_boolean() || json.is_number() || json.is_string(),
        "the config's '{}' cannot be {}: a number, a text, true or false is expected.", name, json.dump());
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_number_unsigned()) return json.get<std::uint64_t>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  return number_of<double>(json);
}

// A setting that another program gave its own task stays what it is.
bool keep_of_another_program(const std::string& key, const ordered_json& value, const ConfigPart& part,
                             RunConfig& config) {
  if (part.name != kTask || tasks::registry().contains(config.task.name)) return false;
  config.task.own[key] = value_of(value, part.name + "." + key);
  return true;
}

void read_part(const ordered_json& json, const ConfigPart& part, RunConfig& config) {
  check(json.is_object(), "the config's '{}' must be an object {{…}}.", part.name);
  std::vector<std::string> known;
  for (const Setting<RunConfig>& row : part.rows) {
    known.push_back(row.key);
    if (!json.contains(row.key)) continue;
    const auto refuse = [&](const char* why) {
      fail("the config's '{}.{}' cannot be {}: {}.", part.name, row.key, json.at(row.key).dump(), why);
    };
    if (const std::string why = unlike(json.at(row.key), row.get(config)); !why.empty()) refuse(why.c_str());
    try {
      row.set(config, from_json(json.at(row.key), row.get(config)));
    } catch (const Error& e) {
      refuse(e.what());
    }
  }
  for (const auto& [key, value] : json.items())
    if (std::find(known.begin(), known.end(), key) == known.end() &&
        !keep_of_another_program(key, value, part, config)) {
      for (std::string& name : known) name = part.name + "." + name;
      const std::string given = part.name + "." + key;
      fail("the config has an unknown key '{}': expected {}.{}", given, listed(known),
           did_you_mean(given, known));
    }
}

// Format 1 wrote the vocabulary and the context of the task a second time, as the model's.
void drop_old_keys(ordered_json& json) {
  if (!json.contains("model") || !json["model"].is_object()) return;
  const tasks::TaskConfig defaults;
  const ordered_json task = json.value("task", ordered_json::object());
  const auto drop = [&](const char* key, std::size_t otherwise) {
    if (!json["model"].contains(key)) return;
    const ordered_json of_task = task.is_object() && task.contains(key) ? task[key] : ordered_json(otherwise);
    check(json["model"][key] == of_task, "the model's {} is {}, but the task's is {}.", key,
          json["model"][key].dump(), of_task.dump());
    json["model"].erase(key);
  };
  drop("d_vocab", defaults.d_vocab);
  drop("n_ctx", defaults.n_ctx);
}

// The tasks of the registry, at their own sizes, for which this holds; "none" if there is no such task.
std::string tasks_that(const std::function<bool(const tasks::Task&)>& holds) {
  std::vector<std::string> names;
  for (const auto& entry : tasks::registry().entries()) {
    tasks::TaskConfig config;
    config.name = entry.name;
    config.with_source = true;
    try {
      if (holds(entry.thing(config))) names.push_back(entry.name);
    } catch (const Error&) {  // a task that needs more than a name
    }
  }
  return names.empty() ? "none" : listed(names);
}

// Whether the architecture can learn the task.
void check_fit(const RunConfig& config, const tasks::Task& task) {
  if (config.model.architecture == nn::Architecture::encoder && !task.sees_ahead)
    fail_setting(
        "an encoder sees the whole sequence, and the targets of the task '{}' are among its tokens, so it "
        "would read the answers. Hint: {}, or a task with other targets: {}.",
        task.config.name, setting_key("model.architecture", "decoder"),
        tasks_that([](const tasks::Task& t) { return t.sees_ahead; }));
  if (config.model.architecture == nn::Architecture::encoder_decoder && task.n_source == 0)
    fail_setting(
        "an encoder-decoder reads a source, and the task '{}' has none. Hint: {}, or a task with a source: "
        "{}.",
        task.config.name, setting_key("model.architecture", "decoder"),
        tasks_that([](const tasks::Task& t) { return t.n_source > 0; }));
}

}  // namespace

const std::vector<ConfigPart>& settings() {
  static const std::vector<ConfigPart> parts{part_of(kTask, &RunConfig::task, tasks::settings()),
                                             part_of("model", &RunConfig::model, nn::settings()),
                                             part_of("train", &RunConfig::train, train::settings())};
  return parts;
}

void check_settings(const RunConfig& config) {
  for (const ConfigPart& part : settings()) headlight::check_settings(part.rows, config, part.name);
  train::check_config(config.train);
}

void check_config(const RunConfig& config) {
  check_settings(config);
  nn::check_model(model_config(config));
}

std::string to_json(const RunConfig& config) {
  ordered_json json{{"format", kFormat}};
  for (const ConfigPart& part : settings())
    for (const Setting<RunConfig>& row : part.rows) json[part.name][row.key] = as_json(row.get(config));
  for (const auto& [key, value] : config.task.own) json[kTask][key] = as_json(value);
  return json.dump(2) + "\n";
}

RunConfig run_config_from_json(const std::string& text) {
  ordered_json json;
  try {
    json = json_from<ordered_json>(text);
  } catch (const Error& e) {
    fail("the config cannot be read: {}.", e.what());
  }
  check(json.is_object(), "the config must be an object {{…}} with task, model and train.");
  const ordered_json format = json.value("format", ordered_json(1));
  check(format.is_number_integer() && format >= 1 && format <= kFormat,
        "the config has format {}; this version of Headlight reads formats up to {}.", format.dump(),
        kFormat);
  drop_old_keys(json);
  RunConfig config;
  std::vector<std::string> known{"format"};
  for (const ConfigPart& part : settings()) {
    known.push_back(part.name);
    if (json.contains(part.name)) read_part(json[part.name], part, config);
  }
  for (const auto& [key, value] : json.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      fail("the config has an unknown key '{}': expected {}.{}", key, listed(known),
           did_you_mean(key, known));
  return config;
}

RunConfig filled_in(RunConfig config, const tasks::Task& task) {
  auto own = std::move(config.task.own);
  config.task = task.config;
  config.task.own = std::move(own);
  nn::TransformerConfig& model = config.model;
  if (model.d_head == 0 && model.n_heads > 0 && model.d_model % model.n_heads == 0)
    model.d_head = model.d_model / model.n_heads;
  return config;
}

RunConfig filled_in(const RunConfig& config) {
  RunConfig complete = filled_in(config, known_task(config));
  complete.task.name = config.task.name;  // in the registry
  return complete;
}

tasks::Task make_task(const RunConfig& config) {
  tasks::TaskConfig task = config.task;
  task.with_source = config.model.architecture == nn::Architecture::encoder_decoder;
  return tasks::make_task(task);
}

tasks::Task known_task(const RunConfig& config) {
  return tasks::registry().contains(config.task.name) ? make_task(config)
                                                      : tasks::task_of_another_program(config.task);
}

tasks::TokenKinds token_kinds(const RunConfig& config) {
  try {
    return make_task(config).kinds;
  } catch (const Error&) {
    return {};
  }
}

std::string accuracy_tokens(const std::vector<RunConfig>& configs) {
  std::set<std::string> tasks;
  std::vector<std::string> words;
  for (const RunConfig& config : configs) {
    if (!tasks.insert(config.task.name).second) continue;
    const std::string word = token_kinds(config).predictable;
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
  return fmt::format("{}", fmt::join(words, " or "));
}

nn::TransformerConfig model_config(const RunConfig& config, const tasks::Task& task) {
  check_fit(config, task);
  nn::TransformerConfig model = config.model;
  model.d_vocab = task.config.d_vocab;
  model.n_ctx = task.config.n_ctx;
  model.n_source = model.architecture == nn::Architecture::encoder_decoder ? task.n_source : 0;
  return model;
}

nn::TransformerConfig model_config(const RunConfig& config) {
  return model_config(config, make_task(config));
}

std::unique_ptr<nn::Transformer> make_model(const RunConfig& config, const tasks::Task& task) {
  Rng rng = Rng(config.train.seed).stream("init");
  return std::make_unique<nn::Transformer>(model_config(config, task), rng);
}

std::unique_ptr<nn::Transformer> make_model(const RunConfig& config) {
  return make_model(config, make_task(config));
}

}  // namespace headlight::run
