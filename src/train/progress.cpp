#include "headlight/train/progress.h"

#include <fmt/core.h>

#include <algorithm>

#include "headlight/core/system.h"

namespace headlight::train {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kRedraw = std::chrono::milliseconds(80);
constexpr int kBarWidth = 10;  // the line then fits 80 columns
constexpr std::int64_t kLines = 20;

std::string duration(double seconds) {
  const auto s = static_cast<long>(seconds + 0.5);
  return s < 60 ? fmt::format("{} s", s) : fmt::format("{}:{:02}", s / 60, s % 60);
}

std::string bar(double done) {
  const int filled = static_cast<int>(done * kBarWidth);
  std::string out;
  for (int i = 0; i < kBarWidth; ++i) out += i < filled ? "━" : "┈";
  return out;
}

}  // namespace

Progress::Progress(std::int64_t total_steps, std::size_t tokens_per_step, std::FILE* out)
    : total_(total_steps),
      tokens_per_step_(tokens_per_step),
      out_(out),
      is_terminal_(system::is_terminal(out)),
      start_(Clock::now()),
      drawn_(start_) {}

double Progress::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

double Progress::tokens_per_second() const {
  return static_cast<double>(figures_.step) * static_cast<double>(tokens_per_step_) /
         std::max(seconds(), 1e-9);
}

std::string Progress::line() const {
  const double done = static_cast<double>(figures_.step) / static_cast<double>(total_);
  const double left = done > 0 ? seconds() * (1 - done) / done : 0;
  return fmt::format("{}/{}  loss {:.3f}  predictable {:5.1f} %  {:.0f}k tokens/s  {} left", figures_.step,
                     total_, figures_.loss, 100 * figures_.accuracy, tokens_per_second() / 1000,
                     duration(left));
}

void Progress::draw() {
  const std::string text =
      is_terminal_
          ? fmt::format("\r{} {}\x1b[K",
                        bar(static_cast<double>(figures_.step) / static_cast<double>(total_)), line())
          : "step " + line() + "\n";
  std::fputs(text.c_str(), out_);
  std::fflush(out_);
}

void Progress::update(const ProgressFigures& figures) {
  figures_ = figures;
  if (is_terminal_) {
    if (Clock::now() - drawn_ < kRedraw) return;
    drawn_ = Clock::now();
    draw();
  } else if (figures.step >= next_line_) {
    draw();
    const std::int64_t stride = std::max<std::int64_t>(1, total_ / kLines);
    next_line_ = (figures.step / stride + 1) * stride;
  }
}

void Progress::finish() {
  if (!is_terminal_) return;
  draw();
  std::fputs("\n", out_);
}

}  // namespace headlight::train
