// What people get wrong in part 5 of exercise 12, a training that is watched.
#pragma once

#include "headlight/core/thread_pool.h"
#include "headlight/interpret/scores.h"
#include "headlight/tasks/batch.h"
#include "headlight/train/evaluate.h"
#include "headlight/train/trainer.h"
#include "mistakes.h"
#include "setup.h"

namespace mistakes {

using WatchChange = Curve (*)(Setup, Change, ThreadPool&);
using Heads = std::vector<interpret::HeadScores>;

inline double best_induction(const Heads& heads) {
  return interpret::best_head(heads, interpret::kInduction)[interpret::kInduction];
}

// What a wrong version does in its own way.
struct Way {
  std::function<void(Setup&, Change)> change = {};
  std::function<double(const Heads&)> score = best_induction;
  std::function<tasks::Batch(const tasks::Task&, const Setup&, std::int64_t step)> test =
      [](const tasks::Task& task, const Setup& s, std::int64_t) { return longer_sequences(task, s.tested); };
  std::function<bool(std::int64_t step, const Setup&)> measured = [](std::int64_t step, const Setup& s) {
    return step % s.every == 0;
  };
  std::function<double(const train::Evaluation&)> right = [](const train::Evaluation& e) {
    return e.accuracy_predictable.value();
  };
  std::int64_t before = 0;    // steps that are made before the measurement at 0
  std::int64_t left_out = 0;  // steps at the end that are not made
  bool trains = true, draws_by_seed = true;
};

inline void changed(Setup& s, Change change) {
  if (change == Change::no_positions) s.model.positions = "none";
  if (change == Change::one_head) s.model.d_head *= s.model.n_heads, s.model.n_heads = 1;
  if (change == Change::repeats) s.task.distinct = false;
}

inline Curve done(const Way& way, Setup s, Change change, ThreadPool& pool) {
  changed(s, change);
  if (way.change) way.change(s, change);
  const tasks::Task task = tasks::make_task(s.task);
  Rng drawing(way.draws_by_seed ? s.training.seed : 0);
  nn::Transformer model(s.model, drawing);
  train::Trainer trainer(model, task, s.training, pool);
  Curve curve{};
  for (std::int64_t step = 0; step <= s.training.steps - way.left_out; ++step) {
    const bool moves = step > 0 || way.before > 0;
    if (way.trains && moves && trainer.steps_done() < s.training.steps) trainer.step();
    if (!way.measured(step, s)) continue;
    curve.steps.push_back(static_cast<double>(step));
    curve.scores.push_back(way.score(interpret::score_heads(model, way.test(task, s, step))));
  }
  curve.right = way.right(train::evaluate(model, way.test(task, s, s.training.steps), nn::Hooks{}));
  return curve;
}

inline const std::vector<Mistake<WatchChange>> kOfWatchChange = {
    {"nothing-changed",
     "You leave `setup` as it is, or change it after the task and the model are made. Change it first.",
     kOneTraining,
     [](Setup s, Change, ThreadPool& pool) { return done({}, s, static_cast<Change>(-1), pool); }},
    {"half-the-width",
     "With one head you leave d_head as it was. Then the model has a smaller layer too, and you would not "
     "know which of the two changes had the effect. One head takes over the width of all.",
     kHeadsSection,
     [](Setup s, Change change, ThreadPool& pool) {
       const std::size_t width = s.model.d_head;
       return done({.change = [=](Setup& x, Change) { x.model.d_head = width; }}, s, change, pool);
     }},
    {"width-of-the-stream",
     "Your one head has the width d_model. It takes over the width of all heads together, n_heads·d_head, "
     "which need not be d_model.",
     kHeadsSection,
     [](Setup s, Change change, ThreadPool& pool) {
       return done({.change =
                        [](Setup& x, Change c) {
                          if (c == Change::one_head) x.model.d_head = x.model.d_model;
                        }},
                   s, change, pool);
     }},
    {"repeats-forgotten",
     "For repeats you train the task as it was: the segments are still distinct. Set setup.task.distinct = "
     "false, before you make the task.",
     kFollower,
     [](Setup s, Change change, ThreadPool& pool) {
       return done({.change = [](Setup& x, Change) { x.task.distinct = true; }}, s, change, pool);
     }},
    {"one-layer-for-one-head",
     "For one head you take one layer. A layer has several heads: change n_heads, and leave n_layers.",
     kHeadsSection,
     [](Setup s, Change change, ThreadPool& pool) {
       const nn::TransformerConfig old = s.model;
       return done({.change =
                        [=](Setup& x, Change c) {
                          if (c == Change::one_head) x.model = old, x.model.n_layers = 1;
                        }},
                   s, change, pool);
     }},
    {"learned-positions",
     "For no positions you take learned positions. \"none\" is the name of the setting without any.",
     kTwoLayers,
     [](Setup s, Change change, ThreadPool& pool) {
       return done({.change =
                        [](Setup& x, Change c) {
                          if (c == Change::no_positions) x.model.positions = "learned";
                        }},
                   s, change, pool);
     }},
    {"trained-lengths",
     "You measure on sequences of the training's kind. A fair test has lengths that were not trained: "
     "longer_sequences(task, setup.tested).",
     kOneTraining,
     [](Setup s, Change change, ThreadPool& pool) {
       return done(
           {.test = [](const tasks::Task& task, const Setup& x,
                       std::int64_t) { return tasks::draw_batch(task, task.training, x.tested, Rng(8)); }},
           s, change, pool);
     }},
    {"held-out-lengths",
     "You measure on task.held_out, as the lesson does: shorter and longer segments. The exercise asks for "
     "longer ones only: longer_sequences(task, setup.tested).",
     kOneTraining,
     [](Setup s, Change change, ThreadPool& pool) {
       return done(
           {.test = [](const tasks::Task& task, const Setup& x,
                       std::int64_t) { return tasks::draw_batch(task, task.held_out, x.tested, Rng(8)); }},
           s, change, pool);
     }},
    {"new-sequences-each-time",
     "You draw other sequences for each measurement. Then a score changes although the model does not. Draw "
     "once, before the loop.",
     kOneTraining,
     [](Setup s, Change change, ThreadPool& pool) {
       return done({.test =
                        [](const tasks::Task& task, const Setup& x, std::int64_t step) {
                          return longer_sequences(task, x.tested,
                                                  x.tested * static_cast<std::size_t>(step / x.every));
                        }},
                   s, change, pool);
     }},
    {"first-measurement-missing",
     "You do not measure before the first step. Without the score of an untrained model, nobody knows what a "
     "rise is.",
     kOneTraining,
     [](Setup s, Change change, ThreadPool& pool) {
       return done(
           {.measured = [](std::int64_t step, const Setup& x) { return step > 0 && step % x.every == 0; }}, s,
           change, pool);
     }},
    {"last-step-missing",
     "Your loop ends one step early, so the last measurement is missing too. It goes up to and including "
     "setup.training.steps.",
     kOneTraining,
     [](Setup s, Change change, ThreadPool& pool) { return done({.left_out = 1}, s, change, pool); }},
    {"one-step-ahead",
     "You make a step before you measure, also at 0: what you call the score after k steps is that after "
     "k + 1. At 0 no step has been made.",
     kOneTraining,
     [](Setup s, Change change, ThreadPool& pool) { return done({.before = 1}, s, change, pool); }},
    {"never-trained", "All your scores are those of the untrained model. Call trainer.step().", kOneTraining,
     [](Setup s, Change change, ThreadPool& pool) { return done({.trains = false}, s, change, pool); }},
    {"previous-token-score",
     "You return the previous-token score. The score of an induction head is interpret::kInduction.",
     kFollower,
     [](Setup s, Change change, ThreadPool& pool) {
       return done({.score =
                        [](const Heads& heads) {
                          return interpret::best_head(heads,
                                                      interpret::kPreviousToken)[interpret::kPreviousToken];
                        }},
                   s, change, pool);
     }},
    {"mean-over-heads",
     "You take the mean over all heads. One induction head is enough, and the others would hide it: take the "
     "best.",
     kOneTraining,
     [](Setup s, Change change, ThreadPool& pool) {
       return done({.score =
                        [](const Heads& heads) {
                          double sum = 0;
                          for (const auto& head : heads) sum += head[interpret::kInduction];
                          return sum / static_cast<double>(heads.size());
                        }},
                   s, change, pool);
     }},
    {"last-head",
     "You take the score of the last head. Which head becomes an induction head differs from seed "
     "to seed: take the best of all.",
     kOneTraining,
     [](Setup s, Change change, ThreadPool& pool) {
       return done({.score = [](const Heads& heads) { return heads.back()[interpret::kInduction]; }}, s,
                   change, pool);
     }},
    {"loss-for-right", "In `right` you return the loss. The share of right tokens is accuracy_predictable.",
     kOneTraining,
     [](Setup s, Change change, ThreadPool& pool) {
       return done({.right = [](const train::Evaluation& e) { return e.loss_predictable.value(); }}, s,
                   change, pool);
     }},
    {"seed-not-used",
     "The model's weights do not depend on setup.training.seed. Draw them by Rng(setup.training.seed).",
     kSeedsSection, [](Setup s, Change change, ThreadPool& pool) {
       return done({.draws_by_seed = false}, s, change, pool);
     }}};

}  // namespace mistakes
