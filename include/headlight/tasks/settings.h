// The settings of a task, as rows.
#pragma once

#include "headlight/core/setting.h"
#include "headlight/tasks/task.h"

namespace headlight::tasks {

// A row for each, in the order of the command line's help.
const std::vector<Setting<TaskConfig>>& settings();

// A setting of a task of your own: reads its value from a config.
template <class T>
struct OwnSetting {
  std::string key;
  T by_default;

  T operator()(const TaskConfig& config) const {
    const auto at = config.own.find(key);
    return at == config.own.end() ? by_default : std::get<T>(at->second);
  }
};

// Adds a row to settings(). Throws Error for a key or flag that is taken.
void add_setting(Setting<TaskConfig> row);

// Adds a setting, which is then in config.json, in `train --help` and in sweeps. T is bool, std::int64_t,
// std::uint64_t, double or std::string. Throws Error for a key or flag that is taken.
//   const auto prime = add_setting("prime", "--prime", "Addition is modulo this prime", std::uint64_t{97});
//   tasks::registry().add({"sums", "a + b modulo a prime", make_sums, {"prime"}});  // reads prime(config)
// Call it before the program reads settings: at namespace scope, or at the beginning of main().
template <class T>
OwnSetting<T> add_setting(std::string key, std::string flag, std::string help, T by_default,
                          Requirement expects = {}) {
  const OwnSetting<T> own{key, by_default};
  Setting<TaskConfig> row{key,
                          std::move(flag),
                          std::move(help),
                          [own](const TaskConfig& c) { return SettingValue(own(c)); },
                          [own](TaskConfig& c, const SettingValue& value) { c.own[own.key] = value; },
                          std::move(expects)};
  add_setting(std::move(row));
  return own;
}

}  // namespace headlight::tasks
