// Ctrl-C asks to stop; a second one insists.
#pragma once

namespace headlight {

// While it lives, the first SIGINT, SIGTERM, SIGHUP or SIGUSR1 only sets a flag, and the next one ends the
// program at once. A signal that was ignored before stays so: under nohup a run outlives its terminal.
// SIGUSR1 is what mpirun passes on without ending the processes soon after.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  // Of the newest scope.
  static bool requested();
};

// While it lives, output that nobody reads any more does not end the program (SIGPIPE), so that a run is
// saved.
class BrokenPipeScope {
 public:
  BrokenPipeScope();
  ~BrokenPipeScope();
  BrokenPipeScope(const BrokenPipeScope&) = delete;
  BrokenPipeScope& operator=(const BrokenPipeScope&) = delete;
};

}  // namespace headlight
