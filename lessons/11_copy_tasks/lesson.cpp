// Lesson 11: models that learn to copy, what they learn instead of copying, and what one layer cannot.
#include <string>
#include <vector>

#include "copies.h"
#include "headlight/core/math.h"
#include "headlight/ops/ops.h"
#include "lesson_program.h"
#include "looking.h"
#include "pictures.h"

using namespace headlight;
using namespace headlight::lesson;

void the_task(const Pictures& pictures) {
  section("1. A copy that can be predicted");
  Rng rng(2);
  const tasks::Sequence s =
      tasks::make_task({.name = "repeat", .d_vocab = 26, .n_ctx = 12}).with_segment(5, rng);
  std::string reads, next, known;
  for (std::size_t i = 0; i < s.tokens.size(); ++i) {
    reads += " " + letter(s.tokens[i]);
    next += " " + letter(s.targets[i]);
    known += s.predictable[i] ? " ^" : "  ";
  }
  say("position    0 1 2 3 4 5 6 7 8 9");
  say("reads      {}", reads.substr(0, 20));
  say("next token {}", next.substr(0, 20));
  say("predictable{}", known.substr(0, 20));
  pictures.write("task.svg", svg_task(s, 10));
  double chance = 0;
  for (const std::size_t period : kTrained) chance += 1.0 / static_cast<double>(period * kTrained.size());
  say("\nChance, saying one of the segment's tokens: {:.2f} for period 12, {:.2f} for periods 8 to 16.",
      1 / 12.0, chance);
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

// The mean loss of the library's best predictor, which goes from token to token, on 64 sequences each.
double measured_best(const Periods& periods) {
  const tasks::Task task = repeats(periods);
  double sum = 0;
  for (const std::size_t period : periods)
    for (std::uint64_t i = 0; i < 64; ++i) {
      Rng rng(100 * period + i);
      for (const double loss : task.best_loss(task.with_segment(period, rng))) sum += loss;
    }
  return sum / static_cast<double>(64 * kTokens * periods.size());
}

void best_loss() {
  section("2. The best reachable loss");
  say("                 by the formula   token by token");
  say("period 12              {:.4f}           {:.4f}", best_reachable(kOnly12), measured_best(kOnly12));
  say("periods 8 to 16        {:.4f}           {:.4f}", best_reachable(kTrained), measured_best(kTrained));
}

// "0.00   0.00 …" of a model at these periods.
std::string accuracies(const nn::Transformer& model, const Periods& periods) {
  std::string line;
  for (const std::size_t period : periods)
    line += fmt::format("  {:.2f}", measure(model, {fresh_repeats(period)}).accuracy);
  return line;
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
  say("  step   loss   accuracy");
  for (const double step : {0, 50, 100, 150, 200, 300})
    say("  {:4}   {:.2f}       {:.2f}", step, at(t.loss, step), at(t.accuracy, step));
  say("\nWeight on the keys 11 and 23 back, from query 11 on:");
  HeadPlace counter;
  double most = 0;
  for (const std::size_t head : {0, 1}) {
    const double weight = counted_weight(*t.model, head, 12);
    say("  head {}   {:.2f} at period 12,  {:.2f} at period 9", head, weight,
        counted_weight(*t.model, head, 9));
    if (weight > most) most = weight, counter = {0, head};
  }
  pictures.write("counting.svg", svg_counting(*t.model, counter, {12, 9, 6}));
  return t;
}

void fair_test(const Trained& fixed) {
  section("4. A fair test");
  say("The model of section 3 at other periods:");
  say("period      2     3     4     5     6     7     8     9    10    11    12    13");
  say("accuracy{}", accuracies(*fixed.model, from_to(2, 13)));
  say("period     14    15    16    17    18    19    20    21    22    23    24    25");
  say("accuracy{}", accuracies(*fixed.model, from_to(14, 25)));
}

void print_scores(const nn::Transformer& model) {
  say("              the token   what followed an");
  say("              before      earlier copy");
  for (const interpret::HeadScores& head : scores_of(model))
    say("  layer {}, head {}  {:4.2f}        {:4.2f}", head.layer, head.head, head[interpret::kPreviousToken],
        head[interpret::kInduction]);
}

void print_training(const Trained& t, const std::vector<double>& steps) {
  say("  step   loss   trained periods   held-out periods");
  for (const double step : steps)
    say("  {:4}   {:.2f}   {:15.2f}   {:16.2f}", step, at(t.loss, step), at(t.accuracy, step),
        at(t.elsewhere, step));
}

Trained content(const Pictures& pictures, const Trained& fixed) {
  section("5. A random offset");
  Trained t =
      trained({"two layers, periods 8 to 16", 2}, repeats(kTrained), fresh_repeats(kTrained), 800, 50);
  say("Two layers, trained on periods 8 to 16. Best reachable loss: {:.2f}", best_reachable(kTrained));
  print_training(t, {0, 100, 200, 250, 300, 350, 400, 800});
  say("\nWhere the heads look, at period 17:");
  print_scores(*t.model);
  pictures.write("periods.svg", svg_accuracies("Counting fails at other periods, matching does not",
                                               {.label = "period", .first = 0, .last = 32},
                                               {by_period(fixed.kind.name, *fixed.model),
                                                by_period(t.kind.name, *t.model)}));
  return t;
}

// "0.41  0.23 …"
std::string shares(const std::vector<double>& numbers) {
  std::string line;
  for (const double x : numbers) line += fmt::format("  {:.2f}", x);
  return line;
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
  say("  trained periods {}", shares(said_by_age(*t.model, kTrained, 7)));
  say("  held-out periods{}", shares(said_by_age(*t.model, kHeldOut, 7)));
  Trained on_gaps = trained({"with gaps"}, gaps(), fresh_gaps(), 2000, 50);
  say("\nOne layer, trained on segments of 6 with gaps between them. Chance: {:.2f}", 1 / 6.0);
  say("  step   accuracy");
  for (const double step : {0, 500, 1000, 1500, 2000})
    say("  {:4}       {:.2f}", step, at(on_gaps.accuracy, step));
  draw::Series here = t.accuracy, there = t.elsewhere, control = on_gaps.accuracy;
  here.name = "trained periods", there.name = "held-out periods", control.name = "trained with gaps";
  pictures.write("one_layer.svg",
                 svg_accuracies("One layer, without smeared keys", {"step"},
                                {here, there, control, level("chance with gaps", 2000, 1 / 6.0, 6)}));
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
  for (const double share : {0.999999, 0.5, 0.1}) {
    const Tensor scores = smeared_scores(tokens, share);
    std::string line;
    for (std::size_t j = 0; j < 5; ++j) line += fmt::format("  {:4.1f}", scores.array()(0, 0, j));
    say("  {:16.1f} {}", share, line);
  }
  Trained t =
      trained({"one layer, smeared keys", 1, true}, repeats(kTrained), fresh_repeats(kTrained), 800, 50);
  say("\nOne layer with smeared keys, trained on periods 8 to 16:");
  print_training(t, {0, 100, 150, 200, 400, 800});
  say("\nWhere the heads look, at period 17:");
  print_scores(*t.model);
  const Tensor share = sigmoid(t.model->blocks[0].attn.smear);
  say("  a key's own share: {:.2f} in head 0, {:.2f} in head 1", share.array()(0), share.array()(1));
  const Trained on_gaps = trained({"smeared keys, with gaps", 1, true}, gaps(), fresh_gaps(), 600, 100);
  say("\nTrained on gaps instead, accuracy at step 300: {:.2f}, 400: {:.2f}, 600: {:.2f}",
      at(on_gaps.accuracy, 300), at(on_gaps.accuracy, 400), at(on_gaps.accuracy, 600));
  return t;
}

// The pattern of the model's best head for matching, or of another score, in a layer.
draw::Heatmap best_head(const std::string& title, const nn::Transformer& model, std::size_t layer,
                        const char* score = interpret::kInduction) {
  const Array pattern = pattern_of(model, fresh_repeats(12), best_in(scores_of(model), layer, score));
  return {pattern, {}, {}, title, visible_keys(pattern.shape()[0], pattern.shape()[1], {.causal = true})};
}

void together(const Pictures& pictures, const Trained& fixed, const Trained& two, const Trained& one,
              const Trained& smeared) {
  say("\nAll four models:");
  say("                            accuracy at ...                        loss");
  say("                            trained   held-out   with gaps   all   best   predictable");
  for (const Trained* t : {&fixed, &one, &two, &smeared}) {
    const bool is_fixed = t == &fixed;
    const Measured here = measure(*t->model, fresh_repeats(is_fixed ? kOnly12 : kTrained));
    say("{:<27} {:7.2f} {:10.2f} {:11.2f} {:7.2f} {:6.2f} {:8.2f}", t->kind.name, here.accuracy,
        t->elsewhere.y.back(), measure(*t->model, fresh_gaps()).accuracy, here.loss,
        best_reachable(is_fixed ? kOnly12 : kTrained), here.predictable_loss);
  }
  std::vector<draw::Series> losses;
  for (const Trained* t : {&one, &two, &smeared}) {
    losses.push_back({t->kind.name, {}, {}});
    for (std::size_t i = 0; i < t->loss.x.size() && t->loss.x[i] <= 800; ++i)
      losses.back().x.push_back(t->loss.x[i]), losses.back().y.push_back(t->loss.y[i]);
  }
  losses.push_back(level("best reachable", 800, best_reachable(kTrained), 6));
  pictures.write("losses.svg", draw::svg_chart({"Periods 8 to 16: the loss of three models",
                                                {"step"},
                                                {.label = "loss", .first = 0, .last = 4},
                                                losses}));
  pictures.write(
      "patterns.svg",
      draw::svg_sheet({"On a segment of 12 tokens that repeats",
                       {best_head("one layer", *one.model, 0), best_head("smeared keys", *smeared.model, 0),
                        best_head("two layers: layer 0", *two.model, 0, interpret::kPreviousToken),
                        best_head("two layers: layer 1", *two.model, 1)},
                       2}));
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
    together(pictures, fixed, two, one, smeared);
  });
}
