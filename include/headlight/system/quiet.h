// A process beside another that prints for both.
#pragma once

namespace headlight {

// While it lives, what this process prints to standard output and standard error is dropped.
class QuietScope {
 public:
  QuietScope();
  ~QuietScope();
  QuietScope(const QuietScope&) = delete;
  QuietScope& operator=(const QuietScope&) = delete;

 private:
  int output_, errors_;  // copies of the streams
};

}  // namespace headlight
