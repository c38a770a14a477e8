#include "settings.h"

#include <fmt/core.h>

#include <array>

#include "headlight/core/names.h"

namespace headlight::inline HEADLIGHT_PRECISION::app {
namespace {

using Row = Setting<experiment::RunConfig>;

std::string help_of(const Row& row, const experiment::RunConfig& defaults) {
  std::string help = row.help;
  if (row.choices) help += ": " + listed(row.choices());
  return std::holds_alternative<bool>(row.get(defaults))
             ? help
             : fmt::format("{} ({})", help, to_string(row.get(defaults)));
}

// What was typed after a flag. Throws Error with the flag's name, but for names, whose registry says it all.
SettingValue value_of(const Row& row, const std::string& text, const SettingValue& like) {
  std::string why;
  try {
    const SettingValue value = setting_from_text(text, like);
    if (row.check) row.check(value);
    return value;
  } catch (const Error& e) {
    if (row.choices) throw;
    why = e.what();
  }
  if (why.starts_with("expected")) fail("{}: {}.", row.flag, why);
  fail("{} {}, got {}.", row.flag, why, text);
}

// A bool's flag turns its default over; every other takes a value of the default's kind.
void add_row(CLI::App& command, const std::string& group, const Row& row, Changes& changes) {
  const experiment::RunConfig defaults;
  const SettingValue by_default = row.get(defaults);
  const auto change = [&changes, set = row.set](SettingValue value) {
    changes.push_back([set, value](experiment::RunConfig& config) { set(config, value); });
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
    constexpr std::array<const char*, 5> kKinds{"", "INT", "INT", "FLOAT", "NAME"};  // as in SettingValue
    option->type_name(kKinds.at(by_default.index()));
  }
  option->group(group);
}

}  // namespace

void add_settings(CLI::App& command, Changes& changes) {
  for (const experiment::ConfigPart& part : experiment::settings()) {
    std::string group = part.name;
    group[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(group[0])));
    for (const Row& row : part.rows)
      if (!row.flag.empty()) add_row(command, group, row, changes);
  }
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::app
