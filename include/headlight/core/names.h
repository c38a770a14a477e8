// Names that people type: lists of them, and the one that was probably meant.
#pragma once

#include <string>
#include <vector>

namespace headlight::inline HEADLIGHT_PRECISION {

// "repeat, copy or sort"
std::string listed(const std::vector<std::string>& names);

// " Did you mean 'repeat'?" with the known name that takes the fewest changes of a character (Levenshtein
// 1966) to come from `name`; nothing when none is near, or none is known.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& known);

}  // namespace headlight::inline HEADLIGHT_PRECISION
