// The page's part "Certificate".
#pragma once

#include <nlohmann/json.hpp>

#include "headlight/interpret/certificate.h"

namespace headlight::page {

// `formation`: see formation_json(). Throws Error for a head that the model does not have.
nlohmann::ordered_json certificate_json(const interpret::Certificate& certificate,
                                        const nn::TransformerConfig& config,
                                        nlohmann::ordered_json formation);

}  // namespace headlight::page
