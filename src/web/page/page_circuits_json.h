#pragma once

#include <nlohmann/json.hpp>

#include "headlight/page/page_circuits.h"

namespace headlight::page {

nlohmann::ordered_json circuits_json(const PageCircuits& circuits);

// Throws Error for factors that do not fit a sequence of n tokens.
nlohmann::ordered_json terms_json(const PageTerms& terms, std::size_t n);

}  // namespace headlight::page
