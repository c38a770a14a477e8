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

template <class T>
void largest_first(std::vector<T>& terms) {
  std::stable_sort(terms.begin(), terms.end(),
                   [](const T& a, const T& b) { return std::abs(a.value) > std::abs(b.value); });
}

}  // namespace headlight::studies
