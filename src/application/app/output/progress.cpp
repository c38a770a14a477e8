#include "progress.h"

#include <fmt/core.h>

#include <algorithm>

#include "headlight/draw/color.h"
#include "headlight/system/percent.h"
#include "headlight/system/progress_text.h"

namespace headlight::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kRedraw = std::chrono::milliseconds(80);
constexpr std::int64_t kLines = 20;

}  // namespace

Progress::Progress(const run::Experiment& run, std::FILE* out)
    : first_(run.steps_done()),
      total_(run.config().train.steps),
      tokens_per_step_(run.config().train.batch * run.config().task.n_ctx),
      predictable_(run.task().kinds.predictable),
      out_(out),
      redraws_(draw::can_redraw(out)),
      step_(first_),
      next_line_(first_ + 1),
      start_(Clock::now()),
      drawn_(start_),
      first_step_("the first step", out, redraws_) {}

std::string Progress::line() const {
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const auto done = static_cast<double>(step_ - first_), left = static_cast<double>(total_ - step_);
  const std::string accuracy = accuracy_ ? fmt::format("  {} {:>7}", predictable_, percent(*accuracy_)) : "";
  return fmt::format("{}/{}  loss {:.3f}{}  {:.0f}k tokens/s  {} left", step_, total_, loss_, accuracy,
                     done * static_cast<double>(tokens_per_step_) / std::max(seconds, 1e-9) / 1000,
                     duration(done > 0 ? seconds * left / done : 0));
}

void Progress::draw() {
  const std::string text =
      redraws_ ? fmt::format("\r{} {}\x1b[K",
                             progress_bar(static_cast<double>(step_) / static_cast<double>(total_)), line())
               : "step " + line() + "\n";
  std::fputs(text.c_str(), out_);
  std::fflush(out_);
}

void Progress::after(const run::Experiment& run, const train::StepReport& step) {
  first_step_.over();
  step_ = step.step;
  loss_ = step.loss;
  if (!run.metrics().empty()) accuracy_ = run.metrics().back().evaluation.accuracy_predictable;
  if (redraws_) {
    if (Clock::now() - drawn_ < kRedraw) return;
    drawn_ = Clock::now();
    draw();
  } else if (step_ >= next_line_) {
    draw();
    const std::int64_t stride = std::max<std::int64_t>(1, total_ / kLines);
    next_line_ = (step_ / stride + 1) * stride;
  }
}

void Progress::finish() {
  first_step_.over();
  if (!redraws_) return;
  draw();
  std::fputs("\n", out_);
}

}  // namespace headlight::app
