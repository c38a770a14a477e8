// Shifted induction: circuits that do the work of an induction circuit some places after the follower.
#pragma once

#include <memory>

#include "circuit_search.h"

namespace headlight::interpret {

// Chooses the heads by `choice`; the numbers come from what `test` measures `by` places after the followers.
// Nothing if no head looks at one place after the followers, or if its keys are not made by earlier heads.
std::optional<ShiftedInduction> find_shifted_induction(
    const CertificateMeasurements& choice,
    const std::function<std::unique_ptr<CertificateMeasurements>(std::size_t by)>& test, ThreadPool& pool);

}  // namespace headlight::interpret
