// The certificate's claim of order: what formed first along training.
#pragma once

#include "certificate_measurements.h"

namespace headlight::interpret {

// Adds Certificate::formation and the claim.
void add_order(Certificate& certificate, const CertificateMeasurements& measured,
               const nn::Transformer& model, ThreadPool& pool, const CertifyOptions& options);

}  // namespace headlight::interpret
