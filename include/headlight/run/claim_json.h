// A claim of the certificate as JSON. This header takes nlohmann-json.
#pragma once

#include <nlohmann/json.hpp>

#include "headlight/interpret/certificate.h"

namespace headlight::run {

// As summary.json, the page and the lab hold it; null for a number that was not measured. Throws Error for
// numbers that are not finite.
nlohmann::ordered_json claim_json(const interpret::Claim& claim);

}  // namespace headlight::run
