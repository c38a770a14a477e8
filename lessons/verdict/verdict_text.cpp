#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <tuple>

#include "headlight/system/text.h"
#include "verdict/remarks.h"
#include "verdict/verdict.h"
#include "verdict/verdict_table.h"

namespace headlight::grader {
namespace {

using Lines = std::vector<std::string>;

// How a verdict's lines come about one after the other.
struct Writer {
  std::size_t width;
  bool color;
  std::string text = {};

  std::string in(const char* escape, const std::string& words) const {
    return color ? fmt::format("\x1b[{}m{}\x1b[0m", escape, words) : words;
  }
  std::string strong(const std::string& words) const { return in("1", words); }
  std::string wrong(const std::string& words) const { return in("31", words); }
  std::string right(const std::string& words) const { return in("32", words); }

  void line(const std::string& words = "") { text += words + "\n"; }
  void sentence(const std::string& words) {
    for (const std::string& each : wrapped(printable(words), width)) line(each);
  }
  void set_in(const Lines& lines) {
    for (const std::string& each : lines) line(each.empty() ? "" : "  " + each);
  }
};

std::string stars(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "★";
  return text;
}

// "shape (2,3)", or "a number".
std::string kind_of(const Shown& shown) {
  return shown.shape.empty() ? "a number" : fmt::format("shape {}", shown.shape);
}

Lines titled(const std::string& title, const Lines& lines) {
  Lines all{title};
  all.insert(all.end(), lines.begin(), lines.end());
  return all;
}

std::size_t width_of(const Lines& lines) {
  std::size_t width = 0;
  for (const std::string& line : lines) width = std::max(width, display_width(line));
  return width;
}

void write_inputs(const Verdict& verdict, Writer& out) {
  for (const Shown& input : verdict.inputs) {
    const Lines lines = table(input, {.columns = out.width - 4});
    const std::string name = printable(input.name);
    if (lines.size() == 1 && display_width(name + lines[0]) + 5 <= out.width)
      out.line(fmt::format("  {} ={}{}", name, lines[0].starts_with(' ') ? "" : " ", lines[0]));
    else
      out.set_in(titled(fmt::format("{}, {}", name, kind_of(input)), lines));
  }
}

// So many that the two numbers look different.
int digits_for(double a, double b) {
  for (const int digits : {4, 6, 9, 12})
    if (in_digits(a, digits) != in_digits(b, digits)) return digits;
  return 17;
}

// Output i as it was expected and found, side by side where the width allows.
Lines outputs_beside(const Verdict& verdict, std::size_t i, const Writer& out) {
  const std::size_t half = (out.width - 4) / 2;
  TableLayout layout{.columns = half - 2};
  const bool in_both = i < verdict.expected.size() && i < verdict.found.size();
  if (verdict.where && verdict.where->output == i && in_both && verdict.kind != Kind::wrong_shape) {
    layout.mark = verdict.where->index;
    layout.digits =
        digits_for(verdict.expected[i].numbers[*layout.mark], verdict.found[i].numbers[*layout.mark]);
  }
  const auto block = [&](const char* word, const std::vector<Shown>& all) {
    if (i >= all.size()) return Lines{};
    const std::string name = all[i].name == "result" ? "" : " " + printable(all[i].name);
    return titled(fmt::format("{}{}, {}", word, name, kind_of(all[i])), table(all[i], layout));
  };
  Lines expected = block("expected", verdict.expected);
  const Lines found = block("found", verdict.found);
  if (expected.empty() || found.empty() || width_of(expected) > half || width_of(found) > half) {
    expected.insert(expected.end(), found.begin(), found.end());
    return expected;
  }
  return beside(expected, found, half + 2);
}

void write_outputs(const Verdict& verdict, Writer& out) {
  const std::size_t outputs = std::max(verdict.expected.size(), verdict.found.size());
  for (std::size_t i = 0; i < outputs; ++i) {
    if (verdict.where && verdict.where->output != i) continue;
    if (verdict.found.empty() && i > 0) break;  // nothing to compare them with
    out.line();
    out.set_in(outputs_beside(verdict, i, out));
  }
}

std::string index_of(const Shape& shape, std::size_t number) {
  if (shape.empty()) return "";
  const std::string index = to_string(unravel_index(number, shape));
  return fmt::format(" at [{}]", index.substr(1, index.size() - 2));
}

std::string sentence_on_numbers(const Verdict& verdict) {
  if (verdict.found.empty() || verdict.expected.empty() || !verdict.where)
    return fmt::format("Here an exception is expected: {}.", verdict.message);
  const auto [output, index] = *verdict.where;
  const Shown &expected = verdict.expected[output], &found = verdict.found[output];
  const double a = expected.numbers[index], b = found.numbers[index];
  const int digits = digits_for(a, b);
  return fmt::format("The first difference is{}: expected {}, found {}.", index_of(expected.shape, index),
                     in_digits(a, digits), in_digits(b, digits));
}

std::string sentence_on_shapes(const Verdict& verdict) {
  const std::size_t i = verdict.where ? verdict.where->output : 0;
  if (i >= verdict.expected.size() || i >= verdict.found.size())
    return fmt::format("Expected {} results, found {}.", verdict.expected.size(), verdict.found.size());
  return fmt::format("The shape differs: expected {}, found {}.", verdict.expected[i].shape,
                     verdict.found[i].shape);
}

// What happened, in one sentence.
std::string sentence_on(const Verdict& verdict) {
  const std::string place = verdict.line > 0 ? fmt::format(" in line {}", verdict.line) : "";
  switch (verdict.kind) {
    case Kind::solved:
      return verdict.part < verdict.parts.size() ? "This part is solved." : "All parts are solved.";
    case Kind::not_written:
      return verdict.message.empty()
                 ? "This part is not written yet."
                 : fmt::format("This part calls {}, which is not written yet.", verdict.message);
    case Kind::wrong_numbers:
    case Kind::not_finite:
      return sentence_on_numbers(verdict);
    case Kind::wrong_shape:
      return sentence_on_shapes(verdict);
    case Kind::wrong_trial:
    case Kind::refused:
      return verdict.message;
    case Kind::threw:
      return fmt::format("Your code threw an exception{}: {}", place, verdict.message);
    case Kind::crashed:
      return fmt::format("Your code crashed{}: {}.", place, verdict.message);
    case Kind::endless:
      return fmt::format(
          "Your code takes too long: {}{}. A loop has no end, or it does more than it needs to.",
          verdict.message, place);
    case Kind::memory:
      return fmt::format("Your code takes too much memory{}: {}.", place, verdict.message);
    case Kind::running:
      break;
  }
  return "Your code was called and has not ended.";
}

void write_sentence(const Verdict& verdict, Writer& out) {
  for (const std::string& each : wrapped(printable(sentence_on(verdict)), out.width))
    out.line(out.wrong(each));
}

void write_printed(const Verdict& verdict, Writer& out) {
  constexpr std::size_t kMostLines = 10;
  std::istringstream text(verdict.printed);
  std::size_t count = 0;
  for (std::string line; std::getline(text, line);) {
    if (line.empty()) continue;
    if (count == 0) out.line("\nYour code printed:");
    if (++count > kMostLines) return out.line("  …");
    const Lines parts = wrapped(printable(line), out.width - 4);
    out.line("  " + (parts.empty() ? "" : parts[0].substr(0, 4 * out.width)));
  }
}

constexpr int kDigits = 4;  // of the numbers of an experiment

// The columns of an experiment: settings, predicted, measured.
void write_trials(const std::vector<Shown>& trials, Writer& out) {
  const auto &settings = trials[0], &predicted = trials[1], &measured = trials[2];
  out.line("\nYour experiment:");
  out.line(fmt::format("  {:>12}{:>12}  {}", settings.name, predicted.name, measured.name));
  for (std::size_t i = 0; i < settings.numbers.size(); ++i)
    out.line(fmt::format("  {:>12}{:>12}  {}", in_digits(settings.numbers[i], kDigits),
                         in_digits(predicted.numbers[i], kDigits), in_digits(measured.numbers[i], kDigits)));
}

}  // namespace

std::string trials_text(const Verdict& verdict, std::size_t width) {
  Writer out{width, false};
  if (verdict.trials.empty()) return "";
  write_trials(verdict.trials, out);
  const auto &settings = verdict.trials[0], &predicted = verdict.trials[1], &measured = verdict.trials[2];
  std::size_t worst = 0, exact = 0, last_exact = 0;
  const auto off = [&](std::size_t i) { return std::abs(predicted.numbers[i] - measured.numbers[i]); };
  for (std::size_t i = 0; i < settings.numbers.size(); ++i) {
    if (off(i) > off(worst)) worst = i;
    if (off(i) == 0) ++exact, last_exact = i;
  }
  if (exact == settings.numbers.size()) {
    out.sentence("All your predictions are right to the last digit :-) Who measures first learns less.");
    return out.text;
  }
  if (exact > 0)
    out.sentence(fmt::format("For {} = {} you predicted what you measured, to the last digit :-)",
                             settings.name, in_digits(settings.numbers[last_exact], kDigits)));
  out.sentence(fmt::format("Farthest off: for {} = {} you predicted {}, and measured {}.", settings.name,
                           in_digits(settings.numbers[worst], kDigits),
                           in_digits(predicted.numbers[worst], kDigits),
                           in_digits(measured.numbers[worst], kDigits)));
  return out.text;
}

std::string verdict_text(const Verdict& verdict, std::size_t width, bool color) {
  Writer out{std::max<std::size_t>(width, 40), color};
  if (verdict.kind == Kind::solved) {
    out.line(out.right(sentence_on(verdict)));
    out.text += trials_text(verdict, out.width);
    return out.text;
  }
  if (verdict.part >= verdict.parts.size()) {
    write_sentence(verdict, out);
    out.sentence("It ended before its first part was called.");
    write_printed(verdict, out);
    return out.text;
  }
  const auto& part = verdict.parts[verdict.part];
  out.line(fmt::format("Part {} of {}  {} {}", verdict.part + 1, verdict.parts.size(),
                       out.strong(printable(part.name)), stars(part.stars)));
  if (!verdict.call.empty()) {
    out.line();
    out.line("  " + out.strong(printable(verdict.call)));
  }
  write_inputs(verdict, out);
  if (verdict.kind == Kind::wrong_trial)
    write_trials(verdict.found, out);
  else
    write_outputs(verdict, out);
  out.line();
  write_sentence(verdict, out);
  if (verdict.example_only && !verdict.found.empty())
    out.sentence("Your numbers fit the example of the exercise, and not this call.");
  if (const auto remark = remark_on(verdict); remark && !verdict.mistake) out.sentence(*remark);
  if (verdict.mistake) {
    out.line();
    out.sentence(verdict.mistake->sentence);
    if (!verdict.mistake->read.empty())
      out.sentence(
          fmt::format("Read again: \"{}\" in lessons/{}/README.md", verdict.mistake->read, verdict.lesson));
  }
  write_printed(verdict, out);
  return out.text;
}

}  // namespace headlight::grader
