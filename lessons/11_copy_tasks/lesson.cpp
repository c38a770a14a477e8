// Lesson 11: models that learn to copy, what they learn instead of copying, and what one layer cannot.
#include <algorithm>
#include <vector>

#include "copies.h"
#include "headlight/core/math.h"
#include "headlight/ops/ops.h"
#include "lesson_program.h"
#include "looking.h"
#include "pictures.h"
#include "printed.h"

using namespace headlight;
using namespace headlight::lesson;

// The accuracy of a guess among the tokens of the segment.
double chance(const Periods& periods) {
  double mean = 0;
  for (const std::size_t period : periods) mean += 1.0 / static_cast<double>(period * periods.size());
  return mean;
}

void the_task(const Pictures& pictures) {
  section("1. A copy that can be predicted");
  Rng rng(2);
  const tasks::Task task = tasks::make_task({.name = "repeat", .d_vocab = 26, .n_ctx = 12});
  const tasks::Sequence s = task.with_segment(5, rng);
  print_sequence(s, 10);
  pictures.write("task.svg", svg_task(s, 10));
  say("\nChance, saying one of the segment's tokens: {:.2f} for period 12, {:.2f} for periods 8 to 16.",
      chance(kOnly12), chance(kTrained));
}

// The least mean loss that any model can reach.
double best_reachable(const Periods& periods) {
  double mean = 0;
  for (const std::size_t period : periods) {
    double cost = math::log(static_cast<double>(periods.size()));
    for (std::size_t seen = 1; seen < period; ++seen) cost += math::log(static_cast<double>(kTokens - seen));
    mean += cost / kTokens / static_cast<double>(periods.size());
  }
  return mean;
}

void best_loss() {
  section("2. The best reachable loss");
  say("                 by the formula   token by token");
  say("period 12              {:.4f}           {:.4f}", best_reachable(kOnly12), measured_best(kOnly12));
  say("periods 8 to 16        {:.4f}           {:.4f}", best_reachable(kTrained), measured_best(kTrained));
}

// The weight that a head gives to the keys 11 and 23 back, at this period.
double counted_weight(const nn::Transformer& model, std::size_t head, std::size_t period) {
  const Array pattern = pattern_of(model, fresh_repeats(period), {0, head});
  double weight = 0;
  for (std::size_t i = 11; i < kTokens; ++i)
    weight += pattern(i, i - 11) + (i >= 23 ? pattern(i, i - 23) : 0);
  return weight / (kTokens - 11);
}

Trained counting(const Pictures& pictures) {
  section("3. A head that counts");
  const Kind kind{.name = "one layer, period 12 only", .positions = "learned"};
  Trained t = trained(kind, repeats(kOnly12), fresh_repeats(kOnly12), 300, 50);
  say("One layer, trained on period 12 alone. Best reachable loss: {:.2f}", best_reachable(kOnly12));
  print_training(t, {0, 50, 100, 150, 200, 300}, {.elsewhere = false});
  say("\nWeight on the keys 11 and 23 back, from query 11 on:");
  for (const std::size_t head : {0, 1})
    say("  head {}   {:.2f} at period 12,  {:.2f} at period 9", head, counted_weight(*t.model, head, 12),
        counted_weight(*t.model, head, 9));
  const bool second = counted_weight(*t.model, 1, 12) > counted_weight(*t.model, 0, 12);
  pictures.write("counting.svg", svg_counting(*t.model, {0, second ? 1u : 0u}, {12, 9, 6}));
  return t;
}

void fair_test(const Trained& fixed) {
  section("4. A fair test");
  say("The model of section 3 at other periods:");
  print_accuracies(*fixed.model, from_to(2, 13));
  print_accuracies(*fixed.model, from_to(14, 25));
}

Trained content(const Pictures& pictures, const Trained& fixed) {
  section("5. A random offset");
  Trained t =
      trained({"two layers, periods 8 to 16", 2}, repeats(kTrained), fresh_repeats(kTrained), 800, 50);
  say("Two layers, trained on periods 8 to 16. Best reachable loss: {:.2f}", best_reachable(kTrained));
  print_training(t, {0, 100, 200, 250, 300, 350, 400, 800});
  say("\nWhere the heads look, at period 17:");
  print_scores(scores_of(*t.model));
  pictures.write("periods.svg", svg_periods(fixed, t));
  return t;
}

