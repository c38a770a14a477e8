#include "saved_size.h"

#include <algorithm>
#include <limits>
#include <system_error>

#include "headlight/core/check.h"
#include "headlight/core/memory.h"
#include "headlight/nn/model_size.h"
#include "headlight/optim/optimizer.h"
#include "headlight/train/history.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

double saved_bytes(const RunConfig& config, const tasks::Task& task) {
  const double weights = nn::size_of_model(model_config(config, task)).numbers() * sizeof(Real);
  const train::TrainConfig& train = config.train;
  const auto kept = static_cast<double>(optim::arrays_kept(train.optimizer)),
             moments = static_cast<double>(train::History::most_kept(train.history, weights));
  return weights * (1 + kept + std::min(moments, static_cast<double>(train.steps) + 1));
}

void require_room(double needed, double free, const std::filesystem::path& folder) {
  check(needed <= free,
        "the file system of '{}' has {} free, but the weights that this run saves take up to {}. Hint: --out "
        "saves the run elsewhere, --history 0 keeps no weights along training.",
        folder.string(), memory_text(free), memory_text(needed));
}

double room_at(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(path, error);
  return error ? std::numeric_limits<double>::infinity() : static_cast<double>(space.available);
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
