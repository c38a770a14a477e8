#include "headlight/run/config.h"

namespace headlight::run {
std::string full_name(const NamedSetting& setting) { return setting.part + "." + setting.row->key; }

std::optional<NamedSetting> setting_of(const SettingKey& key) {
  for (const ConfigPart& part : settings())
    for (const Setting<RunConfig>& row : part.rows)
      if (key.name == row.key || key.name == full_name({part.name, &row}))
        return NamedSetting{part.name, &row};
  return {};
}

std::string as_flag(const SettingKey& key) {
  const std::optional<NamedSetting> setting = setting_of(key);
  if (!setting) return to_string(key);
  const std::string& flag = setting->row->flag;
  const bool is_switch = std::holds_alternative<bool>(setting->row->get(RunConfig{}));
  return is_switch || key.value.empty() ? flag : flag + " " + key.value;
}

std::string as_full_key(const SettingKey& key) {
  const std::optional<NamedSetting> setting = setting_of(key);
  return setting ? to_string(SettingKey{full_name(*setting), key.value}) : to_string(key);
}

std::vector<IdleSetting> idle_settings(const RunConfig& config) {
  RunConfig posed = config;
  posed.model = model_config(config);  // with the sizes of the task
  std::vector<IdleSetting> idle;
  for (const ConfigPart& part : settings())
    for (const Setting<RunConfig>& row : part.rows) {
      std::string why = why_idle(part.rows, posed, row.key);
      if (!why.empty()) idle.push_back({{part.name, &row}, std::move(why)});
    }
  return idle;
}

std::vector<NamedSetting> changed_settings(const RunConfig& config) {
  const RunConfig defaults;
  const std::string whole = to_json(filled_in(config));
  std::vector<NamedSetting> changed;
  for (const ConfigPart& part : settings())
    for (const Setting<RunConfig>& row : part.rows) {
      if (row.get(config) == row.get(defaults)) continue;
      RunConfig without = config;
      row.set(without, row.get(defaults));
      try {
        if (to_json(filled_in(without)) == whole) continue;
      } catch (const Error&) {  // impossible without it
      }
      changed.push_back({part.name, &row});
    }
  return changed;
}

}  // namespace headlight::run