// The accuracy of saying, at each predictable position, the token that was not seen for longest.
double accuracy_of_unseen(const std::vector<tasks::Batch>& batches) {
  double right = 0, all = 0;
  for (const tasks::Batch& batch : batches)
    for (std::size_t row = 0; row < batch.tokens.shape()[0]; ++row) {
      std::vector<std::size_t> seen(kTokens, kTokens);  // where each token was last; kTokens: nowhere yet
      for (std::size_t i = 0; i < kTokens; ++i) {
        seen[static_cast<std::size_t>(batch.tokens(row, i))] = i;
        if (!batch.predictable(row, i)) continue;
        const auto said = std::min_element(seen.begin(), seen.end()) - seen.begin();
        right += said == batch.targets(row, i), ++all;
      }
    }
  return right / all;
}

Trained one_layer(const Pictures& pictures) {
  section("6. One layer");
  say("Always saying the token that was not seen for longest, accuracy:");
  say("  trained periods {:.2f}, held-out periods {:.2f}, with gaps {:.2f}",
      accuracy_of_unseen(fresh_repeats(kTrained)), accuracy_of_unseen(fresh_repeats(kHeldOut)),
      accuracy_of_unseen(fresh_gaps()));
  Trained t = trained({"one layer"}, repeats(kTrained), fresh_repeats(kTrained), 2000, 50);
  say("\nOne layer, trained on periods 8 to 16:");
  print_training(t, {0, 200, 500, 1000, 1500, 2000});
  say("\nWhat it says, by when the token was last seen (longest ago, second longest, …):");
  say("  trained periods {}", listed(said_by_age(*t.model, kTrained, 7)));
  say("  held-out periods{}", listed(said_by_age(*t.model, kHeldOut, 7)));
  const Trained on_gaps = trained({"with gaps"}, gaps(), fresh_gaps(), 2000, 50);
  say("\nOne layer, trained on segments of 6 with gaps between them. Chance: {:.2f}", chance({6}));
  print_training(on_gaps, {0, 500, 1000, 1500, 2000}, {.loss = false, .elsewhere = false});
  pictures.write("one_layer.svg", svg_one_layer(t, on_gaps, chance({6})));
  return t;
}

// The scores of the last token of x a b c a against all of them, when its key and the others are one-hot.
Tensor smeared_scores(const Tensor& tokens, double share) {
  const Tensor alpha = tensor({math::log(share / (1 - share))});  // σ(α) = share
  const Tensor keys = smear(tokens, alpha);
  return matmul(slice(tokens, 1, 4, 5), transpose(keys));
}

Trained smeared_keys() {
  section("7. Smeared keys");
  const Tensor tokens = tensor({{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {0, 1, 0, 0}}});
  say("The tokens x a b c a. Scores of the last one:");
  say("  share of its own   x     a     b     c     a");
  for (const double share : {0.999999, 0.5, 0.1}) print_smeared(share, smeared_scores(tokens, share));
  Trained t =
      trained({"one layer, smeared keys", 1, true}, repeats(kTrained), fresh_repeats(kTrained), 800, 50);
  say("\nOne layer with smeared keys, trained on periods 8 to 16:");
  print_training(t, {0, 100, 150, 200, 400, 800});
  say("\nWhere the heads look, at period 17:");
  print_scores(scores_of(*t.model));
  const Tensor share = sigmoid(t.model->blocks[0].attn.smear);
  say("  a key's own share: {:.2f} in head 0, {:.2f} in head 1", share.array()(0), share.array()(1));
  const Trained on_gaps = trained({"smeared keys, with gaps", 1, true}, gaps(), fresh_gaps(), 600, 100);
  say("\nTrained on gaps instead, accuracy at step 300: {:.2f}, 400: {:.2f}, 600: {:.2f}",
      at(on_gaps.accuracy, 300), at(on_gaps.accuracy, 400), at(on_gaps.accuracy, 600));
  return t;
}

int main(int argc, char** argv) {
  return run(argc, argv, "11_copy_tasks", [](const Pictures& pictures) {
    say("Lesson 11: copy tasks");
    the_task(pictures);
    best_loss();
    const Trained fixed = counting(pictures);
    fair_test(fixed);
    const Trained two = content(pictures, fixed);
    const Trained one = one_layer(pictures);
    const Trained smeared = smeared_keys();
    say("\nAll four models:");
    print_models({{&fixed, kOnly12, best_reachable(kOnly12)},
                  {&one, kTrained, best_reachable(kTrained)},
                  {&two, kTrained, best_reachable(kTrained)},
                  {&smeared, kTrained, best_reachable(kTrained)}});
    pictures.write("losses.svg", svg_losses({&one, &two, &smeared}, best_reachable(kTrained)));
    pictures.write("patterns.svg", svg_best_heads(one, smeared, two));
  });
}
