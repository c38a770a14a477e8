// Chooses the heads of a circuit by what interventions on one draw of sequences show.
#pragma once

#include <cstddef>

#include "certificate_measurements.h"

namespace headlight::interpret {

// A head above this lift, the weight on followers above that on the same places without repeats, is an
// induction head.
inline constexpr double kInductionLift = 0.2;

// The part of the matching that senders must carry, and that all other earlier heads may.
inline constexpr double kCarried = 0.7, kOthersCarry = 0.5;

// Of the way from the accuracy without any head to the intact one: at or below this part it is at chance, at
// or above that part it is kept.
inline constexpr double kAtChance = 0.25, kKept = 0.9;

// From the accuracy without any head and the intact one: that from which no more helpers are added.
double enough_accuracy(double chance, double intact);

// The cases in which a token that is not looked at may gain: half, by chance.
inline constexpr double kByChance = 0.75;

// The heads of earlier layers than the last of `than`.
HeadSet earlier_heads(const HeadSet& all, const HeadSet& than);

// The earlier heads whose paths into these inputs carry the matching, the most important first: as many as it
// takes for the others not to carry it too. None if all together do not.
HeadSet senders_to(const HeadInputs& inputs, Written instead, const HeadSet& induction_heads,
                   const CertificateMeasurements& measured, ThreadPool& pool);

// The candidate for which `value` is largest.
HeadAt best_of(const HeadSet& candidates, ThreadPool& pool,
               const std::function<double(const HeadAt&)>& value);

// Sets the heads of the certificate, the inputs that their paths run through, and nothing else. Of a model
// without an induction head, the head that comes closest is taken for one, so that it can be examined.
void choose_heads(Certificate& certificate, const CertificateMeasurements& measured, ThreadPool& pool);

// Where a head looks that looks so many places after the follower, or after the answer that the task names.
std::string words_of_offset(std::ptrdiff_t offset, bool follower);

// Where these heads look, and what the model does without each.
std::vector<Needed> needed_heads(const HeadSet& heads, const CertificateMeasurements& measured,
                                 const nn::Transformer& model);

}  // namespace headlight::interpret
