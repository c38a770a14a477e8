// Lesson 12: induction heads, and how they form.
#include <algorithm>
#include <string>
#include <vector>

#include "headlight/core/math.h"
#include "lesson_program.h"
#include "pictures.h"
#include "printed.h"
#include "runs.h"

using namespace headlight;
using namespace headlight::lesson;

constexpr std::size_t kSeeds = 5, kFew = 3;  // few: where a number is changed

constexpr std::int64_t kLongest = 600;  // steps, of a training that stops when its head has formed

// The positions before `query` with the same token.
std::vector<std::size_t> earlier_copies(const std::vector<char>& tokens, std::size_t query) {
  std::vector<std::size_t> copies;
  for (std::size_t i = 0; i < query; ++i)
    if (tokens[i] == tokens[query]) copies.push_back(i);
  return copies;
}

void definition() {
  section("1. The follower");
  const std::vector<char> tokens{'C', 'A', 'B', 'A', 'D', 'A'};
  say("  query   token   earlier copies   followers");
  for (std::size_t query = 0; query < tokens.size(); ++query)
    print_followers(tokens, query, earlier_copies(tokens, query));
  // The weights of queries 3 and 5; the other queries do not count.
  const IntArray numbers = {{2, 0, 1, 0, 3, 0}};
  Array pattern = Array::from_shape({1, 6, 6});
  pattern.fill(0);
  for (std::size_t query : {0, 1, 2, 4}) pattern(0, query, query) = 1;
  for (const auto& [key, weight] : {std::pair{1, 0.1}, {2, 0.7}, {3, 0.2}}) pattern(0, 3, key) = weight;
  for (const auto& [key, weight] : {std::pair{2, 0.3}, {3, 0.1}, {4, 0.5}, {5, 0.1}})
    pattern(0, 5, key) = weight;
  print_rows(pattern, {3, 5});
  const interpret::HeadScores scores = interpret::score_pattern(pattern, numbers);
  say("  prefix-matching score   {:.2f}", scores[interpret::kInduction]);
  say("  previous-token score    {:.2f}", scores[interpret::kPreviousToken]);
}

void measure(Watched& w, std::int64_t step, const nn::Transformer& model, const tasks::Batch& test) {
  const train::Evaluation on_test = train::evaluate(model, test, nn::Hooks{});
  w.heads = interpret::score_heads(model, test);
  w.steps.push_back(static_cast<double>(step));
  w.loss.push_back(on_test.loss_predictable.value());
  w.accuracy.push_back(on_test.accuracy_predictable.value());
  w.previous.push_back(best(w.heads, interpret::kPreviousToken));
  w.induction.push_back(best(w.heads, interpret::kInduction));
}

// Trains a model by this recipe, and measures it every few steps.
Watched lesson::watch(const Recipe& r, ThreadPool& pool, const std::function<void()>& each_step) {
  const tasks::Task task = task_of(r);
  Rng drawing(r.seed);
  nn::Transformer model(model_of(r), drawing);
  train::Trainer trainer = train::task_trainer(
      model, task, {.steps = r.steps, .learning_rate = 2e-2, .warmup = 50, .seed = r.seed}, pool);
  const tasks::Batch test = tasks::draw_batch(task, task.held_out, 32, Rng(8));
  Watched w;
  for (std::int64_t step = 0; step <= r.steps; ++step) {
    if (step > 0) trainer.step();
    each_step();
    if (step % kEvery == 0) measure(w, step, model, test);
    if (std::find(r.kept.begin(), r.kept.end(), step) != r.kept.end())
      w.kept.push_back(patterns_at(step, model, r));
    if (r.stops && w.induction.back() >= interpret::kFoundScore) break;
  }
  return w;
}

void one_training(const Pictures& pictures, const Watched& w) {
  section("3. One training, step by step");
  print_curves(w);
  say("\nThe heads at step 320:");
  print_heads(w.heads);
  const std::size_t previous = interpret::best_head(w.heads, interpret::kPreviousToken).head,
                    induction = interpret::best_head(w.heads, interpret::kInduction).head;
  pictures.write("before_after.svg", svg_before_after(w.kept[1], w.kept.back(), previous, induction));
  pictures.write("forming.svg", svg_forming(w, induction));
}

// The first step from which on the score has made this part of its whole rise, or the loss of its whole fall:
// with a tenth it has begun, with a half it is half formed.
double step_of_part(const Watched& w, const std::vector<double>& scores, double part) {
  const double rise = scores.back() - scores.front();
  std::size_t i = scores.size() - 1;
  while (i > 0 && (scores[i - 1] - scores.front()) / rise >= part) --i;
  return w.steps[i];
}

