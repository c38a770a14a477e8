// The certificate's claim of order: what formed first along training.
#pragma once

#include "lab.h"

namespace headlight::interpret {

// Adds Certificate::formation and the claim.
void add_order(Certificate& certificate, const Lab& lab, const nn::Transformer& model, ThreadPool& pool,
               const CertifyOptions& options);

}  // namespace headlight::interpret
