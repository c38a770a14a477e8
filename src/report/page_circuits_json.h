#pragma once

#include <nlohmann/json.hpp>

#include "headlight/report/page_circuits.h"

namespace headlight::inline HEADLIGHT_PRECISION::report {

nlohmann::ordered_json circuits_json(const PageCircuits& circuits);

// Throws Error for factors that do not fit a sequence of n tokens.
nlohmann::ordered_json terms_json(const PageTerms& terms, std::size_t n);

}  // namespace headlight::inline HEADLIGHT_PRECISION::report
