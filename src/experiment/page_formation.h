// What more the page tells of a circuit along training, and of a model at every period.
#pragma once

#include "headlight/core/thread_pool.h"
#include "headlight/experiment/run_folder.h"
#include "headlight/report/page.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

// Adds to each step of page.formation the accuracy without the circuit's heads and with them alone, with the
// mean over 16 sequences in place of a head's output, on 16 others; and the matchers' copying score. Sets the
// run's model to each of the moments, in their order. Adds nothing for a model so large that this takes too
// long.
void add_formation(report::PageCertificate& page, const interpret::Certificate& certificate, SavedRun& run,
                   std::vector<train::Moment> moments, ThreadPool& pool);

// accuracy_by_period, of as many periods as take about a second; none where this is less than eight of those
// there are, and for tasks without such periods.
std::vector<report::PagePeriod> page_periods(const SavedRun& run, ThreadPool& pool);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
