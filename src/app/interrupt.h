// Ctrl-C asks to stop; a second one insists.
#pragma once

namespace headlight::inline HEADLIGHT_PRECISION::app {

// While it lives, the first SIGINT or SIGTERM only sets a flag; another one, a second or more later, ends the
// program as usual.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  bool requested() const;
};

}  // namespace headlight::inline HEADLIGHT_PRECISION::app
