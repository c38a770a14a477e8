// Exercise 12: find induction heads, say when they formed, and try out what they need.
//
// Of the library:
//   tasks::make_task(config)                          a task
//   longer_sequences(task, k)  (in setup.h)           k sequences with a segment longer than in training
//   nn::Transformer model(config, rng)                a model with random weights
//   train::Trainer trainer(model, task, config, pool) trains it: a step with each trainer.step()
//   interpret::score_heads(model, batch)              all heads' scores
//   interpret::best_head(scores, kind)                the best head by a kind of score, such as
//                                                     interpret::kInduction; best[kind] is its score
//   train::evaluate(model, batch, nn::Hooks{})        .accuracy_predictable.value() is the share that is
//                                                     right
#include "exercise.h"
#include "headlight/core/thread_pool.h"
#include "headlight/interpret/scores.h"
#include "headlight/train/evaluate.h"
#include "headlight/train/trainer.h"
#include "setup.h"

// Part 1 ★★  matching_score
// The prefix-matching score of one head. pattern (n,n) has a row for each query, under the causal mask. For
// each query q: the followers are the positions j + 1 for all j < q with tokens[j] == tokens[q]. Add up the
// weights on all of them. Return the mean of these sums over the queries that have a follower; 0 if no query
// has one.
//   tokens = 5 7 5 5, pattern = [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.1, 0.6, 0.3, 0], [0.1, 0.2, 0.3, 0.4]]
//   query 2 has the follower 1, query 3 the followers 1 and 3  →  (0.6 + (0.2 + 0.4)) / 2 = 0.6
double matching_score(const Tensor& pattern, const std::vector<int>& tokens) { todo(); }

// Part 2 ★  strongest_head
// scores (layers,heads) → {layer, head} of the largest score, both counted from 0; of equal ones the first,
// row by row. If the largest is below the threshold, no head counts: return {}. (A score that equals the
// threshold counts.)
//   [[0.1, 0.2, 0.3], [0.9, 0.6, 0.1]], threshold 0.5  →  {1, 0};  threshold 0.95  →  {}
std::vector<std::size_t> strongest_head(const Tensor& scores, double threshold) { todo(); }

// Part 3 ★★  step_of_change
// When was a head half formed? scores[i] was measured after steps[i] steps. The level is half-way between the
// first score and the last one. Return the first of the steps from which on ALL scores are at the level or
// above, so that a single high measurement before does not count. If the last score is not at least 0.2 above
// the first, nothing has formed: return -1.
//   steps  = 0    10   20   30   40   50   60
//   scores = 0.1  0.1  0.6  0.2  0.5  1.0  0.9      level (0.1 + 0.9) / 2 = 0.5  →  40
double step_of_change(const std::vector<double>& steps, const std::vector<double>& scores) { todo(); }

// Part 4 ★  predicted
// Before you train anything: what becomes of the lesson's model after 400 steps if one thing is changed?
// setup.h describes the three changes and the three outcomes. Return what you expect of each. The tokens that
// count are those of sequences with a segment of 18 tokens, longer than in training.
//   Change::one_head  →  Outcome::no_head, if you expect that no head forms
Outcome predicted(Change change) { todo(); }

// Part 5 ★★★  watch_change
// Run the experiment. In this order:
//   1. change one thing in `setup`:
//      no_positions  setup.model.positions = "none"
//      one_head      setup.model: n_heads is 1, and d_head is what all heads together had, n_heads·d_head
//      repeats       setup.task.distinct = false: a token may occur twice in a segment
//   2. make the task; a model whose weights are drawn by Rng(setup.training.seed); a trainer, with
//      setup.training and the pool
//   3. draw setup.tested longer sequences, once: all measurements are on these
//   4. measure after 0, every, 2·every, … steps, up to and including setup.training.steps: the step, and the
//      largest induction score of any head
//   5. `right` is the share of predictable tokens that are right after the last step
//   With 4 steps and every = 2: .steps = {0, 2, 4}, and .scores has three numbers.
Curve watch_change(Setup setup, Change change, ThreadPool& pool) { todo(); }
