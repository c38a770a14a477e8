#include "interrupt.h"

#include <csignal>

namespace headlight::app {
namespace {

volatile std::sig_atomic_t stop_requested = 0;

void handle(int signal) {
  stop_requested = 1;
  std::signal(signal, SIG_DFL);
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

}  // namespace headlight::app
