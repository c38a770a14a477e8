// The tables that lesson 11 prints.
#pragma once

#include <string>
#include <vector>

#include "copies.h"
#include "headlight/interpret/scores.h"
#include "lesson_program.h"
#include "pictures.h"

namespace headlight::lesson {

// "  0.41  0.23 …"
inline std::string listed(const std::vector<double>& numbers) {
  std::string line;
  for (const double x : numbers) line += fmt::format("  {:.2f}", x);
  return line;
}

// The first `count` positions of a sequence.
inline void print_sequence(const tasks::Sequence& s, std::size_t count) {
  std::string position, reads, next, known;
  for (std::size_t i = 0; i < count; ++i) {
    position += fmt::format(" {}", i);
    reads += " " + letter(s.tokens[i]);
    next += " " + letter(s.targets[i]);
    known += s.predictable[i] ? " ^" : "  ";
  }
  say("position   {}\nreads      {}\nnext token {}\npredictable{}", position, reads, next, known);
}

struct Columns {
  bool loss = true, elsewhere = true;
};

// What was measured after these steps.
inline void print_training(const Trained& t, const std::vector<double>& steps, Columns shown = {}) {
  say("  step{}   {}", shown.loss ? "   loss" : "",
      shown.elsewhere ? "trained periods   held-out periods" : "accuracy");
  for (const double step : steps)
    say("  {:4}{}   {:{}.2f}{}", step, shown.loss ? fmt::format("   {:.2f}", at(t.loss, step)) : "",
        at(t.accuracy, step), shown.elsewhere ? 15 : 8,
        shown.elsewhere ? fmt::format("   {:16.2f}", at(t.elsewhere, step)) : "");
}

// The accuracy of a model at these periods.
inline void print_accuracies(const nn::Transformer& model, const Periods& periods) {
  std::string first;
  std::vector<double> accuracies;
  for (const std::size_t period : periods) {
    first += fmt::format("{:6}", period);
    accuracies.push_back(measure(model, {fresh_repeats(period)}).accuracy);
  }
  say("period {}\naccuracy{}", first, listed(accuracies));
}

inline void print_scores(const std::vector<interpret::HeadScores>& heads) {
  say("              the token   what followed an");
  say("              before      earlier copy");
  for (const interpret::HeadScores& head : heads)
    say("  layer {}, head {}  {:4.2f}        {:4.2f}", head.layer, head.head, head[interpret::kPreviousToken],
        head[interpret::kInduction]);
}

inline void print_smeared(double share, const Tensor& scores) {
  std::string line;
  for (std::size_t j = 0; j < scores.length(2); ++j)
    line += fmt::format("  {:4.1f}", scores.array()(0, 0, j));
  say("  {:16.1f} {}", share, line);
}

struct Compared {
  const Trained* model;
  Periods periods;
  double best;
};

// Accuracies and losses of several models, side by side.
inline void print_models(const std::vector<Compared>& models) {
  say("                            accuracy at ...                        loss");
  say("                            trained   held-out   with gaps   all   best   predictable");
  for (const auto& [t, periods, best] : models) {
    const Measured here = measure(*t->model, fresh_repeats(periods));
    say("{:<27} {:7.2f} {:10.2f} {:11.2f} {:7.2f} {:6.2f} {:8.2f}", t->kind.name, here.accuracy,
        t->elsewhere.y.back(), measure(*t->model, fresh_gaps()).accuracy, here.loss, best,
        here.predictable_loss);
  }
}

}  // namespace headlight::lesson
