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
      thread_([this](BackgroundThread& thread) { watch(thread); }) {}

void ElapsedLine::watch(BackgroundThread& thread) {
  const Clock::time_point start = Clock::now();
  if (thread.stops_within(redraws_ ? waits_.quiet : waits_.line)) return;
  do {
    const double taken = std::chrono::duration<double>(Clock::now() - start).count();
    const std::string text = fmt::format("{} has taken {} so far", what_, duration(taken));
    std::fputs((redraws_ ? "\r" + text + "\x1b[K" : text + "\n").c_str(), out_);
    std::fflush(out_);
  } while (redraws_ && !thread.stops_within(waits_.redraw));
  if (!redraws_) return;
  std::fputs("\r\x1b[K", out_);
  std::fflush(out_);
}

}  // namespace headlight::app
