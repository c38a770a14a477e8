// What more the page tells of a circuit along training, and of a model at every period.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "headlight/core/thread_pool.h"
#include "headlight/interpret/certificate.h"
#include "headlight/run/run.h"
#include "headlight/studies/periods.h"

namespace headlight::page {

// The circuit at each step of training: what the certificate kept, the accuracy without the induction heads
// and with the circuit alone, with the mean over 16 sequences in place of a head's output, on 16 others; and
// the induction heads' mean copying score, from -1 to 1. Sets the run's model to each of the snapshots, in
// their order. Leaves the accuracies and the score out for a model so large that they take too long, for
// steps without a snapshot, and the score where no head has one.
nlohmann::ordered_json formation_json(const interpret::Certificate& certificate, const run::Run& run,
                                      nn::Transformer& model, std::vector<train::Snapshot> snapshots,
                                      ThreadPool& pool);

// accuracy_by_period, of as many periods as take about a second; none where this is less than eight of those
// there are, and for tasks without such periods.
std::vector<studies::PeriodAccuracy> page_periods(const run::Run& run, ThreadPool& pool);

}  // namespace headlight::page
