// The engine for pages, once ./headlight lab has built it.
#pragma once

#include <optional>

#include "headlight/page/run_page.h"

namespace headlight::app {

// The modules in the folder that the variable HEADLIGHT_LAB names, which the shell sets; nothing without it.
std::optional<page::EngineModules> engine_modules();

}  // namespace headlight::app
