// Signals that ask a run to stop, in this process.
#include "headlight/system/interrupt.h"

#include <chrono>
#include <csignal>
#include <thread>

#include "catch.h"
#include "headlight/system/process.h"

using namespace headlight;

namespace {

// The signals as a program finds them in the foreground; in the background a shell may ignore some.
class Heeded {
 public:
  Heeded() : hang_up_(std::signal(SIGHUP, SIG_DFL)), interrupt_(std::signal(SIGINT, SIG_DFL)) {}
  ~Heeded() {
    std::signal(SIGHUP, hang_up_);
    std::signal(SIGINT, interrupt_);
  }
  Heeded(const Heeded&) = delete;
  Heeded& operator=(const Heeded&) = delete;

 private:
  void (*hang_up_)(int);
  void (*interrupt_)(int);
};

}  // namespace

TEST_CASE("each signal that asks to stop is noted, and a scope begins without", "[program]") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) {
    const Heeded heeded;
    const InterruptScope scope;
    CHECK_FALSE(scope.requested());
    std::raise(signal);
    CHECK(scope.requested());
    std::raise(signal);  // at once: the same request, sent to the process and to its group
    std::raise(SIGHUP);
    CHECK(scope.requested());
  }
}

TEST_CASE("a signal that was ignored stays so, and a scope gives back what it found", "[program]") {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    const InterruptScope scope;
    std::raise(SIGHUP);
    CHECK_FALSE(scope.requested());
  }
  CHECK(std::signal(SIGHUP, before) == SIG_IGN);
  {
    const BrokenPipeScope scope;
    std::raise(SIGPIPE);  // ends nothing
  }
  CHECK(std::signal(SIGPIPE, SIG_DFL) == SIG_DFL);
}

TEST_CASE("a signal a moment after the first ends the program", "[program]") {
  const std::string end = error_of([] {
    (void)run_in_copy([]() -> std::string {
      const Heeded heeded;
      const InterruptScope scope;
      std::raise(SIGINT);
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
      std::raise(SIGTERM);
      return "went on";
    });
  });
  CHECK(end == "a child process was killed by signal 15.");
}
