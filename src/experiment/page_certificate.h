// The page's part "Certificate".
#pragma once

#include "headlight/interpret/certificate.h"
#include "headlight/report/page_certificate.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

report::PageCertificate page_certificate(const interpret::Certificate& certificate,
                                         const nn::TransformerConfig& config);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
