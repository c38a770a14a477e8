// What the claims of a certificate say, of numbers that were measured.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "certificate_measurements.h"

namespace headlight::interpret {

using ClaimWords = std::pair<std::string, std::string>;  // what was done and seen; what was seen beside it

// What the induction heads, of which the one of the index `best` looks best, give the followers of random
// segments or (not `random`) of the task's own sequences, and what it gives those of the other kind
// (`elsewhere`); each with its control. `look`: what the best one is judged by; weights beside it are over
// all followers.
ClaimWords matching_words(const HeadSet& heads, std::size_t best, const Look& look, const Looks& looks,
                          const Looks& elsewhere, bool random);

ClaimWords copying_words(const HeadSet& induction_heads, const Preference& preference);

// The part of the matching that is lost when paths into the certificate's inputs carry something else.
struct PathLosses {
  HeadSet senders, rest;  // the heads whose paths these are, and all other earlier heads
  double lost = 0;
  std::optional<double> control = {};  // of the rest; absent without any
  std::vector<double> each = {};       // of each sender alone; empty for one sender
};

// "97 % of the matching is lost", whatever the share.
std::string lost_of_matching(double share);

// The certificate has its heads, its inputs, and the losses by keys, queries and removal.
ClaimWords composition_words(const Certificate& certificate, const PathLosses& paths);

// `others`: the heads of the control.
ClaimWords necessity_words(const Certificate& certificate, const HeadSet& others, const Claim& claim);

// `core`: the induction heads and previous-token heads. `others`: the heads outside the circuit.
// `without_helpers`: the accuracy with only the core.
ClaimWords sufficiency_words(const Certificate& certificate, const HeadSet& core, const HeadSet& others,
                             const Claim& claim, double without_helpers);

// Of a model that does not solve its task.
std::string unsolved_words(const Certificate& certificate);

}  // namespace headlight::interpret
