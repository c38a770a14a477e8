#include "sweep_progress.h"

#include <fmt/core.h>

#include "headlight/draw/color.h"
#include "headlight/system/progress_text.h"

namespace headlight::app {

SweepLine::SweepLine(std::FILE* out) : out_(out), redraws_(draw::can_redraw(out)) {}

void SweepLine::show(const sweep::SweepProgress& p) {
  std::string line = fmt::format("{}/{} runs", p.done, p.total);
  if (p.failed > 0) line += fmt::format(", {} failed", p.failed);
  if (p.workers > 1) line += fmt::format(", {} workers", p.workers);
  if (p.seconds_left && p.done < p.total) line += fmt::format("  {} left", duration(*p.seconds_left));
  if (redraws_) {
    line = fmt::format("\r{} {}\x1b[K", progress_bar(p.share), line);
  } else if (p.done > printed_) {
    printed_ = p.done;
    line += "\n";
  } else {
    return;
  }
  std::fputs(line.c_str(), out_);  // whether it can be written or not
  std::fflush(out_);
}

void SweepLine::finish() const {
  if (redraws_) std::fputs("\n", out_);
}

}  // namespace headlight::app
