#include "training_state.h"

#include "fields.h"
#include "headlight/core/finite.h"
#include "headlight/run/run_files.h"
#include "headlight/system/file_error.h"
#include "json.h"

namespace headlight::run {
namespace {

// "m/embed.W_E" is the array "m" of the parameter embed.W_E.
std::string array_name(const std::string& kind, const std::string& parameter) {
  return kind + "/" + parameter;
}

}  // namespace

void add_state_files(Files& files, const TrainingState& state, const nn::Transformer& model) {
  const nn::NamedParameters parameters = nn::named_parameters(model);
  train::NamedArrays arrays;
  ordered_json kinds = ordered_json::array();
  for (const auto& [kind, of_parameters] : state.optimizer.arrays) {
    kinds.push_back(kind);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      arrays.emplace_back(array_name(kind, parameters[i].first), &of_parameters[i]);
  }
  files[files::kOptimizer] = train::to_safetensors(arrays, {{"format", "headlight optimizer"}});
  const ordered_json json{{"format", kFormat},
                          {"steps", state.steps},
                          {"seconds", state.seconds},
                          {"loss_first", finite(state.loss_first, "loss_first")},
                          {"loss_last", finite(state.loss_last, "loss_last")},
                          {"optimizer_steps", state.optimizer.steps},
                          {"optimizer_arrays", kinds}};
  files[files::kState] = json.dump(2) + "\n";
}

TrainingState state_from(const std::string& json, train::SafetensorsFile content,
                         const std::filesystem::path& folder, const nn::Transformer& model) {
  const std::string file = (folder / files::kState).string(),
                    arrays_file = (folder / files::kOptimizer).string();
  const Fields fields = with_file_in_errors(file, [&] { return Fields::of_text(json); });
  TrainingState state;
  const auto kinds = with_file_in_errors(file, [&] {
    state.steps = fields.count("steps"), state.seconds = fields.time("seconds");
    check(state.seconds <= kCentury / 2, "'seconds': {} leave no time to go on", state.seconds);
    state.loss_first = fields.measure("loss_first"), state.loss_last = fields.measure("loss_last");
    state.optimizer.steps = fields.count("optimizer_steps");
    check(state.optimizer.steps == state.steps, "it has {} steps of the optimizer and {} of the training",
          state.optimizer.steps, state.steps);
    return fields.texts("optimizer_arrays");
  });
  auto& arrays = content.arrays;
  const nn::NamedParameters parameters = nn::named_parameters(model);
  for (const std::string& kind : kinds) {
    std::vector<Array>& of_parameters = state.optimizer.arrays[kind];
    for (const auto& [name, parameter] : parameters) {
      const auto found = arrays.find(array_name(kind, name));
      check_file(found != arrays.end(), "'{}' lacks '{}'.", arrays_file, array_name(kind, name));
      check_file(all_finite(found->second), "'{}' has numbers in '{}' that are not finite.", arrays_file,
                 found->first);
      of_parameters.push_back(std::move(found->second));
      arrays.erase(found);
    }
  }
  check_file(arrays.empty(), "'{}' has '{}', which {} does not name.", arrays_file,
             arrays.empty() ? "" : arrays.begin()->first, files::kState);
  return state;
}

}  // namespace headlight::run
