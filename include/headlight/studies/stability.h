// Whether the certificate depends on the sequences that were drawn for it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "headlight/run/run.h"

namespace headlight::studies {

// In how many draws the certificate gave a head each role.
struct NamedHead {
  interpret::HeadAt head;
  std::size_t induction = 0, previous_token = 0, helper = 0;
};

struct Stability {
  std::size_t draws = 0;
  std::size_t circuits = 0;      // verdicts "induction circuit"
  std::vector<NamedHead> heads;  // that were named at least once, in order
};

// Certifies the run's model so many times, each time on sequences that are all drawn anew. Throws Error as
// interpret::certify() does.
Stability stability(const run::Run& run, std::size_t draws, ThreadPool& pool);

// The counts in words, and a row for each head, in lines of at most `columns`.
std::string stability_text(const Stability& stability, std::size_t columns = 100);

}  // namespace headlight::studies
