// A `headlight` of your own: every command, with a task, a head score and a command of yours.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "headlight/app/command_line.h"
#include "headlight/interpret/score_kinds.h"
#include "headlight/tasks/task.h"

namespace hl = headlight;

// Two numbers below 13, then their product modulo 13. A third of all pairs is kept for the held-out part.
hl::tasks::Task product(const hl::tasks::TaskConfig& config) {
  const auto draw = [](bool held_out) {
    return [held_out](hl::Rng& rng) {
      for (;;) {
        const std::int32_t a = rng.below(13), b = rng.below(13);
        if (((5 * a + 7 * b) % 3 == 0) == held_out)
          return hl::tasks::Sequence{{a, b}, {hl::tasks::kNoTarget, a * b % 13}};
      }
    };
  };
  hl::tasks::TaskConfig sizes = config;
  sizes.d_vocab = 13;
  sizes.n_ctx = 2;
  std::vector<std::string> digits;
  for (int number = 0; number < 13; ++number) digits.push_back(std::to_string(number));
  return {.config = sizes,
          .vocabulary = hl::tasks::Vocabulary(digits),
          .training = draw(false),
          .held_out = draw(true),
          .scored = draw(false)};
}

// How much the second number looks at the larger one.
void add_larger(const hl::interpret::QueryRow& row, hl::interpret::Mean& mean) {
  if (row.query == 0) return;
  mean.sum += row.weights[row.tokens[0] > row.tokens[1] ? 0 : 1];
  ++mean.count;
}

std::function<int()> add_square(CLI::App& command) {
  const auto number = std::make_shared<int>(0);
  command.add_option("NUMBER", *number)->required();
  return [number] {
    fmt::print("{0} · {0} = {1} modulo 13\n", *number, *number * *number % 13);
    return 0;
  };
}

int main(int argc, char** argv) {
  hl::tasks::registry().add({"product", "a · b modulo 13", product});
  hl::interpret::add_score_kind({"larger", "larger number", "larger", "larger-number head",
                                 "looks at the larger number", "mean attention to the larger number",
                                 "draws the column of the larger number.", true,
                                 hl::interpret::Scored::one_sequence, add_larger});
  return hl::app::run_command_line(argc, argv, {{"square", "a square modulo 13", add_square}});
}
