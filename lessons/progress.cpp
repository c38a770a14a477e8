#include "progress.h"

#include <fmt/core.h>

#include <cstdio>
#include <utility>

#include "headlight/draw/color.h"
#include "headlight/system/progress_text.h"
#include "headlight/system/run_main.h"

namespace headlight::lesson {

using Clock = std::chrono::steady_clock;

Progress::Progress(std::string what, std::size_t all)
    : what_(std::move(what)),
      all_(all),
      redraws_(draw::can_redraw(stderr)),
      start_(Clock::now()),
      drawn_(start_) {
  std::fflush(stdout);
}

Progress::~Progress() {
  if (redraws_) std::fputs("\r\x1b[K", stderr);
}

void Progress::step() {
  ++done_;
  if (!redraws_ || Clock::now() - drawn_ < std::chrono::milliseconds(80)) return;
  drawn_ = Clock::now();
  const double share = static_cast<double>(done_) / static_cast<double>(all_);
  const double seconds = std::chrono::duration<double>(drawn_ - start_).count();
  print_note(fmt::format("\r{} {}, {} left\x1b[K", progress_bar(share), what_,
                         duration(seconds * (1 - share) / share)));
}

}  // namespace headlight::lesson
