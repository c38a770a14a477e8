// One sentence for an error that several ranks find.
#pragma once

#include <functional>

namespace headlight::ranks {

// What the body returns. Of an error only the first living rank should speak: the launcher ends the others as
// soon as one has ended. So in rank r an error is thrown after r turns of 10 s, without those of ranks that a
// GroupError calls silent. A process without a launcher does not wait.
int in_turn(const std::function<int()>& body);

}  // namespace headlight::ranks
