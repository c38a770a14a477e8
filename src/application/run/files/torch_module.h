// torch_module.py, embedded by the build.
#pragma once

#include <string_view>

namespace headlight::run {

extern const std::string_view torch_module;  // with @CONFIG@ where the settings of the model go, as JSON

}  // namespace headlight::run
