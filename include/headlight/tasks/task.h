// Task: what a model shall learn. The tasks here are toy sequence tasks with known answers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "headlight/core/registry.h"
#include "headlight/core/rng.h"
#include "headlight/core/setting.h"
#include "headlight/tasks/vocabulary.h"

namespace headlight::tasks {

// The target of positions without a prediction.
inline constexpr std::int32_t kNoTarget = -1;

// One sequence: at position t a model has read tokens 0 … t and predicts target t.
struct Sequence {
  std::vector<std::int32_t> tokens;   // n
  std::vector<std::int32_t> targets;  // n; kNoTarget where nothing is predicted
  std::vector<bool> predictable =
      {};  // n: whether the target follows from the tokens so far; empty: true for every target
  std::vector<std::int32_t> source = {};   // tokens for an encoder, of any length; empty: no encoder
  std::string note = {};                   // a description of the sequence: "segment of 12 tokens"
  std::vector<std::int32_t> repeats = {};  // n: which copy of the segment a token belongs to; -1: none
  // n: the position of the token that the target is a copy of, in `source` if there is one, else in `tokens`;
  // -1: none. Empty: the task does not say.
  std::vector<std::int32_t> answers = {};
};

// The sequence of the first n of n+1 tokens; the target of each position is the next token.
Sequence next_token_sequence(const std::vector<std::int32_t>& tokens, std::vector<bool> predictable,
                             std::string note = {});

// Draws a sequence. The result depends only on the random number generator, so several threads may draw at
// once, and a batch can be drawn again.
using Generator = std::function<Sequence(Rng& rng)>;

// Draws the sequence at a place of training: sequence b of step s, both counted from 0, is at s·batch + b. So
// a finite set of sequences can be read in order, epoch by epoch (tasks/epochs.h).
using PlacedGenerator = std::function<Sequence(std::uint64_t place, Rng& rng)>;

// Draws a sequence whose segment has this length, in tokens.
using MakeSequence = std::function<Sequence(std::size_t length, Rng& rng)>;

// The settings of all tasks. Each task documents how it uses them.
struct TaskConfig {
  std::string name = "repeat";  // in the registry
  std::size_t d_vocab = 64;     // number of different tokens
  std::size_t n_ctx = 64;       // positions that a model sees
  std::size_t min_segment = 0;  // shortest segment drawn; 0: n_ctx/4
  std::size_t max_segment = 0;  // longest segment drawn; 0: n_ctx/2
  bool distinct = true;         // no token twice in a segment
  bool fixed_offset = false;    // copy: every segment has length max_segment
  std::size_t pairs = 0;        // recall, mqar: most pairs of key and value; 0: n_ctx/4
  std::size_t queries = 0;      // mqar: keys asked for; 0: pairs/2
  std::size_t hops = 2;         // khop: hops to the answer
  std::size_t states = 4;       // markov, khop, histogram: different letters
  std::size_t triggers = 5;     // triggers: how many tokens have a follower of their own in each sequence
  std::size_t modulus = 31;     // addition: numbers 0 … modulus-1
  bool with_source = false;     // reverse, sort: the question is the source of an encoder. Not a setting: the
                                // architecture of the model decides
  std::string text = {};        // text: the file to learn
  bool bytes = false;           // text: a token is a byte, not a character
  std::string folder = {};      // where a relative path of `text` begins; empty: the current folder
  std::map<std::string, SettingValue> own = {};  // those of add_setting() that have not their default
};

// What a person must know of a task, in sentences that end with a period. A piece between stars is a term of
// the glossary: "*attention head*".
struct TaskWords {
  std::string what;        // what the model reads and must predict
  std::string answer;      // from what a predictable token follows
  std::string success;     // what counts as solved
  std::string look_for;    // what to look for in the heads and curves
  std::string skill = {};  // what follows "it learned to": "copy a segment", without a period
};

// What the two kinds of tokens are called, before the word "tokens": those that Sequence::predictable marks,
// and the others.
struct TokenKinds {
  std::string predictable = "predictable";
  std::string others = "unpredictable";
};

// A file that a run keeps in its folder, because the task cannot be made again without it.
struct TaskFile {
  std::string name, content;
};

// The predictable accuracy that solves a task whose success is no kind of head.
inline constexpr double kSolvedAccuracy = 0.9;

// How far above the best possible loss, in nats, a task without predictable tokens counts as solved.
inline constexpr double kSolvedRegret = 0.02;

// For each position of a sequence of the kind used in training, -ln of the probability that a predictor gives
// the target, from the task and the tokens so far (n); 0 where there is no target.
using Losses = std::function<std::vector<double>(const Sequence&)>;

// A simple predictor whose loss is worth comparing with: "unigrams".
struct Reference {
  std::string name;
  Losses losses;
};

struct Task {
  TaskConfig config;  // name and sizes; what was 0 is filled in
  Vocabulary vocabulary;
  Generator training;
  PlacedGenerator training_at = {};  // draws the batches of training, if `training` shall not; what a model
                                     // is measured on is drawn by `training` all the same
  Generator held_out = {};           // sequences of a kind not used in training; empty: no such kind
  Generator scored = {};       // sequences for scoring heads; empty: training sequences, if they have answers
  std::string scored_on = {};  // their kind, if it is not the task's own: "repeated random tokens"
  std::string trained_on = {};  // a description of the training sequences: "segments of 16 to 32 tokens"
  std::size_t n_source = 0;     // tokens in the longest source; 0: no encoder
  TaskWords words = {};         // empty: nothing is said of it
  TokenKinds kinds = {};        // their names in results and curves
  std::string solved_by = {};   // the score of the head that solves it, "induction"; empty: accuracy counts
  bool sees_ahead = false;      // the targets are labels, not the next tokens: an encoder may read all tokens
  Losses best_loss = {};        // of the best possible predictor; empty: unknown
  std::optional<double> best_mean = {};    // its mean over all sequences and tokens, where a formula gives it
  std::vector<Reference> references = {};  // simple predictors, from the worst to the best
  std::vector<TaskFile> files = {};        // what a run must keep of it
  MakeSequence with_segment = {};   // for segments of 1 … longest_segment tokens, whatever lengths are
                                    // trained, else it throws Error; empty: the task has no segments
  std::size_t longest_segment = 0;  // with at least one predictable target
  std::vector<std::int32_t> special = {};  // tokens with a part of their own, such as a separator: heads are
                                           // not scored on sequences that contain them
};

// The sequences on which heads are scored: "repeated random tokens", "sequences as in training".
std::string scored_kind(const Task& task);

// Throws Error unless the task has a name, a training generator and a vocabulary of d_vocab tokens.
void check_task(const Task& task);

// The tokens of a text. Throws Error as Vocabulary::tokens does, and for more tokens than the context holds.
std::vector<std::int32_t> read_tokens(const Task& task, const std::string& text);

// The tasks that can be chosen by name. An entry's `uses` are the keys of TaskConfig that the task reads. Use
// add() to add your own.
using MakeTask = std::function<Task(const TaskConfig&)>;
Registry<MakeTask>& registry();

// Throws Error for an unknown name, or for sizes that the task does not allow.
Task make_task(const TaskConfig& config);

// In place of a task that is not in the registry, for a run that a program with more tasks has trained. It
// has the run's sizes; drawing a sequence throws Error that says what to do.
Task task_of_another_program(const TaskConfig& config);

// A random segment, repeated: A B C D A B C D A …
Task repeat_task(const TaskConfig& config);

// A random prefix, a separator, the prefix again, then random tokens: A B C | A B C X Y … With a fixed offset
// every prefix has the same length, and a head that looks a fixed distance back solves the task. With random
// lengths a head must find the token to copy by content.
Task copy_task(const TaskConfig& config);

// The other tasks are in tasks/toy_tasks.h.
inline constexpr std::int32_t kSeparator = 0;

}  // namespace headlight::tasks
