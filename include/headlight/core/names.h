// Names that users type: lists of them, and suggestions for a mistyped one.
#pragma once

#include <string>
#include <vector>

namespace headlight {

// "repeat, copy or sort"
std::string listed(const std::vector<std::string>& names);

// " Did you mean 'repeat'?" with the known name that is nearest to `name` in Levenshtein distance (1966);
// empty when more than a third of the name would change.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& known);

}  // namespace headlight
