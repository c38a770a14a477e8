// What the program of lesson 16 prints: tokens, tables of losses, of heads and of texts.
#pragma once

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "headlight/interpret/certificate.h"
#include "headlight/system/text.h"
#include "lesson_program.h"
#include "training.h"
#include "writing.h"

namespace headlight::lesson {

// Spaces and ends of lines as signs, so that a token shows.
inline std::string visible(const std::string& text) {
  std::string shown;
  for (const char c : text) shown += c == ' ' ? "␣" : c == '\n' ? "⏎" : printable(std::string(1, c));
  return shown;
}

inline std::string of_tokens(const tasks::Vocabulary& vocabulary, const std::vector<std::int32_t>& tokens) {
  std::string text;
  for (const std::int32_t token : tokens) text += vocabulary.bytes(token);
  return text;
}

inline void show_lines(const std::string& text, std::size_t count) {
  std::istringstream lines(text);
  std::string line;
  for (std::size_t i = 0; i < count && std::getline(lines, line); ++i)
    say("  {}", cut_to(printable(line), 100));
}

inline void show_vocabulary(const tasks::Task& task, const std::vector<std::int32_t>& tokens) {
  std::string all, first, numbers;
  for (std::size_t i = 0; i < task.vocabulary.size(); ++i) {
    const std::string bytes = task.vocabulary.bytes(static_cast<std::int32_t>(i));
    all += " " + (bytes.size() == 1 ? visible(bytes) : bytes);
  }
  for (std::size_t i = 0; i < 12; ++i) {
    const std::string bytes = task.vocabulary.bytes(tokens[i]);
    first += fmt::format("{:>3}", bytes.size() == 1 ? visible(bytes) : bytes);
    numbers += fmt::format("{:>3}", tokens[i]);
  }
  say("The vocabulary has {} characters:{}", task.vocabulary.size(), all);
  say("  text  {}\n  token {}", first, numbers);
}

// Measurements of two trainings, a line for each step that one of them was shown at.
inline void show_training(const Trained& all, const Trained& part) {
  say("          the whole text         its first {} characters", part.recipe.text.size());
  say("  step    training   held out    training   held out");
  for (const int step : {0, 25, 50, 75, 100, 150, 200, 300, 400, 500, 600}) {
    std::string line;
    for (const Trained* t : {&all, &part})
      for (const Look& look : t->looks)
        if (look.step == step)
          line += fmt::format("{}{:11.3f}{:11.3f}", line.empty() ? "" : " ", look.training, look.held_out);
    say("  {:4}{}", step, line);
  }
  const auto lowest = std::min_element(part.looks.begin(), part.looks.end(),
                                       [](const Look& a, const Look& b) { return a.held_out < b.held_out; });
  say("On the part, the held-out loss is lowest at step {}: {:.3f}.", lowest->step, lowest->held_out);
}

inline void show_weights(const HeadMatches& h) {
  std::string line;
  for (const double weight : h.weight) line += fmt::format("   {:.2f}", weight);
  say("  L{}H{}               {}", h.head.layer, h.head.head, line);
}

inline void show_heads(const Trained& t, const Trained& other) {
  say("  matching characters    0      1      2      3      4      5   6 or more");
  for (const HeadMatches& h : weights_by_match(t)) show_weights(h);
  say("The best head of the model of {}:", other.recipe.name);
  show_weights(best_match(other));
}

inline std::string claims_of(const interpret::Certificate& c) {
  std::string lines;
  for (const interpret::Claim& claim : c.claims) {
    if (claim.standing == interpret::Standing::not_asked) continue;
    lines += fmt::format("  {:<12} {:5.2f}   {} {:.2f}   {}\n", claim.key, *claim.number,
                         claim.number_at_most ? "at most " : "at least", claim.threshold,
                         interpret::to_string(claim.standing));
  }
  return lines;
}

inline void show_needs(const std::vector<Trained>& all) {
  say("                        characters that are right by       weight, matching     loss on copied");
  say("  text                  a copy   pairs   only a copy       none       three     characters");
  for (const Trained& t : all) {
    const Shares s = shares_of(t.task);
    const HeadMatches best = best_match(t);
    const auto batch = tasks::draw_batch(t.task, t.task.held_out, kWindows, Rng(9));
    const train::Evaluation e = train::evaluate(t.model, batch, nn::Hooks{});
    say("  {:<22}{:4.0f} %   {:3.0f} %   {:8.0f} %         {:5.2f}       {:5.2f}     {:8.2f}", t.recipe.name,
        100 * s.copy, 100 * s.pairs, 100 * s.only_copy, best.weight[0], best.weight[3],
        e.loss_predictable.value_or(0));
  }
}

}  // namespace headlight::lesson
