// Measures the claims of a certificate whose heads are chosen.
#pragma once

#include <string>

#include "certificate_measurements.h"

namespace headlight::interpret {

// The accuracy on predictable tokens from which a model solves the task.
inline constexpr double kSolves = 0.9;

// Adds all claims but that of order, with their numbers on this draw.
void examine(Certificate& certificate, const CertificateMeasurements& measured);

// What the induction heads, of which the one of the index `best` looks best, give the followers of random
// segments or (not `random`) of the task's own sequences, and what it gives those of the other kind
// (`elsewhere`); each with its control.
std::pair<std::string, std::string> matching_words(const HeadSet& heads, std::size_t best, const Looks& looks,
                                                   const Looks& elsewhere, bool random);

}  // namespace headlight::interpret
