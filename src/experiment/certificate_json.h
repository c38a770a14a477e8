// The certificate in summary.json.
#pragma once

#include "headlight/interpret/certificate.h"
#include "json.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

ordered_json certificate_json(const interpret::Certificate& certificate);

// Throws what the JSON library or a registry throws for damage.
interpret::Certificate certificate_from(const ordered_json& json);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
