// Chooses the heads of a circuit by what interventions on one draw of sequences show.
#pragma once

#include "certificate_measurements.h"

namespace headlight::interpret {

// A head above this lift, the weight on followers above that on the same places without repeats, is a
// induction head.
inline constexpr double kInductionLift = 0.2;

// The part of the matching that senders must carry, and that all other earlier heads may.
inline constexpr double kCarried = 0.7, kOthersCarry = 0.5;

// Accuracy at or below this part of the intact one is chance; at or above that part it is kept.
inline constexpr double kAtChance = 0.25, kKept = 0.9;

// The heads of earlier layers than the last of `than`.
HeadSet earlier_heads(const HeadSet& all, const HeadSet& than);

// The earlier heads whose paths into this input carry the matching, the most important first; none if all
// together do not.
HeadSet senders_to(HeadInput input, OtherSequences others, const HeadSet& induction_heads,
                   const CertificateMeasurements& measured, ThreadPool& pool);

// The candidate for which `value` is largest.
HeadAt best_of(const HeadSet& candidates, ThreadPool& pool,
               const std::function<double(const HeadAt&)>& value);

// Sets the heads of the certificate, the input that their paths run through, and nothing else. Of a model
// without a induction head, the head that comes closest is taken for one, so that it can be examined.
void choose_heads(Certificate& certificate, const CertificateMeasurements& measured, ThreadPool& pool);

// Where these heads look, and what the model does without each.
std::vector<Needed> needed_heads(const HeadSet& heads, const CertificateMeasurements& measured,
                                 const nn::Transformer& model);

}  // namespace headlight::interpret
