#include "settings.h"

#include <fmt/core.h>

#include <array>
#include <filesystem>
#include <optional>

#include "headlight/core/ascii.h"
#include "headlight/core/names.h"
#include "headlight/system/files.h"
#include "headlight/system/run_main.h"

namespace headlight::app {
namespace {

using Row = Setting<run::RunConfig>;

std::string help_of(const Row& row, const run::RunConfig& defaults) {
  std::string help = row.help;
  if (row.choices) help += ": " + listed(row.choices());
  const SettingValue value = row.get(defaults);
  const std::string by_default = to_string(value);
  return std::holds_alternative<bool>(value) || by_default.empty() ? help
                                                                   : fmt::format("{} ({})", help, by_default);
}

// What was typed after a flag.
SettingValue value_of(const Row& row, const std::string& text, const SettingValue& like) {
  const SettingValue value = setting_from_text(row.flag, text, like);
  require_allowed(row, value, row.flag, text);
  return value;
}

// A bool's flag turns its default over; every other takes a value of the default's kind.
void add_row(CLI::App& command, const std::string& part, const Row& row, TypedSettings& typed) {
  const run::RunConfig defaults;
  const SettingValue by_default = row.get(defaults);
  const auto change = [&typed, set = row.set, name = part + "." + row.key](SettingValue value) {
    typed.changes.push_back([set, value](run::RunConfig& config) { set(config, value); });
    typed.names.insert(name);
  };
  CLI::Option* option = nullptr;
  if (const bool* on = std::get_if<bool>(&by_default)) {
    option = command.add_flag_callback(
        row.flag, [change, on = *on] { change(!on); }, help_of(row, defaults));
  } else {
    option = command.add_option_function<std::string>(
        row.flag,
        [change, by_default, row](const std::string& text) { change(value_of(row, text, by_default)); },
        help_of(row, defaults));
    constexpr std::array<const char*, 5> kKinds{"", "INT", "UINT", "FLOAT", "TEXT"};  // as in SettingValue
    option->type_name(row.choices ? "NAME" : kKinds.at(by_default.index()));
  }
  std::string group = part;
  group[0] = ascii::to_upper(group[0]);
  option->group(group);
}

// A sentence on standard error for each setting that was typed and has no effect.
void warn_idle(const TypedSettings& typed, const run::RunConfig& config) {
  for (const auto& [setting, why] : run::idle_settings(config))
    if (typed.names.contains(setting.part + "." + setting.row->key))
      note("Note: {} has no effect: {}.", setting.row->flag, why);
}

}  // namespace

void add_settings(CLI::App& command, TypedSettings& typed, const std::string& only_part,
                  const std::set<std::string>& without) {
  for (const run::ConfigPart& part : run::settings())
    for (const Row& row : part.rows)
      if (!row.flag.empty() && (only_part.empty() || part.name == only_part) && !without.contains(row.key))
        add_row(command, part.name, row, typed);
}

void with_typed_config(const TypedSettings& typed, const std::string& config_file,
                       const std::function<void(const run::RunConfig&)>& use) {
  const bool from_file = !config_file.empty();
  const auto prefix = from_file ? fmt::format("with '{}': ", config_file) : "";
  const auto name_of = [&](const SettingKey& key) {
    const bool in_file = from_file && !typed.names.contains(run::as_full_key({key.name}));
    return in_file ? run::as_full_key(key) : run::as_flag(key);
  };
  const std::string text = from_file ? read_file(config_file, run::kMostConfigBytes) : "{}";
  try {
    run::RunConfig config = run::run_config_from_json(text);
    config.task.folder = std::filesystem::path(config_file).parent_path().string();
    for (const auto& change : typed.changes) change(config);
    if (typed.names.contains("task.text")) {
      config.task.folder.clear();
      if (!typed.names.contains("task.name")) config.task.name = "text";
    }
    use(config);
    warn_idle(typed, config);
  } catch (const SettingError& e) {
    fail("{}{}", prefix, e.text().with(name_of));
  } catch (const Error& e) {
    fail("{}{}", prefix, e.what());
  }
}

run::Experiment made_as_typed(const TypedSettings& typed, const std::string& config_file,
                              const std::function<run::Experiment(const run::RunConfig&)>& make) {
  std::optional<run::Experiment> made;
  with_typed_config(typed, config_file, [&](const run::RunConfig& config) { made.emplace(make(config)); });
  return std::move(*made);
}

}  // namespace headlight::app
