// What takes the place of a head's output, as flags.
#pragma once

#include <memory>

#include "app/commands/command.h"
#include "headlight/interpret/ablation.h"

namespace headlight::app {

// --mean (the default), --zero and --resample, of which one sets `chosen`. The options share it.
void add_ablation_options(CLI::App& command, std::shared_ptr<interpret::Ablation> chosen);

}  // namespace headlight::app
