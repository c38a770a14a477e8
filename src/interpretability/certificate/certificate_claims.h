// Measures the claims of a certificate whose heads are chosen.
#pragma once

#include "certificate_measurements.h"

namespace headlight::interpret {

// The accuracy on predictable tokens from which a model solves the task.
inline constexpr double kSolves = 0.9;

// Adds all claims but that of order, with their numbers on this draw.
void examine(Certificate& certificate, const CertificateMeasurements& measured);

}  // namespace headlight::interpret
