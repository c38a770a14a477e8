// Exercise 12: measure induction heads, build their pattern from what section 2 says, say when they have
// formed, predict what they need, and an experiment.
//
// Of the library: softmax(x, axis)      matmul(x, y)      transpose(x)      zeros({n, n}).array()
#include "exercise.h"
#include "forming.h"
#include "setup.h"

// Part 1 ★★  matching_score
// The prefix-matching score of one head. pattern (n,n) has a row for each query, under the causal mask. For
// each query q: the followers are the positions j + 1 for all j < q with tokens[j] == tokens[q]. Add up the
// weights on all of them. Return the mean of these sums over the queries that have a follower; 0 if no query
// has one.
//   tokens = 5 7 5 5, pattern = [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.1, 0.6, 0.3, 0], [0.1, 0.2, 0.3, 0.4]]
//   query 2 has the follower 1, query 3 the followers 1 and 3  →  (0.6 + (0.2 + 0.4)) / 2 = 0.6
double matching_score(const Tensor& pattern, const std::vector<int>& tokens) { todo(); }

// Part 2 ★★  matching_pattern
// The two heads of section 2, without training. `previous` (n,n) is the pattern of a head of layer 0, such as
// a previous-token head. This head writes a note to each position: which tokens it looks at there, each with
// its weight. A head of layer 1 compares its query, the token of the present position, with the notes in the
// keys:
//   score of query q with key k   the part of k's note that is the token of q, a number from 0 to 1
//   pattern (n,n)                 the softmax of sharpness·score over the keys 0 … q; later keys have 0
// Return the pattern.
//   tokens = 5 7 5, previous = [[1, 0, 0], [1, 0, 0], [0, 1, 0]], sharpness = 10
//   The notes are 5 5 7. Query 2 holds 5, so its scores are 1, 1, 0: it finds the follower, place 1. But
//   place 0, which has no token before it, looks like one too. Query 1 holds 7, which no note says: its
//   scores are 0.
//   →  [[1, 0, 0], [0.5, 0.5, 0], [0.5, 0.5, 0.00002]]
Tensor matching_pattern(const std::vector<int>& tokens, const Tensor& previous, double sharpness) { todo(); }

// Part 3 ★★  step_of_change
// When was a head half formed? scores[i] was measured after steps[i] steps, and between two measurements the
// curve is taken as a straight line. The level is half-way between the first score and the last one. Return
// the step, a whole number or not, at which the curve passes the level for good: it is at the level or above
// from there to the end, so that a single high measurement before does not count. If the last score is not at
// least 0.2 above the first, nothing has formed: return -1.
//   steps  = 0    10   20   30   40   50   60
//   scores = 0.1  0.1  0.6  0.2  0.4  0.8  0.9      level (0.1 + 0.9) / 2 = 0.5  →  42.5
double step_of_change(const std::vector<double>& steps, const std::vector<double>& scores) { todo(); }

// Part 4 ★  predicted
// Before you train anything: what becomes of the lesson's model after 400 steps if one thing is changed?
// setup.h describes the three changes and the three outcomes. Return what you expect of each. The tokens that
// count are those of sequences with a segment of 18 tokens, longer than in training.
//   Change::one_head  →  Outcome::no_head, if you expect that no head forms
Outcome predicted(Change change) { todo(); }

// Part 5 ★★  batches
// An experiment of your own. The lesson trains with 32 sequences a step, and the first induction head of seed
// 1 has formed at step 185, after 5,920 sequences. What happens if a step has half as many sequences, or
// twice as many? steps_to_form(batch) trains such a model, in a few seconds, and gives the step; 400 says
// that no head had formed by then. Choose three numbers of sequences or more, from 8 to 64. Before you run
// anything, write down for each the step that you expect. Return the trials {batch, expected, measured}: any
// prediction passes, and the verdict shows where you were farthest off.
std::vector<Trial> batches() { todo(); }
