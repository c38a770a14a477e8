// What `./headlight show 16` draws: a text, continued by the learner's probabilities and copies.
#include "show.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "exercise.h"
#include "headlight/core/math.h"
#include "headlight/draw/diagram.h"
#include "name_tokens.h"
#include "writing.h"

std::vector<int> copied(const std::vector<int>& tokens, std::size_t n_ctx);
std::vector<double> probabilities(const std::vector<double>& logits, double temperature, std::size_t top_k);

namespace solution {
#include "solution.cpp"
}

namespace {

using lesson::Trained;

constexpr std::size_t kAcross = 32;  // characters in a line of cells

std::string names_text() { return lesson::identifier_text(20000, {}, 1); }

// The characters in lines of cells; those that `strong` names are emphasised.
template <class Strong>
draw::DrawnMatrix cells_of(const std::string& name, const std::string& text, const Strong& strong) {
  draw::DrawnMatrix matrix{"", name, {}, ""};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i % kAcross == 0) matrix.rows.emplace_back();
    const std::string shown = text[i] == '\n' ? "↵" : text[i] == ' ' ? "" : std::string(1, text[i]);
    matrix.rows.back().push_back({shown, strong(i) ? draw::CellStyle::strong : draw::CellStyle::plain});
  }
  return matrix;
}

// The beginning of a text, with the characters emphasised that a copy of the longest match predicts.
show::Drawn copies(decltype(&copied) copy, draw::ColorMode) {
  const std::string text = names_text().substr(0, 5 * kAcross);
  const std::vector<int> predictions = copy({text.begin(), text.end()}, 64);
  std::size_t right = 0;
  const auto is_right = [&](std::size_t i) { return i > 0 && predictions.at(i - 1) == text[i]; };
  std::string marks;
  for (std::size_t i = 0; i < text.size(); ++i) {
    right += is_right(i);
    if (i % kAcross == 0 && i > 0) marks += "\n";
    marks += is_right(i) && text[i] != '\n' && text[i] != ' ' ? text[i] : '.';
  }
  draw::DrawnMatrix matrix = cells_of("the text", text, is_right);
  matrix.note = fmt::format("a copy predicts {} of {} characters", right, text.size());
  return {draw::svg_matrices("In colour: the characters that a copy of the longest match predicts", {matrix}),
          marks + "\n" + matrix.note + "\n"};
}

// A small model of the lesson, trained on that text.
const Trained& trained() {
  static const Trained model =
      std::move(lesson::train_all({{names_text(), "names that return", 400}}).front());
  return model;
}

// The text continued: at each place one character of these probabilities.
show::Drawn continued(decltype(&probabilities) of, draw::ColorMode) {
  const Trained& t = trained();
  std::vector<std::vector<draw::DrawnMatrix>> lines;
  std::string text;
  for (const double temperature : {0.0, 0.5, 1.5}) {
    Rng rng(7);
    const auto next = [&](const Real* logits, std::size_t V) {
      const std::vector<double> p = of({logits, logits + V}, temperature, 0);
      double left = rng.uniform();
      for (std::size_t i = 0; i + 1 < V; ++i)
        if ((left -= p.at(i)) < 0) return static_cast<std::int32_t>(i);
      return static_cast<std::int32_t>(V - 1);
    };
    const std::string written =
        lesson::written(t, lesson::windows(t.task, t.task.held_out)[1].tokens, 3 * kAcross, next);
    const std::string name = fmt::format("temperature {}", temperature);
    lines.push_back({cells_of(name, written, [](std::size_t) { return false; })});
    text += name + ":\n" + written + "\n\n";
  }
  return {draw::svg_matrix_lines("The text continued by a small model", lines), text};
}

}  // namespace

int main(int argc, char** argv) {
  using show::panel;
  return show::run(argc, argv,
                   {"text",
                    "Lesson 16: a text, copied and continued by your functions",
                    {panel("copied", &copied, &solution::copied, copies),
                     panel("probabilities", &probabilities, &solution::probabilities, continued)}});
}
