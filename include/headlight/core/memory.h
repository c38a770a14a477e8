// Sizes are refused before anything is allocated when they need more memory than there is.
#pragma once

#include <string>

namespace headlight::inline HEADLIGHT_PRECISION {

// "7.6 GB", "4.0 MB": bytes in units of 10⁹ or 10⁶.
std::string memory_text(double bytes);

// Throws Error when `bytes` is more than system::usable_memory(): "{what} needs about 7.6 GB of memory, but
// this machine allows 4.0 GB. Hint: {hint}."
void require_memory(double bytes, const std::string& what, const std::string& hint);

}  // namespace headlight::inline HEADLIGHT_PRECISION
