// How a sentence about a model is known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headlight/core/registry.h"

namespace headlight::interpret {

// From the weakest: what was looked at, what was changed, and what holds of every input.
enum class Evidence {
  seen,    // a pattern, a score, an accuracy on sequences that were drawn
  tried,   // by an intervention, beside its control
  proved,  // over all inputs, or from the weights
};

// "seen", "tried", "proved", each with what it means.
const Registry<Evidence>& evidences();
const char* to_string(Evidence how);

// A kind of sentence: what such a sentence says, and the measurement that it rests on.
struct EvidenceKind {
  const char* key;  // "composition"; of a claim, its key
  Evidence how;
  const char* says;      // "heads find followers by what earlier heads wrote"
  const char* rests_on;  // "the matching that is lost when …"
  const char* command;   // "certify DIR"
};

// Every kind of sentence that certificates, proofs and pages say of a model.
const std::vector<EvidenceKind>& evidence_kinds();

// Throws Error for an unknown key.
const EvidenceKind& evidence_kind(std::string_view key);

// The table of all kinds as Markdown, for docs/evidence.md.
std::string evidence_table();

}  // namespace headlight::interpret
