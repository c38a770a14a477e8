#include "task_text.h"

#include <fmt/core.h>

#include <algorithm>

#include "headlight/page/glossary.h"
#include "headlight/system/text.h"

namespace headlight::app {
namespace {

constexpr std::size_t kTextWidth = 79;
constexpr double kMeasured = 256;
constexpr double kCertain = 5e-5;   // a standard error that is not seen in the digits
constexpr double kMostPairs = 1e9;  // of positions, for the best loss of a task looks at each pair
constexpr std::string_view kReads = "reads    ", kPredicts = "predicts ", kSource = "source   ";
constexpr draw::Color kPredictable{0, 158, 115};

std::string paragraph(const std::string& text) {
  std::string lines;
  for (const std::string& line : wrapped(page::without_stars(text), kTextWidth)) lines += line + "\n";
  return lines;
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, display_width(text)), ' ');
}

std::string without_end_spaces(std::string line) {
  while (line.ends_with(' ')) line.pop_back();
  return line + "\n";
}

// How wide the tokens of a task are, with a space after each that is longer than a character.
std::size_t cell_width(const tasks::Task& task) {
  std::size_t widest = 1;
  for (std::size_t i = 0; i < task.vocabulary.size(); ++i)
    widest =
        std::max(widest, display_width(printable_token(task.vocabulary.text(static_cast<std::int32_t>(i)))));
  return widest == 1 ? 1 : widest + 1;
}

}  // namespace

bool is_predictable(const tasks::Sequence& s, std::size_t t) {
  return s.targets[t] != tasks::kNoTarget && (s.predictable.empty() || s.predictable[t]);
}

std::string list_of_tasks() {
  std::string text;
  for (const auto& entry : tasks::registry().entries())
    text += fmt::format("  {:<10} {}\n", entry.name, entry.help);
  return text + "\nA task with a sample:   ./headlight task copy\n";
}

std::string description_of(const tasks::Task& task) {
  const tasks::TaskWords& w = task.words;
  std::string text;
  for (const std::string* words : {&w.what, &w.answer, &w.success, &w.look_for})
    if (!words->empty()) text += paragraph(*words);
  text += fmt::format("\n{} tokens, context {}; trained on {}.\n", task.config.d_vocab, task.config.n_ctx,
                      task.trained_on.empty() ? "sequences as below" : task.trained_on);
  return text;
}

MeasuredLosses measured_losses(const tasks::Task& task, std::uint64_t seed) {
  const auto n = static_cast<double>(task.config.n_ctx + task.config.d_vocab);
  const auto count = static_cast<std::size_t>(std::clamp(kMostPairs / (n * n), 1.0, kMeasured));
  return {run::baselines(task, count, Rng(seed).stream("evaluation")), count};
}

std::string losses_text(const tasks::Task& task, const MeasuredLosses& losses) {
  const std::size_t count = losses.sequences;
  std::string text;
  bool drawn = false;
  for (const run::Baseline& y : losses.baselines) {
    const bool best = y.name == run::kBestPossible, exact = best && task.best_mean;
    const bool certain = exact || y.standard_error < kCertain;
    drawn = drawn || !certain;
    text += fmt::format("{} is {:.4f}{} nats.\n", best ? "The best possible loss" : "The loss of " + y.name,
                        exact ? *task.best_mean : y.losses.loss,
                        certain ? "" : fmt::format(" ± {:.4f}", y.standard_error));
  }
  if (drawn)
    text +=
        fmt::format("± is the standard error: measured on {} sequence{}.\n", count, count == 1 ? "" : "s");
  return text;
}

bool has_predictable(const tasks::Sequence& s) {
  for (std::size_t t = 0; t < s.targets.size(); ++t)
    if (is_predictable(s, t)) return true;
  return false;
}

std::string sample_text(const tasks::Task& task, const tasks::Sequence& s, draw::ColorMode mode,
                        std::size_t columns) {
  const std::size_t cell = cell_width(task), room = columns > kReads.size() ? columns - kReads.size() : cell;
  const std::size_t fitting = std::max<std::size_t>(1, room / cell);
  const auto shown = [&](std::int32_t token) {
    return padded(token == tasks::kNoTarget ? "" : printable_token(task.vocabulary.text(token)), cell);
  };
  std::string text = s.note.empty() ? "" : printable(s.note) + "\n";
  for (std::size_t first = 0; first < s.source.size(); first += fitting) {
    std::string line(kSource);
    for (std::size_t t = first; t < std::min(s.source.size(), first + fitting); ++t)
      line += shown(s.source[t]);
    text += without_end_spaces(line);
  }
  for (std::size_t first = 0; first < s.tokens.size(); first += fitting) {
    std::string reads(kReads), predicts(kPredicts), marks(kReads.size(), ' ');
    for (std::size_t t = first; t < std::min(s.tokens.size(), first + fitting); ++t) {
      const bool marked = is_predictable(s, t);
      reads += shown(s.tokens[t]);
      predicts += marked ? draw::foreground(kPredictable, mode) + shown(s.targets[t]) + draw::reset(mode)
                         : shown(s.targets[t]);
      marks += padded(marked ? "^" : "", cell);
    }
    text += without_end_spaces(reads) + without_end_spaces(predicts);
    if (mode == draw::ColorMode::none && marks.find('^') != std::string::npos)
      text += without_end_spaces(marks);
  }
  return text;
}

}  // namespace headlight::app
