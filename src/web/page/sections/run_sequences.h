// The sequences of a run's page.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "headlight/run/run.h"
#include "page/packed_patterns.h"
#include "page/shown.h"

namespace headlight::page {

// Patterns as the page reads them, one set of them after another.
nlohmann::ordered_json patterns_json(const PackedPatterns& patterns, std::size_t sets = 1);

// The sequences that the page shows, with their predictions: `own`, and examples as far as there is room.
struct Sequences {
  std::vector<Shown> shown;
  nlohmann::ordered_json json;
};
Sequences page_sequences(const run::Run& run, const std::vector<run::Example>& own);

// {steps, patterns, views}: how the patterns on a sequence changed along training; `views` are those of the
// stacks after the first. Sets the model to each of the snapshots, in their order.
nlohmann::ordered_json history_json(nn::Transformer& model, std::vector<train::Snapshot> snapshots,
                                    const run::Example& example);

}  // namespace headlight::page
