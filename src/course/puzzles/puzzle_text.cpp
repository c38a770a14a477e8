#include "puzzle_text.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <sstream>

#include "headlight/core/check.h"
#include "headlight/core/numbers.h"
#include "headlight/system/text.h"

namespace headlight::puzzles {
namespace {

std::string words_of(const Numbers& input) { return fmt::format("{}", fmt::join(input, " ")); }

std::string stars_of(const Puzzle& puzzle) {
  std::string stars;
  for (int i = 0; i < puzzle.stars; ++i) stars += "★";
  return stars;
}

std::string wrapped_text(const std::string& text) {
  std::string lines;
  for (const std::string& line : wrapped(text, 95)) lines += line + "\n";
  return lines;
}

interpret::HeadSet all_heads(const Puzzle& puzzle) {
  interpret::HeadSet heads;
  for (std::size_t layer = 0; layer < puzzle.recipe.layers; ++layer)
    for (std::size_t head = 0; head < puzzle.recipe.heads; ++head) heads.push_back({layer, head});
  return heads;
}

std::string weights_text(const std::vector<double>& weights) {
  std::string text;
  for (const double weight : weights) text += fmt::format("  {:.2f}", weight);
  return text;
}

std::string spaced(std::string codes) {
  codes.erase(std::remove(codes.begin(), codes.end(), ','), codes.end());
  return codes;
}

}  // namespace

std::string list_text(const std::vector<int>& solved) {
  std::string text;
  for (const Puzzle& puzzle : puzzles()) {
    const bool is_solved = std::ranges::find(solved, puzzle.number) != solved.end();
    text += fmt::format(
        "{} {:>2}  {}{}  {} numbers from 0 to {}, {} of {}\n", is_solved ? "✓" : " ", puzzle.number,
        stars_of(puzzle), std::string(static_cast<std::size_t>(4 - puzzle.stars), ' '), puzzle.recipe.length,
        puzzle.recipe.numbers - 1,
        puzzle.recipe.layers == 1 ? "one layer" : fmt::format("{} layers", puzzle.recipe.layers),
        puzzle.recipe.heads == 1 ? "one head" : fmt::format("{} heads", puzzle.recipe.heads));
  }
  return text + "\n./headlight puzzle 1 begins with the first.\n";
}

std::string question_text(const Puzzle& puzzle) {
  const Recipe& recipe = puzzle.recipe;
  return wrapped_text(fmt::format(
      "Puzzle {} {}  It reads {} numbers from 0 to {} and answers with one. What does it compute, and what does {} do? {}",
      puzzle.number, stars_of(puzzle), recipe.length, recipe.numbers - 1,
      puzzle.heads_are_asked ? "each head" : interpret::codes_of(puzzle.heads), puzzle.question));
}

std::string shipped_file(const Puzzle& puzzle) {
  std::string question;
  for (const std::string& line : text_lines(question_text(puzzle))) question += "// " + line + "\n";
  return fmt::format(
      "{}#include \"puzzle.h\"  // Numbers is std::vector<int>; positions count from 0\n\n"
      "std::string heads() {{ return \"{}\"; }}\n\n"
      "// Where the head looks most from the last position; kNowhere where it divides its attention.{}\n"
      "int looks_at(const Numbers& input) {{ return 0; }}\n\n"
      "// What it carries to the last position, as a number of your choice.\n"
      "int carries(const Numbers& input) {{ return 0; }}\n\n"
      "// What the model answers on this input if the head carries this.\n"
      "int answer(const Numbers& input, int carried) {{ return 0; }}\n",
      question, puzzle.heads_are_asked ? "L0H0" : spaced(interpret::codes_of(puzzle.heads)),
      puzzle.looks_count ? "" : " (Not scored here.)");
}

std::string score_text(const Puzzle& puzzle, const Score& score) {
  std::string text = fmt::format("outputs        {:.3f}  of {} inputs: your answer is the model's\n",
                                 score.outputs, score.inputs);
  if (score.looks)
    text += fmt::format("looks          {:.3f}  of them: the head looks where you say\n", *score.looks);
  text += fmt::format(
      "interventions  {:.3f}  with the heads' output of another input the model answers what you say\n",
      score.interventions);
  if (score.same_pairs > 0)
    text += fmt::format("  {:.3f}  of the {} pairs of which you say that the answer stays\n", score.same,
                        score.same_pairs);
  if (score.other_pairs > 0)
    text += fmt::format("  {:.3f}  of the {} pairs of which you say that it changes\n", score.other,
                        score.other_pairs);
  text += "\n";
  if (score.solved()) return text + "Solved. " + wrapped_text(puzzle.explanation);
  if (score.outputs < 0.99 && score.output_failure)
    text += wrapped_text(fmt::format("Where it fails: on {} the model answers {}, and you say {}.",
                                     words_of(score.output_failure->input), score.output_failure->found,
                                     score.output_failure->said));
  else if (score.interventions < 0.95 && score.failure)
    text += wrapped_text(fmt::format(
        "Where it fails: on {}, with what the heads write on {}, the model answers {}, and you say {}.",
        words_of(score.failure->input), words_of(score.failure->from), score.failure->found,
        score.failure->said));
  else if (score.looks_failure)
    text += wrapped_text(
        fmt::format("On {} the head looks elsewhere than you say.", words_of(*score.looks_failure)));
  if (!score.not_needed.empty())
    text += wrapped_text(fmt::format("A smaller set does as well: without {}.", score.not_needed));
  return text + fmt::format("Not solved yet: outputs of 0.99,{} interventions of 0.95 are asked for.\n",
                            score.looks ? " looks of 0.9 and" : " and");
}

std::string look_text(const Puzzle& puzzle, const PuzzleModel& model, const Numbers& input) {
  const bool asked = !puzzle.asked || puzzle.asked(input);
  std::string text = fmt::format("{}   answer {}{}\n", words_of(input), model.answers({input})[0],
                                 asked ? "" : "   (not an input that is asked)");
  const std::size_t last = input.size() - 1;
  for (const interpret::HeadAt& head : all_heads(puzzle)) {
    const std::string code = interpret::head_code(head);
    if (head.layer + 1 == puzzle.recipe.layers) {
      text += fmt::format("  {} looks from the last position:{}\n", code,
                          weights_text(model.attention({input}, head, last)[0]));
      continue;
    }
    text += fmt::format("  {} looks\n", code);
    for (std::size_t query = 0; query <= last; ++query)
      text += fmt::format("    from position {}, a {}:{}\n", query, input[query],
                          weights_text(model.attention({input}, head, query)[0]));
  }
  return text;
}

std::string swap_text(const Puzzle& puzzle, const PuzzleModel& model, const Numbers& input,
                      const Numbers& from) {
  std::string text = fmt::format("{}   answer {}\n{}   answer {}\n", words_of(input),
                                 model.answers({input})[0], words_of(from), model.answers({from})[0]);
  std::vector<interpret::HeadSet> sets;
  for (const interpret::HeadAt& head : all_heads(puzzle)) sets.push_back({head});
  if (sets.size() > 1) sets.push_back(all_heads(puzzle));
  const auto add = [&](const interpret::HeadSet& set, PuzzleModel::Where where, const char* at) {
    text += fmt::format("  with what {} write{}{} on the second, the first is answered with {}\n",
                        interpret::codes_of(set), set.size() == 1 ? "s" : "", at,
                        model.swapped({input}, {from}, set, where)[0]);
  };
  for (const interpret::HeadSet& set : sets) add(set, PuzzleModel::Where::last, " at the last position");
  for (const interpret::HeadAt& head : all_heads(puzzle))
    if (head.layer + 1 < puzzle.recipe.layers) add({head}, PuzzleModel::Where::everywhere, " everywhere");
  return text;
}

Numbers input_from(const Puzzle& puzzle, const std::string& text) {
  Numbers input;
  std::istringstream words(text);
  for (std::string word; words >> word;) input.push_back(number_from_text<int>(word));
  check(static_cast<int>(input.size()) == puzzle.recipe.length, "'{}': an input of puzzle {} has {} numbers.",
        text, puzzle.number, puzzle.recipe.length);
  for (const int number : input)
    check(number >= 0 && number < puzzle.recipe.numbers, "'{}': {} is no number from 0 to {}.", text, number,
          puzzle.recipe.numbers - 1);
  return input;
}

}  // namespace headlight::puzzles
