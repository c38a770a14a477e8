#include "headlight/system/interrupt.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>

namespace headlight {
namespace {

constexpr std::array kStops{SIGINT, SIGTERM, SIGHUP, SIGUSR1};

volatile std::sig_atomic_t stop_requested = 0;
std::timespec first_request{};
std::array<struct sigaction, kStops.size()> before_stops{};
struct sigaction before_pipe {};

double seconds_between(const std::timespec& from, const std::timespec& to) {
  return static_cast<double>(to.tv_sec - from.tv_sec) + 1e-9 * static_cast<double>(to.tv_nsec - from.tv_nsec);
}

// Some programs send a signal to the process and at once to its group, or one signal right after another.
// Only what comes later is a person who insists; nobody presses Ctrl-C twice within a tenth of a second.
constexpr double kSameRequest = 0.1;  // seconds

void stop_on(int signal) {
  const int error = errno;
  std::timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);  // allowed in a signal handler
  if (stop_requested == 0) {
    stop_requested = 1;
    first_request = now;
  } else if (seconds_between(first_request, now) > kSameRequest) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  errno = error;
}

}  // namespace

InterruptScope::InterruptScope() {
  stop_requested = 0;
  struct sigaction action {};
  action.sa_flags = SA_RESTART;
  for (const int signal : kStops) sigaddset(&action.sa_mask, signal);  // one at a time
  action.sa_handler = stop_on;
  for (std::size_t i = 0; i < kStops.size(); ++i) {
    sigaction(kStops[i], nullptr, &before_stops[i]);
    if (before_stops[i].sa_handler != SIG_IGN) sigaction(kStops[i], &action, nullptr);
  }
}

InterruptScope::~InterruptScope() {
  for (std::size_t i = 0; i < kStops.size(); ++i) sigaction(kStops[i], &before_stops[i], nullptr);
}

bool InterruptScope::requested() { return stop_requested != 0; }

BrokenPipeScope::BrokenPipeScope() {
  struct sigaction action {};
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, &before_pipe);
}

BrokenPipeScope::~BrokenPipeScope() { sigaction(SIGPIPE, &before_pipe, nullptr); }

}  // namespace headlight
