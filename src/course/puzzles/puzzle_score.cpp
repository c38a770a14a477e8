#include "puzzle_score.h"

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/core/rng.h"

namespace headlight::puzzles {
namespace {

constexpr std::size_t kPairs = 10000;
constexpr double kMostOfOne = 0.75, kMostlyRight = 0.95;

double share(std::size_t count, std::size_t of) {
  return of == 0 ? 0 : static_cast<double>(count) / static_cast<double>(of);
}

// "L0H0, L0H1" in any order.
interpret::HeadSet heads_of(const Puzzle& puzzle, std::string names) {
  std::ranges::replace(names, ',', ' ');
  interpret::HeadSet named;
  std::istringstream words(names);
  for (std::string word; words >> word;) {
    interpret::HeadAt found{99, 0};
    for (std::size_t layer = 0; layer < puzzle.recipe.layers; ++layer)
      for (std::size_t head = 0; head < puzzle.recipe.heads; ++head)
        if (interpret::head_code({layer, head}) == word) found = {layer, head};
    check(found.layer != 99,
          "heads(): '{}' is no head of this model, which has {} layers of {} heads: L0H0 is its first.", word,
          puzzle.recipe.layers, puzzle.recipe.heads);
    named.push_back(found);
  }
  check(!named.empty(), "heads() names no head.");
  check(puzzle.heads_are_asked || named == puzzle.heads, "heads(): this puzzle is about {}.",
        interpret::codes_of(puzzle.heads));
  return named;
}

bool looks_there(const std::vector<double>& weights, const Numbers& input, int claimed) {
  const auto most = std::ranges::max_element(weights);
  if (claimed == kNowhere) return *most < kMostOfOne;
  check(claimed >= 0 && claimed < static_cast<int>(input.size()),
        "looks_at() gives position {}; an input has those from 0 to {}.", claimed, input.size() - 1);
  const auto place = static_cast<std::size_t>(most - weights.begin());
  return input[place] == input[static_cast<std::size_t>(claimed)];
}

struct Pairs {
  std::vector<Numbers> inputs, from;
};

Pairs draw_pairs(const std::vector<Numbers>& all) {
  Rng rng(1);
  Pairs pairs;
  for (std::size_t i = 0; i < kPairs; ++i) {
    pairs.inputs.push_back(all[rng.below(all.size())]);
    pairs.from.push_back(all[rng.below(all.size())]);
  }
  return pairs;
}

void score_interventions(const PuzzleModel& model, const Claim& claim, const interpret::HeadSet& heads,
                         const std::vector<Numbers>& all, Score& score) {
  const auto [inputs, from] = draw_pairs(all);
  const std::vector<int> found = model.swapped(inputs, from, heads);
  std::size_t same = 0, other = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const int said = claim.answer(inputs[i], claim.carries(from[i]));
    const bool stays = said == claim.answer(inputs[i], claim.carries(inputs[i])), right = said == found[i];
    (stays ? score.same_pairs : score.other_pairs) += 1;
    (stays ? same : other) += right;
    if (!right && !score.failure) score.failure = Failure{inputs[i], from[i], said, found[i]};
  }
  score.same = share(same, score.same_pairs), score.other = share(other, score.other_pairs);
  score.interventions = score.same_pairs == 0    ? score.other
                        : score.other_pairs == 0 ? score.same
                                                 : (score.same + score.other) / 2;
}

}  // namespace

bool Score::solved() const {
  return outputs >= 0.99 && looks.value_or(1) >= 0.9 && interventions >= kMostlyRight && not_needed.empty();
}

Score score_of(const Puzzle& puzzle, const PuzzleModel& model, const Claim& claim) {
  const interpret::HeadSet heads = heads_of(puzzle, claim.heads);
  const std::vector<Numbers> all = inputs_of(puzzle.recipe, puzzle.asked);
  const std::vector<int> answers = model.answers(all);
  const auto attention = model.attention(all, heads[0], all[0].size() - 1);
  Score score;
  score.inputs = all.size();
  std::size_t right = 0, looks = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int said = claim.answer(all[i], claim.carries(all[i]));
    right += said == answers[i];
    if (said != answers[i] && !score.output_failure)
      score.output_failure = Failure{all[i], all[i], said, answers[i]};
    if (!puzzle.looks_count) continue;
    const bool there = looks_there(attention[i], all[i], claim.looks_at(all[i]));
    looks += there;
    if (!there && !score.looks_failure) score.looks_failure = all[i];
  }
  score.outputs = share(right, all.size());
  if (puzzle.looks_count) score.looks = share(looks, all.size());
  score_interventions(model, claim, heads, all, score);
  for (const interpret::HeadAt& head : heads) {
    if (!puzzle.heads_are_asked || heads.size() == 1 || !score.not_needed.empty()) break;
    Score without;
    score_interventions(model, claim, interpret::without(heads, {head}), all, without);
    if (without.interventions >= kMostlyRight) score.not_needed = interpret::head_code(head);
  }
  return score;
}

}  // namespace headlight::puzzles
