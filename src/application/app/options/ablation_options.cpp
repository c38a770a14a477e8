#include "ablation_options.h"

namespace headlight::app {

void add_ablation_options(CLI::App& command, std::shared_ptr<interpret::Ablation> chosen) {
  const auto add = [&](const char* flag, interpret::Ablation ablation, const char* help) {
    return command.add_flag_callback(
        flag, [chosen, ablation] { *chosen = ablation; }, help);
  };
  CLI::Option* mean = add("--mean", interpret::Ablation::mean,
                          "A head writes its mean over sequences, by position (the default)");
  CLI::Option* zero = add("--zero", interpret::Ablation::zero, "A head writes nothing");
  CLI::Option* resample =
      add("--resample", interpret::Ablation::resample, "A head writes what it writes on other sequences");
  mean->excludes(zero, resample);
  zero->excludes(resample);
}

}  // namespace headlight::app
