#include <algorithm>
#include <string_view>

#include "headlight/run/config.h"

namespace headlight::run {
namespace {

// What a name of a setting consists of: "train.steps", "d_model".
bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

// Null for words that name no setting.
const Setting<RunConfig>* row_named(std::string_view word, std::string& part_of_row) {
  for (const ConfigPart& part : settings())
    for (const Setting<RunConfig>& row : part.rows)
      if (word == part.name + "." + row.key || (word == row.key && row.key.find('_') != std::string::npos)) {
        part_of_row = part.name;
        return &row;
      }
  return nullptr;
}

// How many characters of `rest` go when the setting before it is named by its flag.
std::size_t size_of_assignment(std::string_view rest, bool of_a_switch) {
  constexpr std::string_view kAssign = " = ";
  if (!rest.starts_with(kAssign)) return 0;
  if (!of_a_switch) return 2;  // a space stays
  const std::string_view value = rest.substr(kAssign.size());
  return kAssign.size() + (value.starts_with("true") ? 4 : value.starts_with("false") ? 5 : 0);
}

}  // namespace

std::string renamed(const std::string& message,
                    const std::function<std::string(const NamedSetting&)>& name_of) {
  const std::string_view text = message;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && in_name(text[end])) ++end;
    while (end > at && text[end - 1] == '.') --end;  // of the sentence
    if (end == at) {
      out += text[at++];
      continue;
    }
    const std::string_view word = text.substr(at, end - at);
    at = end;
    NamedSetting setting{"", nullptr};
    setting.row = row_named(word, setting.part);
    const std::string name = setting.row == nullptr ? std::string(word) : name_of(setting);
    out += name;
    if (setting.row != nullptr && name.starts_with("--"))
      at += size_of_assignment(text.substr(at), std::holds_alternative<bool>(setting.row->get(RunConfig{})));
  }
  return out;
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
