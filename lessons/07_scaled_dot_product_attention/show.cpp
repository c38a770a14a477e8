// What `./headlight show 7` draws: attention of four letters, from the scores to the output.
#include "show.h"

#include <cmath>

#include "exercise.h"
#include "headlight/core/rng.h"
#include "headlight/draw/diagram.h"
#include "headlight/draw/heatmap.h"

Tensor scaled_scores(const Tensor& q, const Tensor& k);
Tensor causal_mask_of(std::size_t n, std::size_t m);
Tensor masked_softmax(const Tensor& scores, const Tensor& mask);
Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask);

namespace solution {
#include "solution.cpp"
}

namespace {

using show::Drawn;

// The letters a b a c as one-hot rows. Queries and keys are twice as long, so that equal letters have the
// score 2.
const std::vector<std::string> kLetters{"a", "b", "a", "c"};
Tensor letters() { return tensor({{1, 0, 0, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 0}}); }
Tensor doubled() { return letters() * 2; }
Tensor scores_of_letters() { return solution::scaled_scores(doubled(), doubled()); }
Tensor mask_of_letters() { return solution::causal_mask_of(4, 4); }

Drawn matrix(const std::string& title, const std::string& name, const Tensor& x, int decimals) {
  return {draw::svg_matrices(title, {draw::matrix_of("", name, x.array(), decimals)}),
          to_string(x, decimals) + "\n"};
}

Drawn weights(const Tensor& pattern, draw::ColorMode mode) {
  const draw::Heatmap map{pattern.array(), kLetters, kLetters, "The sixteen weights of a b a c",
                          equal(mask_of_letters(), 1)};
  return {draw::svg_heatmap(map), draw::terminal_heatmap(map, mode) + "\n" + to_string(pattern, 2) + "\n"};
}

}  // namespace

int main(int argc, char** argv) {
  using show::panel;
  return show::run(argc, argv,
                   {"attention",
                    "Lesson 7: your attention, on the letters a b a c",
                    {panel("scaled_scores", &scaled_scores, &solution::scaled_scores,
                           [](auto* scores, draw::ColorMode) {
                             return matrix("Scores: equal letters have 2", "q kᵀ/√d_k",
                                           scores(doubled(), doubled()), 1);
                           }),
                     panel("causal_mask_of", &causal_mask_of, &solution::causal_mask_of,
                           [](auto* mask, draw::ColorMode) {
                             return matrix("Mask: where each letter may look", "mask", mask(4, 4), 0);
                           }),
                     panel("masked_softmax", &masked_softmax, &solution::masked_softmax,
                           [](auto* softmax, draw::ColorMode mode) {
                             return weights(softmax(scores_of_letters(), mask_of_letters()), mode);
                           }),
                     panel("attention", &attention, &solution::attention, [](auto* attend, draw::ColorMode) {
                       return matrix("Output: how much of a, b and c each place reads", "output",
                                     attend(doubled(), doubled(), letters(), mask_of_letters()), 2);
                     })}});
}
