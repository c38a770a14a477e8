// Circuits that do the work of an induction circuit at another place than the follower.
#pragma once

#include <memory>

#include "circuit_search.h"

namespace headlight::interpret {

// The heads are chosen by `choice`, and the numbers are from a lab that `test` makes for a displacement.
// Nothing if no head looks at one place after the followers, and its keys are not made by earlier heads.
std::optional<Displaced> find_displaced(const Lab& choice,
                                        const std::function<std::unique_ptr<Lab>(std::size_t by)>& test,
                                        ThreadPool& pool);

}  // namespace headlight::interpret
