// What studies of one position share: the sequence, its tokens in words, and the order of contributions.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/nn/one_sequence.h"
#include "headlight/run/examples.h"
#include "headlight/studies/head_studies.h"
#include "headlight/studies/patterns.h"
#include "headlight/system/text.h"

namespace headlight::studies {

// A run, and the sequence of a request.
struct StudiedPlace {
  const run::Run& run;
  run::Example example;

  StudiedPlace(const run::Run& r, const AttributionRequest& request)
      : run(r),
        example(request.tokens.empty() ? run::first_example(r.task, r.config.train.seed)
                                       : run::own_example(r.task, request.tokens, request.source)) {
    check(request.position < example.tokens.size(),
          "there is no position {}: the last of the sequence is {}.", request.position,
          example.tokens.size() - 1);
  }

  IntArray tokens() const { return nn::one_sequence(example.tokens); }
  nn::Given given() const { return {.source = nn::one_sequence(example.source)}; }

  // "'B'"
  std::string quoted(std::int32_t token) const {
    return "'" + printable_token(run.task.vocabulary.text(token)) + "'";
  }
  // "'B' at 40"
  std::string at(std::size_t position) const {
    return fmt::format("{} at {}", quoted(example.tokens[position]), position);
  }
  // Of a head's keys: its own sequence, or the source.
  std::string key_at(interpret::Stack stack, std::size_t position) const {
    const auto& keys = keys_of(stack, example);
    return fmt::format("{} at {}{}", quoted(keys[position]), position,
                       stack == interpret::Stack::cross ? " of the source" : "");
  }
};

struct Prediction {
  std::int32_t token = 0;  // the most likely one
  double probability = 0;  // of it
  std::vector<double> probabilities;
};

// Of a row of V logits.
inline Prediction prediction_of(const Real* row, std::size_t V) {
  const Real* best = std::max_element(row, row + V);
  Prediction prediction;
  prediction.token = static_cast<std::int32_t>(best - row);
  double sum = 0;
  for (std::size_t v = 0; v < V; ++v)
    sum += prediction.probabilities.emplace_back(std::exp(static_cast<double>(row[v] - *best)));
  for (double& p : prediction.probabilities) p /= sum;
  prediction.probability = prediction.probabilities[static_cast<std::size_t>(prediction.token)];
  return prediction;
}

template <class T>
void largest_first(std::vector<T>& terms) {
  std::stable_sort(terms.begin(), terms.end(),
                   [](const T& a, const T& b) { return std::abs(a.value) > std::abs(b.value); });
}

}  // namespace headlight::studies
