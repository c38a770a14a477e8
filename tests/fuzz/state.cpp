#include "fuzz/targets.h"
#include "run/files/training_state.h"
#include "run/small_config.h"

// state.json beside the arrays of an optimizer that keeps m and v.
void headlight::fuzz::state(const std::string& bytes) {
  static const auto model = run::make_model(run::small_config());
  train::SafetensorsFile file;
  for (const char* kind : {"m/", "v/"})
    for (const auto& [name, parameter] : nn::named_parameters(*model))
      file.arrays[kind + name] = parameter.array();
  refusable([&] {
    const run::TrainingState state = run::state_from(bytes, std::move(file), "run", *model);
    require(state.steps >= 0 && state.seconds >= 0 && state.optimizer.steps >= 0,
            "a state out of its ranges");
  });
}
