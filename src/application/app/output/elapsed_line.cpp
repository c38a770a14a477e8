#include "elapsed_line.h"

#include <fmt/core.h>

#include <chrono>

#include "headlight/system/progress_text.h"

namespace headlight::app {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

ElapsedLine::ElapsedLine(std::string what, std::FILE* out, bool redraws, const Waits& waits)
    : what_(std::move(what)),
      out_(out),
      waits_(waits),
      redraws_(redraws),
      thread_([this](const std::stop_token& stop) { watch(stop); }) {}

void ElapsedLine::over() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void ElapsedLine::watch(const std::stop_token& stop) {
  const Clock::time_point start = Clock::now();
  std::unique_lock lock(mutex_);
  const auto is_over_after = [&](std::chrono::milliseconds wait) {
    return changed_.wait_for(lock, stop, wait, [&] { return stop.stop_requested(); });
  };
  if (is_over_after(redraws_ ? waits_.quiet : waits_.line)) return;
  do {
    const double taken = std::chrono::duration<double>(Clock::now() - start).count();
    const std::string text = fmt::format("{} has taken {} so far", what_, duration(taken));
    std::fputs((redraws_ ? "\r" + text + "\x1b[K" : text + "\n").c_str(), out_);
    std::fflush(out_);
  } while (redraws_ && !is_over_after(waits_.redraw));
  if (!redraws_) return;
  std::fputs("\r\x1b[K", out_);
  std::fflush(out_);
}

}  // namespace headlight::app
