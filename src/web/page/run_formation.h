// What more the page tells of a circuit along training, and of a model at every period.
#pragma once

#include "headlight/core/thread_pool.h"
#include "headlight/page/page.h"
#include "headlight/run/run.h"

namespace headlight::page {

// Adds to each step of page.formation the accuracy without the circuit's heads and with them alone, with the
// mean over 16 sequences in place of a head's output, on 16 others; and the induction heads' copying score.
// Sets the run's model to each of the snapshots, in their order. Adds nothing for a model so large that this
// takes too long.
void add_formation(PageCertificate& page, const interpret::Certificate& certificate, const run::Run& run,
                   nn::Transformer& model, std::vector<train::Snapshot> snapshots, ThreadPool& pool);

// accuracy_by_period, of as many periods as take about a second; none where this is less than eight of those
// there are, and for tasks without such periods.
std::vector<PagePeriod> page_periods(const run::Run& run, ThreadPool& pool);

}  // namespace headlight::page
