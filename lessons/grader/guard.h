// Memory in which a write behind the end of an array is a crash at once, in the line that writes.
#pragma once

namespace headlight::grader {

// The variable of the environment that turns the guard on. A checker runs with it a second time when the
// first run ended because memory was damaged, which malloc sees only later.
inline constexpr const char* kGuardVariable = "HEADLIGHT_GUARD";

// While one lives, and the variable is set, each array that is made ends where a page ends, and the page
// after it may not be touched. Without room for more such arrays others follow as usual.
class Guard {
 public:
  Guard();
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
};

}  // namespace headlight::grader
