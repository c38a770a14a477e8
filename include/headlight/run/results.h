// summary.json: the results of a run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "headlight/interpret/certificate.h"
#include "headlight/interpret/scores.h"
#include "headlight/run/baselines.h"
#include "headlight/tasks/task.h"
#include "headlight/train/evaluate.h"

namespace headlight::run {

// The snapshot along training with the lowest loss on held-out sequences.
struct LowestHeldOut {
  std::int64_t step = 0;
  double loss = 0;
};

struct Results {
  std::string command, version;  // the command line, if any, and the program's version
  std::string task;
  std::uint64_t seed = 0;
  std::int64_t steps = 0;    // done
  bool interrupted = false;  // stopped before the last step of the config
  bool diverged = false;     // see divergence.h
  double train_seconds = 0, tokens_per_second = 0;
  std::optional<std::int64_t> formed_at_step;  // first measured step with predictable accuracy of 0.5,
  std::optional<double> formed_at_seconds;     // where training was measured from its beginning
  double loss_first = 0, loss_last = 0;        // of the batches of the first and the last step
  train::Evaluation evaluation;                // on new sequences of the kind used in training
  std::vector<Baseline> baselines;             // on the same sequences; empty: unknown
  std::optional<double> accuracy_held_out;     // predictable accuracy on sequences of the held-out kind
  std::optional<double> loss_held_out;         // mean over all targets of the same sequences
  // Of a text whose held-out loss has risen since, while the loss on the part in training fell.
  std::optional<LowestHeldOut> lowest_held_out;
  std::vector<interpret::HeadScores> heads;
  std::optional<interpret::Certificate> certificate;  // of a task that an induction circuit solves
  bool passed = false;                                // whether the task counts as solved
  std::string verdict;                                // what was found, in sentences
};

// Whether the score of some head makes it an induction head.
bool induction_head_found(const std::vector<interpret::HeadScores>& heads);

// Whether the task counts as solved: by an induction circuit, if there is a certificate; else by a head with
// the score that the task names (Task::solved_by), or by a
// predictable accuracy of kSolvedAccuracy, also on held-out sequences; without predictable tokens, by a loss
// at most kSolvedRegret above the best possible one; where this is unknown, and simple predictors are known,
// by a loss below theirs.
bool passed(const Results& results, const tasks::Task& task);

// Whether a text was learned by heart: the model gives the right character of the part that it was trained on
// a probability of half or more (a loss of at most 0.7 nats), and gains more over counting there than on the
// rest.
bool learned_by_heart(const Results& results);

// The finding in one or two sentences. For a task that an induction head solves: whether there is one, and
// the previous-token head in a layer before.
std::string verdict(const Results& results, const tasks::Task& task);

// The same for a reader who sees the certificate too: of an induction circuit with an induction head, what
// the scores say and that the certificate holds.
std::string brief_verdict(const Results& results);

// The JSON of summary.json. results_from_json throws Error that names the file when it cannot be read.
std::string to_json(const Results& results);
Results results_from_json(const std::string& text, const std::string& file);

// A certificate as in summary.json.
std::string to_json(const interpret::Certificate& certificate);

// Names and values, for reading.
using Facts = std::vector<std::pair<std::string, std::string>>;
Facts facts(const Results& results, const tasks::TokenKinds& kinds = {});

}  // namespace headlight::run
