// Of what a head's keys are made, in a sentence.
#pragma once

#include <fmt/core.h>

#include <string>

#include "headlight/interpret/circuits.h"
#include "headlight/run/run.h"

namespace headlight::studies {

// Empty unless the head's keys are smeared.
inline std::string smeared_keys_words(const run::Run& run, const interpret::HeadAt& head) {
  const std::optional<double> own = interpret::share_of_own_key(*run.model, head);
  if (!own) return "";
  return fmt::format(
      "{} smears its keys: a key is {:.3f} of the key of its own token plus {:.3f} of the key of the token "
      "before.",
      interpret::head_code(head), *own, 1 - *own);
}

}  // namespace headlight::studies
