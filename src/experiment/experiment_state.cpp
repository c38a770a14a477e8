#include "experiment_state.h"

#include <algorithm>

#include "headlight/core/files.h"
#include "headlight/experiment/run_folder.h"
#include "headlight/train/safetensors.h"
#include "json.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {
namespace {

// "m/embed.W_E" is the array "m" of the parameter embed.W_E.
std::string array_name(const std::string& kind, const std::string& parameter) {
  return kind + "/" + parameter;
}

}  // namespace

void save_state(const std::filesystem::path& folder, const SavedState& state, const nn::Transformer& model) {
  const nn::NamedParameters parameters = nn::named_parameters(model);
  train::NamedArrays arrays;
  ordered_json kinds = ordered_json::array();
  for (const auto& [kind, of_parameters] : state.optimizer.arrays) {
    kinds.push_back(kind);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      arrays.emplace_back(array_name(kind, parameters[i].first), &of_parameters[i]);
  }
  train::save_safetensors(folder / files::kOptimizer, arrays, {{"format", "headlight optimizer"}});
  const ordered_json json{{"format", kFormat},
                          {"steps", state.steps},
                          {"seconds", state.seconds},
                          {"loss_first", finite(state.loss_first, "loss_first")},
                          {"loss_last", finite(state.loss_last, "loss_last")},
                          {"optimizer_steps", state.optimizer.steps},
                          {"optimizer_arrays", kinds}};
  write_file(folder / files::kState, json.dump(2) + "\n");
}

SavedState load_state(const std::filesystem::path& folder, const nn::Transformer& model) {
  const auto file = folder / files::kState, arrays_file = folder / files::kOptimizer;
  std::error_code error;
  check(std::filesystem::exists(file, error),
        "'{}' cannot be resumed: it has no {}. Hint: it was saved by an older version; ./headlight train "
        "--config {}/config.json --out {} --force trains it again.",
        folder.string(), files::kState, folder.string(), folder.string());
  SavedState state;
  auto arrays = train::load_safetensors(arrays_file).arrays;
  const nn::NamedParameters parameters = nn::named_parameters(model);
  try {
    const ordered_json json = ordered_json::parse(read_file(file));
    state.steps = json.at("steps"), state.seconds = json.at("seconds");
    state.loss_first = json.at("loss_first"), state.loss_last = json.at("loss_last");
    state.optimizer.steps = json.at("optimizer_steps");
    for (const std::string kind : json.at("optimizer_arrays")) {
      std::vector<Array>& of_parameters = state.optimizer.arrays[kind];
      for (const auto& [name, parameter] : parameters) {
        const auto found = arrays.find(array_name(kind, name));
        check(found != arrays.end(), "'{}' lacks '{}'.", arrays_file.string(), array_name(kind, name));
        check(
            std::all_of(found->second.begin(), found->second.end(), [](Real x) { return std::isfinite(x); }),
            "'{}' has numbers in '{}' that are not finite.", arrays_file.string(), found->first);
        of_parameters.push_back(std::move(found->second));
      }
    }
  } catch (const ordered_json::exception&) {
    fail("'{}' is damaged, or of another version.", file.string());
  }
  return state;
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
