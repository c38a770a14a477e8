// The page's part "Certificate".
#pragma once

#include <filesystem>
#include <optional>

#include "headlight/experiment/run_folder.h"
#include "headlight/interpret/certificate.h"
#include "headlight/report/page_certificate.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

// The certificate of a run, with its snapshots; nothing for a model that has no certificate: an encoder, a
// task whose answers do not follow an earlier copy, a context too small for repeats.
std::optional<interpret::Certificate> certificate_of(const SavedRun& run, const std::filesystem::path& folder,
                                                     ThreadPool& pool);

report::PageCertificate page_certificate(const interpret::Certificate& certificate,
                                         const nn::TransformerConfig& config);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
