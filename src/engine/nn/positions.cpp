#include "headlight/nn/positions.h"

namespace headlight::nn {

// The kinds, in the order of --help. Each is a function in its own file of positions/.
#define KINDS(DO) \
  DO(rotary)      \
  DO(learned)     \
  DO(learned_qk)  \
  DO(sinusoidal)  \
  DO(alibi)       \
  DO(relative)    \
  DO(t5)          \
  DO(none)

#define DECLARE(kind) Registry<Positions>::Entry kind();
namespace position_kinds {
KINDS(DECLARE)
}

#define ENTRY(kind) position_kinds::kind(),
Registry<Positions>& positions() {
  static Registry<Positions> all("kind of positions", {KINDS(ENTRY)});
  return all;
}

#undef KINDS
#undef DECLARE
#undef ENTRY

}  // namespace headlight::nn