void seeds(const Pictures& pictures, const std::vector<Watched>& all) {
  section("4. Five seeds");
  pictures.write("seeds.svg", svg_seeds(all));
  say("  seed   loss: half fallen   previous token: begun   half   induction: begun   half   right at the "
      "end");
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Watched& w = all[i];
    say("  {:4}   {:17.0f}   {:21.0f}   {:4.0f}   {:16.0f}   {:4.0f}   {:14.0f} %", i + 1,
        step_of_part(w, w.loss, 0.5), step_of_part(w, w.previous, 0.1), step_of_part(w, w.previous, 0.5),
        step_of_part(w, w.induction, 0.1), step_of_part(w, w.induction, 0.5), 100 * w.accuracy.back());
  }
}

// The same recipe with several seeds, each until its head has formed.
std::vector<Recipe> few(Recipe r) {
  std::vector<Recipe> all;
  r.steps = kLongest, r.stops = true;
  for (r.seed = 1; r.seed <= kFew; ++r.seed) all.push_back(r);
  return all;
}

// The step after which the best induction score is 0.5 or more for the first time; the last step if it never
// is.
double step_of_forming(const Watched& w) {
  for (std::size_t i = 0; i < w.steps.size(); ++i)
    if (w.induction[i] >= interpret::kFoundScore) return w.steps[i];
  return w.steps.back();
}

// The steps at which the heads of kFew trainings, from number `first` on, have formed: sorted.
std::vector<double> formed_at(const std::vector<Watched>& all, std::size_t first) {
  std::vector<double> steps;
  for (std::size_t i = first; i < first + kFew; ++i) steps.push_back(step_of_forming(all[i]));
  std::sort(steps.begin(), steps.end());
  return steps;
}

void vocabularies(const Pictures& pictures, const std::vector<Watched>& with_32) {
  section("5. The vocabulary");
  std::vector<Recipe> recipes;
  for (std::size_t size : {24, 64, 128})
    for (const Recipe& r : few({.vocabulary = size})) recipes.push_back(r);
  const std::vector<Watched> others = watch_all("training with other vocabularies", recipes);
  draw::Chart chart = sweep_chart("The vocabulary and the time to form", {"log₂ V", false, 4.5, 8});
  say("    V   log₂ V   formed at step, three seeds");
  for (const auto& [size, steps] : {std::pair{24.0, formed_at(others, 0)},
                                    {32.0, formed_at(with_32, 0)},
                                    {64.0, formed_at(others, kFew)},
                                    {128.0, formed_at(others, 2 * kFew)}}) {
    const double bits = math::log(size) / math::log(2.0);
    say("  {:3.0f}   {:6.2f}   {}", size, bits, listed(steps, kLongest));
    add_to(chart, 0, bits, steps);
  }
  pictures.write("vocabulary.svg", draw::svg_chart(chart));
}

void heads(const Pictures& pictures, const std::vector<Watched>& two_of_16) {
  section("6. The number of heads");
  std::vector<Recipe> recipes;
  for (const auto& [count, width] : {std::pair{1, 32}, {4, 8}, {1, 16}, {4, 16}})
    for (const Recipe& r : few({.heads = std::size_t(count), .d_head = std::size_t(width)}))
      recipes.push_back(r);
  const std::vector<Watched> others = watch_all("training with other heads", recipes);
  draw::Chart chart = heads_chart();
  say("  heads   width of each   width in all   formed at step, three seeds");
  for (const auto& [count, width, steps, group] : {std::tuple{1, 32, formed_at(others, 0), 0},
                                                   {2, 16, formed_at(two_of_16, 0), 0},
                                                   {4, 8, formed_at(others, kFew), 0},
                                                   {1, 16, formed_at(others, 2 * kFew), 2},
                                                   {2, 16, formed_at(two_of_16, 0), 2},
                                                   {4, 16, formed_at(others, 3 * kFew), 2}}) {
    say("  {:5}   {:13}   {:12}   {}", count, width, count * width, listed(steps, kLongest));
    add_to(chart, static_cast<std::size_t>(group), count + 0.03 * (group - 1), steps);
  }
  pictures.write("heads.svg", draw::svg_chart(chart));
}

int main(int argc, char** argv) {
  return run(argc, argv, "12_induction_heads", [](const Pictures& pictures) {
    say("Lesson 12: induction heads");
    definition();
    section("2. Why two layers");
    pictures.write("two_steps.svg", svg_two_steps());
    std::vector<Recipe> recipes;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) recipes.push_back({.seed = seed});
    recipes[0].kept = {0, 120, 160, 180, 200, 320};
    const std::vector<Watched> all = watch_all("training five models", recipes);
    one_training(pictures, all[0]);
    seeds(pictures, all);
    vocabularies(pictures, all);
    heads(pictures, all);
  });
}
