#include "interrupt.h"

#include <csignal>
#include <ctime>

namespace headlight::inline HEADLIGHT_PRECISION::app {
namespace {

volatile std::sig_atomic_t stop_requested = 0;
std::timespec first_request{};

// Some programs send the same signal twice at once, to the process and to its group. Only one that comes
// later is a person who insists.
constexpr std::time_t kInsistsAfter = 1;  // seconds

void handle(int signal) {
  std::timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);  // allowed in a signal handler
  if (stop_requested == 0) {
    stop_requested = 1;
    first_request = now;
  } else if (now.tv_sec - first_request.tv_sec > kInsistsAfter) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

InterruptScope::InterruptScope() {
  stop_requested = 0;
  std::signal(SIGINT, handle);
  std::signal(SIGTERM, handle);
}

InterruptScope::~InterruptScope() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool InterruptScope::requested() const { return stop_requested != 0; }

}  // namespace headlight::inline HEADLIGHT_PRECISION::app
