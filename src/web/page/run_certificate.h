// The page's part "Certificate".
#pragma once

#include "headlight/interpret/certificate.h"
#include "headlight/page/page_certificate.h"

namespace headlight::page {

PageCertificate page_certificate(const interpret::Certificate& certificate,
                                 const nn::TransformerConfig& config);

}  // namespace headlight::page
